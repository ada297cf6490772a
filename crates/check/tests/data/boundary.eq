// Unchanged code around changed callees: the difference dies where only that is used on which both versions agree.

=== only whether a count is zero is used, in a loop
program java
proc client(n: i32) -> i32 {
  var i: i32
  var s: i32
  var t: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    t = call lib(i)
    if eq.i32(t, 0) { s = add.i32(s, i) }
    i = add.i32(i, 1)
  }
  return s
}
proc lib(a: i32) -> i32 {
  var i: i32
  var c: i32
  i = 2
  loop L0 {
    if le.i32(a, i) { break L0 }
    if eq.i32(and.i32(a, i), 0) { c = add.i32(c, 1) }
    i = add.i32(i, 1)
  }
  return c
}
--- new
program java
proc client(n: i32) -> i32 {
  var i: i32
  var s: i32
  var t: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    t = call lib(i)
    if eq.i32(t, 0) { s = add.i32(s, i) }
    i = add.i32(i, 1)
  }
  return s
}
proc lib(a: i32) -> i32 {
  var i: i32
  var c: i32
  i = 2
  loop L0 {
    if le.i32(a, i) { break L0 }
    if eq.i32(and.i32(a, i), 0) { c = 1 }
    i = add.i32(i, 1)
  }
  return c
}
--- verdict
equivalent

=== the count itself is used
program java
proc client(n: i32) -> i32 {
  var t: i32
  t = call lib(n)
  if eq.i32(t, 0) { return 0 }
  return t
}
proc lib(a: i32) -> i32 { if lt.i32(a, 5) { return 0 } return 2 }
--- new
program java
proc client(n: i32) -> i32 {
  var t: i32
  t = call lib(n)
  if eq.i32(t, 0) { return 0 }
  return t
}
proc lib(a: i32) -> i32 { if lt.i32(a, 5) { return 0 } return 1 }
--- verdict
different

=== what differs is never passed
program java
proc client(n: i32) -> i32 {
  var x: i32
  var t: i32
  x = and.i32(n, 255)
  t = call lib(x)
  return add.i32(t, n)
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { return 0 } return mul.i32(a, a) }
--- new
program java
proc client(n: i32) -> i32 {
  var x: i32
  var t: i32
  x = and.i32(n, 255)
  t = call lib(x)
  return add.i32(t, n)
}
proc lib(a: i32) -> i32 { return mul.i32(a, a) }
--- verdict
equivalent by boundary

=== the difference passes through an unchanged procedure in between and dies there
program java
proc client(n: i32) -> i32 { var a: i32 var b: i32 a = call mid(n) b = call mid(add.i32(n, 1)) return mul.i32(a, b) }
proc mid(n: i32) -> i32 { var t: i32 t = call lib(n) if lt.i32(t, 0) { return 1 } return 2 }
proc lib(a: i32) -> i32 { if lt.i32(a, 7) { return -3 } return a }
--- new
program java
proc client(n: i32) -> i32 { var a: i32 var b: i32 a = call mid(n) b = call mid(add.i32(n, 1)) return mul.i32(a, b) }
proc mid(n: i32) -> i32 { var t: i32 t = call lib(n) if lt.i32(t, 0) { return 1 } return 2 }
proc lib(a: i32) -> i32 { if lt.i32(a, 7) { return -4 } return a }
--- verdict
equivalent by boundary

=== a loop that a changed callee ends
program java
proc client(n: i32) -> i32 {
  var i: i32
  var t: i32
  loop L0 {
    t = call lib(i)
    if lt.i32(9, t) { break L0 }
    if le.i32(n, i) { return i }
    i = add.i32(i, 1)
  }
  return -1
}
proc lib(a: i32) -> i32 { if lt.i32(a, 7) { return 3 } return 10 }
--- new
program java
proc client(n: i32) -> i32 {
  var i: i32
  var t: i32
  loop L0 {
    t = call lib(i)
    if lt.i32(9, t) { break L0 }
    if le.i32(n, i) { return i }
    i = add.i32(i, 1)
  }
  return -1
}
proc lib(a: i32) -> i32 { if lt.i32(a, 7) { return 4 } return 11 }
--- verdict
equivalent by boundary

=== a client that calls itself
program java
proc client(n: i32) -> i32 {
  var t: i32
  var r: i32
  if le.i32(n, 0) { return 0 }
  t = call lib(n)
  if eq.i32(t, 0) { n = sub.i32(n, 1) }
  r = call client(sub.i32(n, 1))
  return add.i32(r, n)
}
proc lib(a: i32) -> i32 { return and.i32(a, 1) }
--- new
program java
proc client(n: i32) -> i32 {
  var t: i32
  var r: i32
  if le.i32(n, 0) { return 0 }
  t = call lib(n)
  if eq.i32(t, 0) { n = sub.i32(n, 1) }
  r = call client(sub.i32(n, 1))
  return add.i32(r, n)
}
proc lib(a: i32) -> i32 { return mul.i32(and.i32(a, 1), 5) }
--- verdict
equivalent by boundary

=== a constant that the client reads changed as well
program java
const global k: i32 = 1
proc client(n: i32) -> i32 { var t: i32 t = call lib(n) if eq.i32(t, 0) { return k } return 2 }
proc lib(a: i32) -> i32 { return and.i32(a, 1) }
--- new
program java
const global k: i32 = 3
proc client(n: i32) -> i32 { var t: i32 t = call lib(n) if eq.i32(t, 0) { return k } return 2 }
proc lib(a: i32) -> i32 { return mul.i32(and.i32(a, 1), 5) }
--- verdict
different

=== a callee that leaves something behind
program java
global g: i32 = 0
proc client(n: i32) -> i32 { var t: i32 t = call lib(n) if eq.i32(t, 0) { return 1 } return 2 }
proc lib(a: i32) -> i32 { g = a return and.i32(a, 1) }
--- new
program java
global g: i32 = 0
proc client(n: i32) -> i32 { var t: i32 t = call lib(n) if eq.i32(t, 0) { return 1 } return 2 }
proc lib(a: i32) -> i32 { return mul.i32(and.i32(a, 1), 5) }
--- verdict
different

=== a callee that prints
program java
proc client(n: i32) -> i32 { var t: i32 t = call lib(n) if eq.i32(t, 0) { return 1 } return 2 }
proc lib(a: i32) -> i32 { print "a" return and.i32(a, 1) }
--- new
program java
proc client(n: i32) -> i32 { var t: i32 t = call lib(n) if eq.i32(t, 0) { return 1 } return 2 }
proc lib(a: i32) -> i32 { return mul.i32(and.i32(a, 1), 5) }
--- verdict
different

=== a handler sees how far the callee's client got
program java
error E
proc client(n: i32) -> i32 {
  var x: i32
  var t: i32
  try {
    x = 1
    t = call lib(n)
    x = 2
  } catch any { t = 0 }
  return x
}
proc lib(a: i32) -> i32 { check ne.i32(a, 3) else E return 0 }
--- new
program java
error E
proc client(n: i32) -> i32 {
  var x: i32
  var t: i32
  try {
    x = 1
    t = call lib(n)
    x = 2
  } catch any { t = 0 }
  return x
}
proc lib(a: i32) -> i32 { check ne.i32(a, 4) else E return 0 }
--- verdict
different

=== a call gives what no input is [math]
program c
proc client(n: i32) -> i32 { var t: i32 t = call lib(convert.i32.u32(n)) if eq.i32(t, 0) { return 1 } return 2 }
proc lib(a: u32) -> i32 { if lt.u32(a, 0) { return 1 } return 0 }
--- new
program c
proc client(n: i32) -> i32 { var t: i32 t = call lib(convert.i32.u32(n)) if eq.i32(t, 0) { return 1 } return 2 }
proc lib(a: u32) -> i32 { return 0 }
--- verdict
different

=== a call gives a pointer into the middle of an object
program c
region i8: i64 -> i8
shape i8[]: indexed(i8)
proc client(p: (ref i8[], i64)) -> i32 {
  var t: i32
  t = call lib(record(get.0(p), add.i64(get.1(p), 1)))
  if eq.i32(t, 0) { return 1 }
  return 2
}
proc lib(q: (ref i8[], i64)) -> i32 { return 0 }
--- new
program c
region i8: i64 -> i8
shape i8[]: indexed(i8)
proc client(p: (ref i8[], i64)) -> i32 {
  var t: i32
  t = call lib(record(get.0(p), add.i64(get.1(p), 1)))
  if eq.i32(t, 0) { return 1 }
  return 2
}
proc lib(q: (ref i8[], i64)) -> i32 { if eq.i64(get.1(q), 0) { return 0 } return 1 }
--- verdict
different
