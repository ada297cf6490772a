//! Explanations for programs: the report of `check`, with `explanation` in each pair that is different.

use serde_json::Value;

use super::model::Explanation;
use crate::json;
use crate::model::RunReport;

/// The whole report as one line-broken JSON text that ends with a newline.
pub fn render(run: &RunReport, explanations: &[Option<Explanation>]) -> String {
    let report = json::render(run);
    let mut document: Value = serde_json::from_str(&report).expect("a report should be readable");
    if let Some(results) = document.get_mut("results").and_then(Value::as_array_mut) {
        for (result, explanation) in results.iter_mut().zip(explanations) {
            if let (Some(result), Some(explanation)) = (result.as_object_mut(), explanation) {
                let value = serde_json::to_value(explanation).expect("explanations should be plain data");
                result.insert("explanation".to_owned(), value);
            }
        }
    }
    let mut text = serde_json::to_string_pretty(&document).expect("a report should be writable");
    text.push('\n');
    text
}
