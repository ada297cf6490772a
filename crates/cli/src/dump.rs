//! What `--dump` shows of a pair.

mod alignment;

use std::collections::{BTreeMap, BTreeSet};

use check::{Checked, Outcome, Subject};
use ir::{Pair, ProcId, StmtKind};

use crate::wire::Shown;

impl Shown {
    /// The text. `sources` has the texts of the files as they were written.
    pub(crate) fn render(self, sources: &BTreeMap<String, String>) -> String {
        match self {
            Shown::Text(text) => text,
            Shown::Alignment(aligned) => aligned.render(sources),
        }
    }
}

/// Both versions in the text form of the common language, with the procedures they call.
pub(crate) fn ir(pair: Pair<Subject<'_>>) -> String {
    let mut text = String::new();
    for (side, subject) in [("old", pair.old), ("new", pair.new)] {
        append(&mut text, &format!("// {side}: {}", subject.procedure().name));
        for procedure in with_callees(subject) {
            append(&mut text, &ir::print_procedure(subject.program, procedure));
        }
        text.push('\n');
    }
    text
}

/// The procedure and all that it can reach by calls, the procedure first.
fn with_callees(subject: Subject<'_>) -> Vec<ProcId> {
    let mut reached = BTreeSet::from([subject.procedure]);
    let mut order = vec![subject.procedure];
    let mut next = 0;
    while let Some(procedure) = order.get(next).copied() {
        next += 1;
        let Some(body) = &subject.program.procedure(procedure).body else { continue };
        ir::for_each_stmt(body, &mut |statement| {
            if let StmtKind::Call { callee, .. } = statement.kind
                && reached.insert(callee)
            {
                order.push(callee);
            }
        });
    }
    order
}

/// The schedule, with what each of its steps did for a pair.
pub(crate) fn plan(pair: Pair<Subject<'_>>, checked: &Checked) -> String {
    let mut text = String::new();
    for step in &checked.plan {
        let outcome = match &step.outcome {
            Outcome::Skipped(why) => format!("skipped: {why}"),
            Outcome::Equivalent => "equivalent".to_owned(),
            Outcome::Different => "different".to_owned(),
            Outcome::Undecided(reasons) if reasons.is_empty() => "no difference found".to_owned(),
            Outcome::Undecided(reasons) => {
                let reasons = reasons.iter().map(|reason| report::reason_text(pair, reason));
                format!("open: {}", reasons.collect::<Vec<_>>().join("; "))
            }
        };
        let (name, share, spent) = (step.strategy.name(), step.share.get(), step.spent.get());
        append(&mut text, &format!("{name:<12} {spent:>12} of {share:>12} steps  {outcome}"));
    }
    text
}

/// Adds a text, and the line break that it may lack.
pub(crate) fn append(shown: &mut String, text: &str) {
    shown.push_str(text);
    if !text.ends_with('\n') {
        shown.push('\n');
    }
}

/// What a check showed, under the name of its pair. SMT-LIB and terms both take `;` as the start of a comment.
pub(crate) fn titled(pair: Pair<Subject<'_>>, shown: &str) -> String {
    let name = &pair.new.procedure().name;
    match shown {
        "" => format!("; {name}: decided before anything of this kind was made\n"),
        shown => format!("; {name}\n{shown}"),
    }
}
