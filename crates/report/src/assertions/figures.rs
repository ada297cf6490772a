//! What checking series of versions costs, from scratch and after the version before: as text, Markdown, CSV and JSON.

use serde::Serialize;

/// What one version of one subject cost.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VersionFigures {
    pub subject: String,
    pub version: String,
    pub assertions: usize,
    pub holds: usize,
    pub fails: usize,
    pub unknown: usize,
    /// From scratch.
    pub full: Cost,
    /// After the version before; absent for the first one.
    pub differential: Option<Cost>,
    /// How many outcomes were inherited.
    pub inherited: usize,
    /// Whether both ways give the same outcomes.
    pub agree: bool,
}

#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Cost {
    pub solver_calls: u64,
    pub states: u64,
    pub seconds: f64,
}

/// All that was measured with one way of deciding.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeriesFigures {
    /// How assertions were decided: from scratch, and after the version before.
    pub strategies: [String; 2],
    pub versions: Vec<VersionFigures>,
}

/// The part that is saved, in percent.
pub fn reduction(full: f64, differential: f64) -> Option<f64> {
    (full > 0.0).then(|| (1.0 - differential / full) * 100.0)
}

impl SeriesFigures {
    /// The subjects, in order, each with the sums over the versions after its first.
    fn sums(&self) -> Vec<(String, Cost, Cost)> {
        let mut sums: Vec<(String, Cost, Cost)> = Vec::new();
        for it in &self.versions {
            if sums.last().is_none_or(|(subject, ..)| *subject != it.subject) {
                sums.push((it.subject.clone(), Cost::default(), Cost::default()));
            }
            if let (Some(differential), Some((_, full, after))) = (&it.differential, sums.last_mut()) {
                full.add(&it.full);
                after.add(differential);
            }
        }
        sums
    }

    /// The reductions of solver calls, states and seconds of each subject, in percent.
    pub fn reductions(&self) -> Vec<(String, [Option<f64>; 3])> {
        let of = |(subject, full, after): (String, Cost, Cost)| {
            let reductions = [
                reduction(full.solver_calls as f64, after.solver_calls as f64),
                reduction(full.states as f64, after.states as f64),
                reduction(full.seconds, after.seconds),
            ];
            (subject, reductions)
        };
        self.sums().into_iter().map(of).collect()
    }

    /// The reductions in the middle of the subjects.
    pub fn medians(&self) -> [Option<f64>; 3] {
        let reductions = self.reductions();
        [0, 1, 2].map(|at| {
            let mut known: Vec<f64> = reductions.iter().filter_map(|(_, it)| it[at]).collect();
            known.sort_by(f64::total_cmp);
            let middle = known.len() / 2;
            match known.len() {
                0 => None,
                count if count % 2 == 1 => Some(known[middle]),
                _ => Some((known[middle - 1] + known[middle]) / 2.0),
            }
        })
    }

    fn table(&self) -> (Vec<&'static str>, Vec<Vec<String>>) {
        let heads = vec![
            "subject",
            "version",
            "assertions",
            "hold",
            "fail",
            "unknown",
            "calls",
            "states",
            "seconds",
            "diff calls",
            "diff states",
            "diff seconds",
            "inherited",
            "agree",
        ];
        let row = |it: &VersionFigures| {
            let cost = |cost: Option<&Cost>| match cost {
                Some(cost) => {
                    [cost.solver_calls.to_string(), cost.states.to_string(), format!("{:.2}", cost.seconds)]
                }
                None => ["".to_owned(), "".to_owned(), "".to_owned()],
            };
            let mut row = vec![it.subject.clone(), it.version.clone()];
            row.extend([it.assertions, it.holds, it.fails, it.unknown].map(|number| number.to_string()));
            row.extend(cost(Some(&it.full)));
            row.extend(cost(it.differential.as_ref()));
            row.push(it.inherited.to_string());
            row.push(if it.agree { "yes" } else { "NO" }.to_owned());
            row
        };
        (heads, self.versions.iter().map(row).collect())
    }
}

impl Cost {
    fn add(&mut self, other: &Cost) {
        self.solver_calls += other.solver_calls;
        self.states += other.states;
        self.seconds += other.seconds;
    }
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.0}%"))
}

/// Tables for people at a terminal.
pub fn render_text(all: &[SeriesFigures]) -> String {
    let mut text = String::new();
    for figures in all {
        let [full, after] = &figures.strategies;
        text += &format!("from scratch: {full}; after the version before: {after}\n\n");
        let (heads, rows) = figures.table();
        text += &columns(&heads, &rows);
        text += "\nreduction of solver calls, states and seconds after the first version:\n";
        for (subject, [calls, states, seconds]) in figures.reductions() {
            text += &format!(
                "  {subject:<20} {:>6} {:>6} {:>6}\n",
                percent(calls),
                percent(states),
                percent(seconds)
            );
        }
        let [calls, states, seconds] = figures.medians();
        text += &format!(
            "  {:<20} {:>6} {:>6} {:>6}\n\n",
            "median",
            percent(calls),
            percent(states),
            percent(seconds)
        );
    }
    text
}

fn columns(heads: &[&str], rows: &[Vec<String>]) -> String {
    let widths: Vec<usize> = (0..heads.len())
        .map(|at| rows.iter().map(|row| row[at].len()).chain([heads[at].len()]).max().unwrap_or(0))
        .collect();
    let line = |cells: Vec<&str>| {
        let cells: Vec<String> =
            cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    let head = line(heads.to_vec());
    head + &rows.iter().map(|row| line(row.iter().map(String::as_str).collect())).collect::<String>()
}

/// Tables for documents.
pub fn render_markdown(all: &[SeriesFigures]) -> String {
    let mut text = String::new();
    for figures in all {
        let [full, after] = &figures.strategies;
        text += &format!("From scratch: `{full}`; after the version before: `{after}`.\n\n");
        let (heads, rows) = figures.table();
        text += &format!("| {} |\n|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
        for row in rows {
            text += &format!("| {} |\n", row.join(" | "));
        }
        text += "\n| subject | fewer solver calls | fewer states | fewer seconds |\n|---|---|---|---|\n";
        let medians = ("**median**".to_owned(), figures.medians());
        for (subject, [calls, states, seconds]) in figures.reductions().into_iter().chain([medians]) {
            text +=
                &format!("| {subject} | {} | {} | {} |\n", percent(calls), percent(states), percent(seconds));
        }
        text.push('\n');
    }
    text
}

/// One line for each version and way of deciding.
pub fn render_csv(all: &[SeriesFigures]) -> String {
    let mut text = String::new();
    for (at, figures) in all.iter().enumerate() {
        let (heads, rows) = figures.table();
        if at == 0 {
            text += &format!("strategy,{}\n", heads.join(","));
        }
        for row in rows {
            text += &format!("{},{}\n", figures.strategies[0], row.join(","));
        }
    }
    text
}

/// Everything, for programs.
pub fn render_json(all: &[SeriesFigures]) -> String {
    let series: Vec<serde_json::Value> = all
        .iter()
        .map(|figures| {
            serde_json::json!({
                "strategies": figures.strategies,
                "versions": figures.versions,
                "reductions": figures.reductions().into_iter().map(|(subject, [calls, states, seconds])| {
                    serde_json::json!({ "subject": subject, "solver_calls": calls, "states": states, "seconds": seconds })
                }).collect::<Vec<_>>(),
                "median": figures.medians(),
            })
        })
        .collect();
    let document = serde_json::json!({ "schema": "selfsame-properties/1", "series": series });
    format!("{}\n", serde_json::to_string_pretty(&document).unwrap_or_default())
}
