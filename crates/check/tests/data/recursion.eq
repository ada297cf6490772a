// Recursive procedures are compared by induction: their calls are one symbol while the bodies are compared.

=== a recursion whose body was rewritten
program java
proc f(n: i32) -> i32 {
  var r: i32
  if le.i32(n, 0) { return 0 }
  r = call f(sub.i32(n, 1))
  return add.i32(r, mul.i32(n, 2))
}
--- new
program java
proc f(n: i32) -> i32 {
  var r: i32
  if lt.i32(0, n) {
    r = call f(add.i32(n, -1))
    return add.i32(add.i32(n, n), r)
  }
  return 0
}
--- verdict
equivalent by same-symbol

=== mutual recursion
program java
proc even(n: i32) -> bool { var r: bool if eq.i32(n, 0) { return true } r = call odd(sub.i32(n, 1)) return r }
proc odd(n: i32) -> bool { var r: bool if eq.i32(n, 0) { return false } r = call even(sub.i32(n, 1)) return r }
--- new
program java
proc even(n: i32) -> bool { var r: bool if eq.i32(0, n) { return true } r = call odd(add.i32(n, -1)) return r }
proc odd(n: i32) -> bool { var r: bool if eq.i32(0, n) { return false } r = call even(add.i32(n, -1)) return r }
--- verdict
equivalent by same-symbol

=== the calls agree, but what is done with them does not
program java
proc f(n: i32) -> i32 {
  var r: i32
  if le.i32(n, 0) { return 0 }
  r = call f(sub.i32(n, 1))
  return add.i32(r, 1)
}
--- new
program java
proc f(n: i32) -> i32 {
  var r: i32
  if le.i32(n, 0) { return 0 }
  r = call f(sub.i32(n, 1))
  return add.i32(r, 2)
}
--- verdict
different

=== a recursion that prints and fails
program java
error E
global g: i32 = 0
proc f(n: i32) -> i32 {
  var r: i32
  check ne.i32(n, g) else E
  if le.i32(n, 0) { return 0 }
  print text_of_int.i32(n)
  g = add.i32(g, n)
  r = call f(sub.i32(n, 2))
  return mul.i32(r, 2)
}
--- new
program java
error E
global g: i32 = 0
proc f(n: i32) -> i32 {
  var r: i32
  check ne.i32(n, g) else E
  if lt.i32(n, 1) { return 0 }
  print text_of_int.i32(n)
  g = add.i32(n, g)
  r = call f(add.i32(n, -2))
  return add.i32(r, r)
}
--- verdict
equivalent by same-symbol

=== the order of printing and calling is part of what is done
program java
proc f(n: i32) {
  if le.i32(n, 0) { return }
  print text_of_int.i32(n)
  call f(sub.i32(n, 1))
}
--- new
program java
proc f(n: i32) {
  if le.i32(n, 0) { return }
  call f(sub.i32(n, 1))
  print text_of_int.i32(n)
}
--- verdict
different

=== another base case with the same value [math]
program java
proc f(n: i32) -> i32 {
  var r: i32
  if le.i32(n, 0) { return n }
  r = call f(sub.i32(n, 1))
  return add.i32(n, r)
}
--- new
program java
proc f(n: i32) -> i32 {
  var r: i32
  if le.i32(n, 1) { return n }
  r = call f(sub.i32(n, 1))
  return add.i32(n, r)
}
--- verdict
equivalent by same-symbol

=== another base case with another value [math]
program java
proc f(n: i32) -> i32 {
  var r: i32
  if le.i32(n, 0) { return n }
  r = call f(sub.i32(n, 1))
  return add.i32(n, r)
}
--- new
program java
proc f(n: i32) -> i32 {
  var r: i32
  if le.i32(n, 2) { return n }
  r = call f(sub.i32(n, 1))
  return add.i32(n, r)
}
--- verdict
different

=== a recursion that gets what no input is [math]
program c
proc f(n: u32, k: u32) -> u32 {
  var r: u32
  if eq.u32(k, 0) { if lt.u32(n, 0) { return 1 } return 0 }
  r = call f(sub.u32(n, 1), sub.u32(k, 1))
  return r
}
--- new
program c
proc f(n: u32, k: u32) -> u32 {
  var r: u32
  if eq.u32(k, 0) { if lt.u32(n, 0) { return 2 } return 0 }
  r = call f(sub.u32(n, 1), sub.u32(k, 1))
  return r
}
--- verdict
different

=== a call passes a constant object, which no input is
program java
region r: i32
shape S: fields(r)
const static T: S = {5}
proc f(a: ref S, n: i32) -> i32 {
  var x: i32
  if le.i32(n, 0) { if same_ref(a, &T) { return 1 } return 0 }
  x = call f(&T, sub.i32(n, 1))
  return x
}
--- new
program java
region r: i32
shape S: fields(r)
const static T: S = {5}
proc f(a: ref S, n: i32) -> i32 {
  var x: i32
  if le.i32(n, 0) { return 0 }
  x = call f(&T, sub.i32(n, 1))
  return x
}
--- verdict
different

=== a call passes an object of a class that only the old version has
program java
region r: i32
shape S: fields(r)
shape A: fields(r) < S
shape B: fields(r) < S
proc f(a: ref S, n: i32) -> i32 {
  var x: i32
  var b: ref S
  if le.i32(n, 0) { if has_shape(a, B) { return 1 } return 0 }
  b = new B
  x = call f(b, sub.i32(n, 1))
  return x
}
--- new
program java
region r: i32
shape S: fields(r)
shape A: fields(r) < S
proc f(a: ref S, n: i32) -> i32 {
  var x: i32
  var b: ref S
  if le.i32(n, 0) { return 0 }
  b = new A
  x = call f(b, sub.i32(n, 1))
  return x
}
--- verdict
different

=== a recursion over a text of C
program c
region i8: i64 -> i8
shape i8[]: indexed(i8)
error E
proc len(p: (ref i8[], i64)) -> i32 {
  var r: i32
  check not(same_ref(get.0(p), null)) else E
  check le.i64(0, get.1(p)) else E
  check lt.i64(get.1(p), length.i64(get.0(p))) else E
  if eq.i8(load i8(get.0(p), get.1(p)), 0) { return 0 }
  r = call len(record(get.0(p), add.i64(get.1(p), 1)))
  return add.i32(r, 1)
}
--- new
program c
region i8: i64 -> i8
shape i8[]: indexed(i8)
error E
proc len(p: (ref i8[], i64)) -> i32 {
  var r: i32
  check not(same_ref(get.0(p), null)) else E
  check le.i64(0, get.1(p)) else E
  check lt.i64(get.1(p), length.i64(get.0(p))) else E
  if ne.i8(load i8(get.0(p), get.1(p)), 0) {
    r = call len(record(get.0(p), add.i64(1, get.1(p))))
    r = add.i32(1, r)
  }
  return r
}
--- verdict
equivalent by same-symbol

=== a recursion that gets a pointer into the middle of an object
program c
region i8: i64 -> i8
shape i8[]: indexed(i8)
proc f(p: (ref i8[], i64), n: i32) -> i32 {
  var r: i32
  if le.i32(n, 0) { return 0 }
  r = call f(record(get.0(p), 3), sub.i32(n, 1))
  return r
}
--- new
program c
region i8: i64 -> i8
shape i8[]: indexed(i8)
proc f(p: (ref i8[], i64), n: i32) -> i32 {
  var r: i32
  if le.i32(n, 0) { if eq.i64(get.1(p), 0) { return 0 } return 1 }
  r = call f(record(get.0(p), 3), sub.i32(n, 1))
  return r
}
--- verdict
different
