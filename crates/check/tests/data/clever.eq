// Clients of changed libraries, path by path: only what the client can reach counts, and all of it does.

=== the client never passes what differs
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(0, x) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { return neg.i32(a) } return a }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(0, x) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { return 0 } return a }
--- verdict
equivalent by clever, bounded

=== the client passes one value that differs
program java
proc client(x: i32) -> i32 {
  var r: i32
  if le.i32(-1, x) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { return neg.i32(a) } return a }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if le.i32(-1, x) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { return 0 } return a }
--- verdict
different by clever, bounded

=== the difference starts where the client's paths part
program java
proc client(x: i32) -> i32 {
  var r: i32
  if ne.i32(x, 100000) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { if le.i32(a, 100000) { return 1 } return 2 }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if ne.i32(x, 100000) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 100000) { return 1 } return 2 }
--- verdict
equivalent by clever

=== the difference is at a value that one path of the client lets through
program java
proc client(x: i32) -> i32 {
  var r: i32
  if ne.i32(x, 100001) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { if le.i32(a, 100000) { return 1 } return 2 }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if ne.i32(x, 100001) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 100000) { return 1 } return 2 }
--- verdict
different by clever

=== the client uses only the sign
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  if lt.i32(0, r) { return 1 }
  return 0
}
proc lib(a: i32) -> i32 { if lt.i32(5, a) { return 1 } return 0 }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  if lt.i32(0, r) { return 1 }
  return 0
}
proc lib(a: i32) -> i32 { if lt.i32(5, a) { return a } return -3 }
--- verdict
equivalent by clever, bounded

=== the client uses only the sign, which wraps around
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  if lt.i32(0, r) { return 1 }
  return 0
}
proc lib(a: i32) -> i32 { if lt.i32(5, a) { return 1 } return 0 }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  if lt.i32(0, r) { return 1 }
  return 0
}
proc lib(a: i32) -> i32 { if lt.i32(5, a) { return add.i32(a, 1) } return 0 }
--- verdict
different by clever

=== the client ignores the result
program java
global G: i32 = 0
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return x
}
proc lib(a: i32) -> i32 { G = a return 1 }
--- new
program java
global G: i32 = 0
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return x
}
proc lib(a: i32) -> i32 { G = a return 2 }
--- verdict
equivalent by clever

=== the client ignores the result, but not what the call leaves behind
program java
global G: i32 = 0
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return x
}
proc lib(a: i32) -> i32 { G = a return 1 }
--- new
program java
global G: i32 = 0
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return x
}
proc lib(a: i32) -> i32 { if ne.i32(a, 9) { G = a } return 1 }
--- verdict
different by clever

=== the client ignores the result, but not that the call fails
program java
error E
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return x
}
proc lib(a: i32) -> i32 { return 1 }
--- new
program java
error E
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return x
}
proc lib(a: i32) -> i32 { check ne.i32(a, 12345) else E return 1 }
--- verdict
different by clever

=== the client catches what one version throws
program java
error E
proc client(x: i32) -> i32 {
  var r: i32
  try { r = call lib(x) } catch E { r = 7 }
  return r
}
proc lib(a: i32) -> i32 { if eq.i32(a, 3) { return 7 } return a }
--- new
program java
error E
proc client(x: i32) -> i32 {
  var r: i32
  try { r = call lib(x) } catch E { r = 7 }
  return r
}
proc lib(a: i32) -> i32 { check ne.i32(a, 3) else E return a }
--- verdict
equivalent by clever

=== a loop in the library that the client lets run four times
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 5) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(a, i) { break L0 }
    s = add.i32(s, add.i32(i, 1))
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 5) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var s: i32
  loop L0 {
    if le.i32(a, 0) { break L0 }
    s = add.i32(s, a)
    a = sub.i32(a, 1)
  }
  return s
}
--- verdict
equivalent by clever, bounded

=== a loop in the library that the client lets run eight times [deep]
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 9) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(a, i) { break L0 }
    s = add.i32(s, add.i32(i, 1))
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 9) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var s: i32
  loop L0 {
    if le.i32(a, 0) { break L0 }
    s = add.i32(s, a)
    a = sub.i32(a, 1)
  }
  return s
}
--- verdict
equivalent by clever

=== a loop in the library that is wrong in its last iteration alone [deep]
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 21) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(a, i) { break L0 }
    s = add.i32(s, add.i32(i, 1))
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 21) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var s: i32
  loop L0 {
    if le.i32(a, 0) { break L0 }
    s = add.i32(s, a)
    a = sub.i32(a, 1)
  }
  if eq.i32(s, 210) { return 0 }
  return s
}
--- verdict
different by clever

=== a difference far beyond what is unrolled
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 5000) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(a, i) { break L0 }
    s = add.i32(s, 1)
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 5000) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var s: i32
  loop L0 {
    if le.i32(a, 0) { break L0 }
    s = add.i32(s, 1)
    a = sub.i32(a, 1)
  }
  if eq.i32(s, 4999) { return 0 }
  return s
}
--- verdict
different

=== a loop of the client with a constant count around branches of the library
program java
proc client(x: i32) -> i32 {
  var i: i32
  var s: i32
  var t: i32
  loop L0 {
    if le.i32(3, i) { break L0 }
    t = call lib(x, i)
    s = add.i32(s, t)
    i = add.i32(i, 1)
  }
  return s
}
proc lib(a: i32, b: i32) -> i32 { if lt.i32(a, b) { return a } return b }
--- new
program java
proc client(x: i32) -> i32 {
  var i: i32
  var s: i32
  var t: i32
  loop L0 {
    if le.i32(3, i) { break L0 }
    t = call lib(x, i)
    s = add.i32(s, t)
    i = add.i32(i, 1)
  }
  return s
}
proc lib(a: i32, b: i32) -> i32 { if le.i32(b, a) { return b } return a }
--- verdict
equivalent by clever

=== unknown code chooses the path
program java
proc client(x: i32) -> i32 {
  var t: i32
  t = call outside(x)
  if lt.i32(t, 0) { return 0 }
  t = call lib(t)
  return t
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { return neg.i32(a) } return a }
extern proc outside(n: i32) -> i32
--- new
program java
proc client(x: i32) -> i32 {
  var t: i32
  t = call outside(x)
  if lt.i32(t, 0) { return 0 }
  t = call lib(t)
  return t
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { return 0 } return a }
extern proc outside(n: i32) -> i32
--- verdict
equivalent by clever

=== unknown code chooses the path, and may choose the one that differs
program java
proc client(x: i32) -> i32 {
  var t: i32
  t = call outside(x)
  if lt.i32(t, -1) { return 0 }
  t = call lib(t)
  return t
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { return neg.i32(a) } return a }
extern proc outside(n: i32) -> i32
--- new
program java
proc client(x: i32) -> i32 {
  var t: i32
  t = call outside(x)
  if lt.i32(t, -1) { return 0 }
  t = call lib(t)
  return t
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { return 0 } return a }
extern proc outside(n: i32) -> i32
--- verdict
different

=== unknown code is called once more on one path
program java
proc client(x: i32) -> i32 {
  var t: i32
  t = call outside(x)
  if lt.i32(t, 0) { return 0 }
  t = call lib(t)
  return t
}
proc lib(a: i32) -> i32 { return a }
extern proc outside(n: i32) -> i32
--- new
program java
proc client(x: i32) -> i32 {
  var t: i32
  t = call outside(x)
  if lt.i32(t, 0) { return 0 }
  t = call lib(t)
  return t
}
proc lib(a: i32) -> i32 { if eq.i32(a, 4) { call outside(a) } return a }
extern proc outside(n: i32) -> i32
--- verdict
different

=== recursion in the library that the client lets go three deep
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 4) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var t: i32
  if le.i32(a, 0) { return 0 }
  t = call lib(sub.i32(a, 1))
  return add.i32(t, a)
}
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 4) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(a, i) { break L0 }
    s = add.i32(s, add.i32(i, 1))
    i = add.i32(i, 1)
  }
  return s
}
--- verdict
equivalent by clever

=== recursion in the library, one too many
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 4) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var t: i32
  if le.i32(a, 0) { return 0 }
  t = call lib(sub.i32(a, 1))
  return add.i32(t, a)
}
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 4) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(a, i) { break L0 }
    s = add.i32(s, add.i32(i, 1))
    i = add.i32(i, 1)
  }
  if eq.i32(a, 3) { return 5 }
  return s
}
--- verdict
different by clever

=== a cell that the client may have written decides
program java
error NullPointerException
error ArrayIndexOutOfBoundsException
region int[]: i32 -> i32
shape int[]: indexed(int[])
proc client(v: ref int[], k: i32) -> i32 {
  var r: i32
  check not(same_ref(v, null)) else NullPointerException
  check and(le.i32(0, k), lt.i32(k, length.i32(v))) else ArrayIndexOutOfBoundsException
  store int[](v, k) = 5
  r = call lib(load int[](v, 0))
  return r
}
proc lib(a: i32) -> i32 { if eq.i32(a, 5) { return 1 } return 0 }
--- new
program java
error NullPointerException
error ArrayIndexOutOfBoundsException
region int[]: i32 -> i32
shape int[]: indexed(int[])
proc client(v: ref int[], k: i32) -> i32 {
  var r: i32
  check not(same_ref(v, null)) else NullPointerException
  check and(le.i32(0, k), lt.i32(k, length.i32(v))) else ArrayIndexOutOfBoundsException
  store int[](v, k) = 5
  r = call lib(load int[](v, 0))
  return r
}
proc lib(a: i32) -> i32 { if ne.i32(a, 5) { return 0 } return 1 }
--- verdict
equivalent by clever

=== a cell that the client may have written, or not
program java
error NullPointerException
error ArrayIndexOutOfBoundsException
region int[]: i32 -> i32
shape int[]: indexed(int[])
proc client(v: ref int[], k: i32) -> i32 {
  var r: i32
  check not(same_ref(v, null)) else NullPointerException
  check and(le.i32(0, k), lt.i32(k, length.i32(v))) else ArrayIndexOutOfBoundsException
  store int[](v, k) = 5
  r = call lib(load int[](v, 0))
  return r
}
proc lib(a: i32) -> i32 { if eq.i32(a, 5) { return 1 } return 0 }
--- new
program java
error NullPointerException
error ArrayIndexOutOfBoundsException
region int[]: i32 -> i32
shape int[]: indexed(int[])
proc client(v: ref int[], k: i32) -> i32 {
  var r: i32
  check not(same_ref(v, null)) else NullPointerException
  check and(le.i32(0, k), lt.i32(k, length.i32(v))) else ArrayIndexOutOfBoundsException
  store int[](v, k) = 5
  r = call lib(load int[](v, 0))
  return r
}
proc lib(a: i32) -> i32 { return 1 }
--- verdict
different by clever

=== a test of floats chooses the path
program java
proc client(x: f64) -> i32 {
  var r: i32
  if lt.f64(x, 1.0) { r = call lib(x) }
  return r
}
proc lib(a: f64) -> i32 { if lt.f64(a, 2.0) { return 1 } return 2 }
--- new
program java
proc client(x: f64) -> i32 {
  var r: i32
  if lt.f64(x, 1.0) { r = call lib(x) }
  return r
}
proc lib(a: f64) -> i32 { if le.f64(2.0, a) { return 2 } return 1 }
--- verdict
equivalent by clever

=== a test of floats that is not a number
program java
proc client(x: f64) -> i32 {
  var r: i32
  r = call lib(x)
  return r
}
proc lib(a: f64) -> i32 { if lt.f64(a, 2.0) { return 1 } return 2 }
--- new
program java
proc client(x: f64) -> i32 {
  var r: i32
  r = call lib(x)
  return r
}
proc lib(a: f64) -> i32 { if le.f64(2.0, a) { return 2 } return 1 }
--- verdict
different by clever

=== no input takes any path
program java
proc client(x: i32) -> i32 {
  var r: i32
  assume lt.i32(x, x)
  r = call lib(x)
  return r
}
proc lib(a: i32) -> i32 { return 1 }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  assume lt.i32(x, x)
  r = call lib(x)
  return r
}
proc lib(a: i32) -> i32 { return 2 }
--- verdict
unknown: Vacuous by clever

=== what is assumed keeps the client from what differs
program java
proc client(x: i32) -> i32 {
  var r: i32
  assume lt.i32(0, x)
  r = call lib(x)
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { return neg.i32(a) } return a }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  assume lt.i32(0, x)
  r = call lib(x)
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { return 0 } return a }
--- verdict
equivalent by clever

=== one path of the library has no meaning
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  if lt.i32(0, r) { return 1 }
  return 0
}
proc lib(a: i32) -> i32 { if eq.i32(a, 77) { unsupported "inline assembly" } return 1 }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  if lt.i32(0, r) { return 1 }
  return 0
}
proc lib(a: i32) -> i32 { return 1 }
--- verdict
unknown: Unsupported by clever

=== the client keeps away from the path without meaning
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 77) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { if eq.i32(a, 77) { unsupported "inline assembly" } return 1 }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(x, 77) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { return 1 }
--- verdict
equivalent by clever

=== a path that goes on forever in both versions
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { loop L0 { if lt.i32(0, a) { break L0 } } } return a }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { loop L0 { if lt.i32(0, a) { break L0 } } } return add.i32(a, 0) }
--- verdict
equivalent by clever

=== the paths that end are not the same
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { loop L0 { if lt.i32(0, a) { break L0 } } } return a }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { loop L0 { if lt.i32(0, a) { break L0 } } } return if(eq.i32(a, 6), 7, a) }
--- verdict
different by clever

=== a path that goes on forever in one version [total]
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(a, 0) { loop L0 { if lt.i32(0, a) { break L0 } } } return a }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  r = call lib(x)
  return r
}
proc lib(a: i32) -> i32 { return a }
--- verdict
different by clever

=== unbounded numbers, with a product on the path [math]
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(0, x) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { if lt.i32(mul.i32(a, a), a) { return 1 } return 0 }
--- new
program java
proc client(x: i32) -> i32 {
  var r: i32
  if lt.i32(0, x) { r = call lib(x) }
  return r
}
proc lib(a: i32) -> i32 { return 0 }
--- verdict
equivalent by clever
