// Integers of the machine wrap around; those of mathematics do not.

=== a sum does not depend on its order
program java
proc f(a: i32, b: i32) -> i32 { return add.i32(a, b) }
--- new
program java
proc f(a: i32, b: i32) -> i32 { return add.i32(b, a) }
--- verdict
equivalent

=== the midpoint that does not overflow
program java
proc mid(a: i32, b: i32) -> i32 { return div.i32(add.i32(a, b), 2) }
--- new
program java
proc mid(a: i32, b: i32) -> i32 { return add.i32(a, div.i32(sub.i32(b, a), 2)) }
--- verdict
different

=== an increment is larger, in mathematics only
program java
proc f(a: i32) -> bool { return lt.i32(a, add.i32(a, 1)) }
--- new
program java
proc f(a: i32) -> bool { return true }
--- verdict
different

=== an increment is larger in mathematics [math]
program java
proc f(a: i32) -> bool { return lt.i32(a, add.i32(a, 1)) }
--- new
program java
proc f(a: i32) -> bool { return true }
--- verdict
equivalent

=== a rare difference is found by the solver
program java
proc f(a: i32) -> i32 {
  if eq.i32(mul.i32(a, 7919), 1234567) { return 1 }
  return 0
}
--- new
program java
proc f(a: i32) -> i32 { return 0 }
--- verdict
different
