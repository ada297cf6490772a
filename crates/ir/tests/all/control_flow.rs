//! The control-flow view: locations, edges and dominators of small procedures.

use arbitrary_ir::{Config, program};
use expect_test::{Expect, expect};
use ir::{ControlFlow, Edge, Location, ProcId, Program, StmtKind, read_program, validate};
use petgraph::graph::NodeIndex;

fn read(text: &str) -> Program {
    let program =
        read_program(&format!("program c error E error F {text}")).unwrap_or_else(|error| panic!("{error}"));
    validate(&program).unwrap_or_else(|faults| panic!("{}", faults[0]));
    program
}

fn check(text: &str, expect: Expect) {
    let program = read(text);
    let flow = ControlFlow::of(&program, ProcId(0));
    expect.assert_eq(&flow.text(&program, &program.procedures[0]));
}

const LOOP: &str = "proc f(n: i32) -> i32 {
    var i: i32
    loop L0 {
      if le.i32(n, i) { break L0 }
      i = add.i32(i, 1)
      if eq.i32(i, 3) { continue L0 } else { print \"x\" }
    }
    return i
  }";

#[test]
fn loops_go_back_to_their_head() {
    check(
        LOOP,
        expect![[r#"
            0: entry -> 2
            1: exit
            2: loop L0 -> 3
            3: if le.i32(n, i) -> 4 if true, 5 if false
            4: break L0 -> 9
            5: i = add.i32(i, 1) -> 6
            6: if eq.i32(i, 3) -> 7 if true, 8 if false
            7: continue L0 -> 2
            8: print "x" -> 2
            9: return i -> 1
        "#]],
    );
}

#[test]
fn errors_go_to_the_first_handler_that_takes_them() {
    check(
        "proc f(b: bool) {
          try {
            try {
              check b else E
              check b else F
              call g()
            } catch F { throw F }
            assert b else E
          } catch E {} catch any { return }
          throw E
          print \"dead\"
        }
        proc g() { try { throw F } catch any {} check true else E call rand() }
        extern proc rand()",
        expect![[r#"
            0: entry -> 2
            1: exit
            2: try -> 5
            3: catch -> 13
            4: catch -> 12
            5: try -> 7
            6: catch -> 10
            7: check b else E -> 3 on E, 8
            8: check b else F -> 6 on F, 9
            9: call g() -> 3 on E, 6 on F, 11
            10: throw F -> 4 on F
            11: assert b else E -> 3 on E, 13
            12: return -> 1
            13: throw E -> 1 on E
            14: print "dead" -> 1
        "#]],
    );
}

#[test]
fn scopes_end_where_their_breaks_go() {
    check(
        "proc f(b: bool) {
          scope L0 { if b { break L0 } unsupported \"x\" }
        }",
        expect![[r#"
            0: entry -> 2
            1: exit
            2: scope L0 -> 3
            3: if b -> 4 if true, 5 if false
            4: break L0 -> 1
            5: unsupported "x" -> 1
        "#]],
    );
}

#[test]
fn dominators_and_back_edges_show_the_loop() {
    let program = read(LOOP);
    let flow = ControlFlow::of(&program, ProcId(0));
    let node = NodeIndex::new;
    let dominators = flow.dominators();
    assert_eq!(dominators.immediate_dominator(node(5)), Some(node(3)));
    assert_eq!(dominators.immediate_dominator(node(9)), Some(node(4)));
    let post_dominators = flow.post_dominators();
    assert_eq!(post_dominators.immediate_dominator(node(6)), Some(node(2)));
    assert_eq!(post_dominators.immediate_dominator(node(5)), Some(node(6)));
    assert_eq!(post_dominators.immediate_dominator(node(3)), Some(node(4)));
    let back: Vec<_> =
        flow.back_edges().into_iter().map(|edge| flow.graph.edge_endpoints(edge).unwrap()).collect();
    assert_eq!(back, [(node(7), node(2)), (node(8), node(2))]);
    let loops: Vec<_> = flow.components().into_iter().filter(|component| component.len() > 1).collect();
    assert_eq!(loops, [[2, 3, 5, 6, 7, 8].map(node)]);
}

#[test]
fn what_does_not_end_has_no_post_dominator() {
    let program = read("proc f(b: bool) { if b { loop L0 {} } }");
    let flow = ControlFlow::of(&program, ProcId(0));
    let endless = flow.graph.node_indices().find(
        |node| matches!(flow.graph[*node], Location::Stmt(stmt) if matches!(stmt.kind, StmtKind::Loop { .. })),
    );
    assert_eq!(flow.post_dominators().immediate_dominator(endless.unwrap()), None);
}

#[test]
fn generated_procedures_have_well_formed_graphs() {
    for seed in 0..300 {
        let program = program(seed, &Config::everything());
        for index in 0..program.procedures.len() {
            let flow = ControlFlow::of(&program, ProcId::from_index(index));
            for node in flow.graph.node_indices() {
                let mut edges: Vec<Edge> = flow.graph.edges(node).map(|edge| *edge.weight()).collect();
                edges.retain(|edge| !matches!(edge, Edge::Raise(_)));
                edges.sort();
                let expected: &[Edge] = match flow.graph[node] {
                    Location::Exit => &[],
                    Location::Entry | Location::Catch(_) => &[Edge::Next],
                    Location::Stmt(stmt) => match stmt.kind {
                        StmtKind::If { .. } => &[Edge::True, Edge::False],
                        StmtKind::Throw { .. } => &[],
                        _ => &[Edge::Next],
                    },
                };
                assert_eq!(edges, expected, "seed {seed}, {:?}", flow.graph[node]);
            }
            // The loops of the language have one way in, so that each circle has a back edge.
            let back = flow.back_edges();
            let mut acyclic = flow.graph.clone();
            acyclic.retain_edges(|_, edge| !back.contains(&edge));
            let reached = flow.dominators();
            acyclic.retain_nodes(|_, node| node == flow.entry || reached.immediate_dominator(node).is_some());
            assert!(!petgraph::algo::is_cyclic_directed(&acyclic), "seed {seed}");
        }
    }
}
