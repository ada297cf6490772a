//! Every table and plot as files of its own, to be taken into papers and spreadsheets.

use super::model::BenchReport;
use super::plot::plots;
use super::tables::all_tables;
use super::{csv, latex, svg};

/// A file of the report's folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportFile {
    /// Below the folder, as `tables/eq.csv`.
    pub path: String,
    pub text: String,
}

/// CSV and LaTeX of every table; CSV, LaTeX and a picture of every plot.
pub fn export(report: &BenchReport) -> Vec<ExportFile> {
    let mut files = Vec::new();
    let mut add = |path: String, text: String| files.push(ExportFile { path, text });
    for table in all_tables(report) {
        add(format!("tables/{}.csv", table.name), csv::table(&table));
        add(format!("tables/{}.tex", table.name), latex::table(&table));
    }
    for plot in plots(report) {
        add(format!("plots/{}.csv", plot.name), csv::plot(&plot));
        add(format!("plots/{}.tex", plot.name), latex::plot(&plot));
        add(format!("plots/{}.svg", plot.name), svg::draw_alone(&plot));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn no_two_files_have_the_same_name() {
        let mut paths: Vec<String> = export(&samples::report()).into_iter().map(|file| file.path).collect();
        let count = paths.len();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), count);
        for wanted in ["tables/eq.csv", "tables/neq.tex", "tables/strategies.csv", "plots/solved-within.svg"]
        {
            assert!(paths.iter().any(|path| path == wanted), "{wanted} is missing in {paths:?}");
        }
    }
}
