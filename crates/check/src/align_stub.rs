use ir::*;
#[derive(PartialEq)] pub enum MatchKind { Common, Changed }
pub struct StatementMatch { pub old: usize, pub new: usize, pub kind: MatchKind, pub moved: bool }
pub struct Alignment { pub matches: Vec<StatementMatch> }
fn size(b: &[Stmt]) -> usize { let mut n = 0; for_each_stmt(b, &mut |_| n += 1); n }
pub fn align_statements(pair: Pair<(&Program, ProcId)>) -> Alignment {
    let mut matches = vec![];
    let body = |p: (&Program, ProcId)| p.0.procedure(p.1).body.clone().unwrap_or_default();
    let (o, n) = (body(pair.old), body(pair.new));
    lists(&o, 0, &n, 0, &mut matches);
    matches.sort_by_key(|m: &StatementMatch| m.old);
    Alignment { matches }
}
fn key(s: &Stmt) -> String {
    let mut s = vec![s.clone()];
    for_each_stmt_mut(&mut s, &mut |s| s.span = Span::NOWHERE);
    let t = format!("{:?}", s);
    // temps differ
    let mut out = String::new(); let mut rest = t.as_str();
    while let Some(i) = rest.find("Id(") { out += &rest[..i+3]; rest = &rest[i+3..]; rest = rest.trim_start_matches(|c: char| c.is_numeric()); }
    out + rest
}
fn lists(o: &[Stmt], ob: usize, n: &[Stmt], nb: usize, out: &mut Vec<StatementMatch>) {
    let idx = |b: &[Stmt], base: usize| { let mut v = vec![]; let mut k = base; for s in b { v.push(k); k += size(std::slice::from_ref(s)); } v };
    let (oi, ni) = (idx(o, ob), idx(n, nb));
    let (ok, nk): (Vec<_>, Vec<_>) = (o.iter().map(key).collect(), n.iter().map(key).collect());
    let mut t = vec![vec![0; n.len() + 1]; o.len() + 1];
    for i in (0..o.len()).rev() { for j in (0..n.len()).rev() { t[i][j] = if ok[i] == nk[j] { t[i+1][j+1] + 1 } else { t[i+1][j].max(t[i][j+1]) } } }
    let (mut i, mut j) = (0, 0);
    let mut gaps = vec![]; let (mut gi, mut gj) = (0, 0);
    while i < o.len() && j < n.len() {
        if ok[i] == nk[j] {
            for k in 0..size(std::slice::from_ref(&o[i])) { out.push(StatementMatch { old: oi[i] + k, new: ni[j] + k, kind: MatchKind::Common, moved: false }); }
            gaps.push((gi, i, gj, j)); i += 1; j += 1; gi = i; gj = j;
        } else if t[i+1][j] >= t[i][j+1] { i += 1 } else { j += 1 }
    }
    gaps.push((gi, o.len(), gj, n.len()));
    for (a, b, c, d) in gaps {
        let mut y = c;
        for x in a..b {
            let Some(z) = (y..d).find(|z| std::mem::discriminant(&n[*z].kind) == std::mem::discriminant(&o[x].kind) && !blocks(&o[x].kind).is_empty()) else { continue };
            out.push(StatementMatch { old: oi[x], new: ni[z], kind: MatchKind::Changed, moved: false });
            let (mut p, mut q) = (oi[x] + 1, ni[z] + 1);
            for (u, v) in blocks(&o[x].kind).into_iter().zip(blocks(&n[z].kind)) { lists(u, p, v, q, out); p += size(u); q += size(v); }
            y = z + 1;
        }
    }
}
