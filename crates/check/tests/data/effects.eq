// Errors, output, globals and the heap are observable.

=== which error it is matters
program java
error ArithmeticException
error IllegalStateException
proc f(a: i32) -> i32 { check ne.i32(a, 0) else ArithmeticException
 return 1 }
--- new
program java
error ArithmeticException
error IllegalStateException
proc f(a: i32) -> i32 { check ne.i32(a, 0) else IllegalStateException
 return 1 }
--- verdict
different

=== output in pieces is the same output
program java
proc f(a: i32) { print "a" print "b" }
--- new
program java
proc f(a: i32) { print "ab" }
--- verdict
equivalent

=== a global that is written twice
program java
global G: i32 = 0
proc f(a: i32) { G = 1 G = a }
--- new
program java
global G: i32 = 0
proc f(a: i32) { G = a }
--- verdict
equivalent

=== a global that only one version writes
program java
global G: i32 = 0
proc f(a: i32) { }
--- new
program java
global G: i32 = 0
proc f(a: i32) { if eq.i32(a, 77) { G = 1 } }
--- verdict
different

=== fields of two objects that may be the same
program java
error NullPointerException
region P.x: i32
shape P: fields(P.x)
proc f(p: ref P, q: ref P) -> i32 {
  check not(same_ref(p, null)) else NullPointerException
  check not(same_ref(q, null)) else NullPointerException
  store P.x(p) = 1
  store P.x(q) = 2
  return load P.x(p)
}
--- new
program java
error NullPointerException
region P.x: i32
shape P: fields(P.x)
proc f(p: ref P, q: ref P) -> i32 {
  check not(same_ref(p, null)) else NullPointerException
  check not(same_ref(q, null)) else NullPointerException
  store P.x(q) = 2
  store P.x(p) = 1
  return load P.x(p)
}
--- verdict
different

=== the assumption that leaves nothing proves nothing
program java
proc f(a: i32) -> i32 { assume lt.i32(a, a) return 1 }
--- new
program java
proc f(a: i32) -> i32 { assume lt.i32(a, a) return 2 }
--- verdict
unknown: Vacuous

=== a global that the old version does not have
program java
proc f(a: i32) { a = 5 }
--- new
program java
global G: i32 = 0
proc f(a: i32) { G = 5 }
--- verdict
different

=== undefined behaviour is one outcome, whatever it is called
program c
error `out of bounds`
error `null dereference`
proc f(a: i32) { check ne.i32(a, 0) else `out of bounds` }
--- new
program c
error `out of bounds`
error `null dereference`
proc f(a: i32) { print "" check ne.i32(a, 0) else `null dereference` }
--- verdict
equivalent

=== undefined behaviour of one version alone is a difference
program c
error `out of bounds`
proc f(a: i32) { check ne.i32(a, 0) else `out of bounds` }
--- new
program c
error `out of bounds`
proc f(a: i32) { check ne.i32(a, 1) else `out of bounds` }
--- verdict
different
