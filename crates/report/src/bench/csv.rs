//! Every run as a row of comma-separated values, for spreadsheets and statistics.

use super::compare::runs;
use super::model::BenchReport;

const HEAD: &str = "suite,group,case,language,function,numbers,label,strategy,score,verdict,bound,decided_by,\
                    seconds,solver_calls,solver_seconds,refinements,inputs_tried,detail";

/// The head and the runs, pair by pair.
pub fn render(report: &BenchReport) -> String {
    let mut text = format!("{HEAD}\n");
    for (strategy, case, run) in runs(report) {
        let cells = [
            case.suite.clone(),
            case.group.clone(),
            case.name.clone(),
            case.language.clone(),
            case.function.clone(),
            case.numbers.clone(),
            case.label.name().to_owned(),
            strategy.to_owned(),
            run.score(case.label).name().to_lowercase(),
            run.verdict.map_or("", crate::VerdictWord::name).to_owned(),
            run.bound.map_or(String::new(), |bound| bound.to_string()),
            run.decided_by.clone().unwrap_or_default(),
            format!("{:.3}", run.seconds),
            run.solver_calls.to_string(),
            format!("{:.3}", run.solver_seconds),
            run.refinements.to_string(),
            run.inputs_tried.to_string(),
            run.detail.clone(),
        ];
        text += &cells.map(|cell| quoted(&cell)).join(",");
        text.push('\n');
    }
    text
}

/// In quotes where it has to be.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn every_run_is_a_row() {
        let text = render(&samples::report());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 10);
        assert_eq!(lines[0].split(',').count(), 18);
        assert_eq!(
            lines[3],
            "demo,loops,loops/long/Eq,java,f,math,equivalent,naive,bounded,unknown,5,,3.000,2,0.000,0,0,no difference on 12 inputs"
        );
        assert!(lines[5].ends_with(r#","f(1, ""a""): old 1, new 2 (seen by interpreter)""#), "{}", lines[5]);
        assert!(lines[7].starts_with(r#"demo,,"mislabelled <&""|"">",java,"#), "{}", lines[7]);
    }
}
