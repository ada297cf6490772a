//! Assertions that are proposed, for people and for programs.

use serde_json::{Value, json};

use crate::paint::{Colour, Style};

/// What `assert --propose` found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProposalRun {
    /// All of them proved; those of one procedure together, the most telling first.
    pub proposals: Vec<Proposal>,
    /// How many clauses held in all runs, and how many of them were proved.
    pub candidates: usize,
    pub held: usize,
    /// How many files they were written into, if that was asked for.
    pub files: Option<usize>,
    pub notes: Vec<String>,
    pub errors: Vec<String>,
}

/// A clause that was proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    pub function: String,
    pub file: String,
    /// The line on which it stands, once all are written.
    pub line: u32,
    /// The line of the loop that it is an invariant of, in the text as it is.
    pub of_loop: Option<u32>,
    /// In the words of contracts.
    pub clause: String,
    /// `assert`, `ensures` or `loop_invariant`.
    pub form: String,
    /// As it is written.
    pub words: String,
}

/// A line for each proposal.
pub fn render_text(run: &ProposalRun, style: Style) -> String {
    let mut text = String::new();
    let mut last = ("", "");
    for proposal in &run.proposals {
        if (proposal.file.as_str(), proposal.function.as_str()) != last {
            last = (&proposal.file, &proposal.function);
            text += &style.paint(Colour::Bold, &format!("{}  {}", proposal.function, proposal.file));
            text.push('\n');
        }
        let of_loop = proposal.of_loop.map(|line| format!("  (loop on line {line})")).unwrap_or_default();
        let form = match proposal.form.as_str() {
            "loop_invariant" => "loop invariant",
            form => form,
        };
        text += &format!("  {form} {}{of_loop}\n", proposal.words);
    }
    for note in &run.notes {
        text += &format!("note: {note}\n");
    }
    for error in &run.errors {
        text += &format!("error: {error}\n");
    }
    let shown = run.proposals.len();
    let proposed = match run.files {
        None => format!("{shown} proposed"),
        Some(1) => format!("{shown} written into 1 file"),
        Some(files) => format!("{shown} written into {files} files"),
    };
    text + &format!("{proposed}; {} likely, {} of them proved\n", run.candidates, run.held)
}

/// One object, with a line end.
pub fn render_json(run: &ProposalRun) -> String {
    let proposals: Vec<Value> = run
        .proposals
        .iter()
        .map(|it| {
            json!({
                "function": it.function,
                "file": it.file,
                "line": it.line,
                "loop": it.of_loop,
                "clause": it.clause,
                "form": it.form,
                "assertion": it.words,
            })
        })
        .collect();
    let document = json!({
        "schema": "selfsame/1",
        "proposals": proposals,
        "errors": run.errors,
        "notes": run.notes,
        "summary": {
            "proposed": run.proposals.len(),
            "likely": run.candidates,
            "proved": run.held,
            "files_written": run.files,
        },
    });
    format!("{}\n", serde_json::to_string_pretty(&document).unwrap_or_default())
}
