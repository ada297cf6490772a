//! The places at which a procedure asserts something.

use std::collections::BTreeMap;

use ir::{Const, Expr, ProcId, Program, Span, Stmt, StmtKind, for_each_stmt};

use crate::written::CHECKED;

/// A place where a run may find that something does not hold. Copies of one statement, as `finally` makes them, are
/// one site.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Site {
    pub span: Span,
    pub kind: SiteKind,
}

/// What is asserted there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SiteKind {
    /// An assertion of the source.
    Assertion,
    /// A call of the source that fails if something does not hold: its error is one like others, which may be caught.
    Check,
    /// That an error does not happen, by its name.
    NoError(String),
}

impl SiteKind {
    /// Whether it stands in the source.
    pub fn is_written(&self) -> bool {
        match self {
            SiteKind::Assertion | SiteKind::Check => true,
            SiteKind::NoError(_) => false,
        }
    }
}

/// The sites of a procedure, in the order of the text. Implicit ones, that errors do not happen, if they are asked for.
pub fn sites(program: &Program, procedure: ProcId, with_errors: bool) -> Vec<Site> {
    let mut found: BTreeMap<Site, usize> = BTreeMap::new();
    let body = program.procedure(procedure).body.as_deref().unwrap_or_default();
    let mut count = 0;
    for_each_stmt(body, &mut |stmt| {
        count += 1;
        if let Some(site) = site_of(program, stmt)
            && (with_errors || site.kind.is_written())
        {
            found.entry(site).or_insert(count);
        }
    });
    let mut found: Vec<(Site, usize)> = found.into_iter().collect();
    found.sort_by_key(|(site, at)| (site.span.file, site.span.line, site.span.column, *at));
    found.into_iter().map(|(site, _)| site).collect()
}

/// The site that a statement is, if it is one.
pub(crate) fn site_of(program: &Program, stmt: &Stmt) -> Option<Site> {
    if stmt.span.is_nowhere() {
        return None;
    }
    let kind = match &stmt.kind {
        StmtKind::Assert { .. } => SiteKind::Assertion,
        StmtKind::If { then, otherwise, .. } if is_told_assertion(program, stmt.span, then, otherwise) => {
            SiteKind::Assertion
        }
        StmtKind::If { then, otherwise, .. } if otherwise.is_empty() && is_marked(then) => SiteKind::Check,
        StmtKind::Check { error, .. } => SiteKind::NoError(program.error(*error).to_owned()),
        _ => return None,
    };
    Some(Site { span: stmt.span, kind })
}

/// Whether a statement is one of some sites.
pub(crate) fn is_one_of(program: &Program, stmt: &Stmt, sites: &[Site]) -> bool {
    site_of(program, stmt).is_some_and(|site| sites.contains(&site))
}

/// Whether a block fails as the checks do that are put into the text.
fn is_marked(block: &[Stmt]) -> bool {
    let Some(StmtKind::Throw { message: Some(message), .. }) = block.last().map(|stmt| &stmt.kind) else {
        return false;
    };
    let marker = Const::text(CHECKED);
    let mut is_marked = false;
    ir::for_each_subexpr(message, &mut |expr| {
        is_marked |= matches!(expr, Expr::Const(value) if *value == marker);
    });
    is_marked
}

/// Whether a conditional is an assertion of Java whose message is computed: all of it stands at one place, and what it
/// guards ends with the error. A conditional of the source and what it throws stand at two places.
fn is_told_assertion(program: &Program, span: Span, then: &[Stmt], otherwise: &[Stmt]) -> bool {
    let Some((last, _)) = then.split_last() else { return false };
    let StmtKind::Throw { error, .. } = &last.kind else { return false };
    otherwise.is_empty() && last.span == span && program.error(*error) == "AssertionError"
}
