// Code that both versions have is hidden behind symbols. Each of these pairs would get a wrong *equivalent* if one
// thing that hidden code can do were forgotten; the pairs that are equivalent need it to stay hidden.

=== a hidden loop may fail
program java
error E
proc f(x: i32) -> i32 {
  var i: i32
  loop L0 { check ne.i32(x, 7) else E if le.i32(x, i) { break L0 } i = add.i32(i, 1) }
  return 0
}
--- new
program java
error E
proc f(x: i32) -> i32 {
  var i: i32
  x = add.i32(x, 1)
  loop L0 { check ne.i32(x, 7) else E if le.i32(x, i) { break L0 } i = add.i32(i, 1) }
  return 0
}
--- verdict
different

=== a hidden loop may print
program java
proc f(n: i32) {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } print text_of_int.i32(i) i = add.i32(i, 1) }
}
--- new
program java
proc f(n: i32) {
  var i: i32
  n = sub.i32(n, 1)
  loop L0 { if le.i32(n, i) { break L0 } print text_of_int.i32(i) i = add.i32(i, 1) }
}
--- verdict
different

=== a hidden loop may write a global
program java
global g: i32 = 0
proc f(n: i32) {
  loop L0 { if le.i32(n, g) { break L0 } g = add.i32(g, 2) }
}
--- new
program java
global g: i32 = 0
proc f(n: i32) {
  n = add.i32(n, 1)
  loop L0 { if le.i32(n, g) { break L0 } g = add.i32(g, 2) }
}
--- verdict
different

=== a hidden loop may write a field
program java
region x: i32
shape S: fields(x)
error Null
proc f(p: ref S, n: i32) {
  var i: i32
  check not(same_ref(p, null)) else Null
  loop L0 { if le.i32(n, i) { break L0 } store x(p) = i i = add.i32(i, 1) }
}
--- new
program java
region x: i32
shape S: fields(x)
error Null
proc f(p: ref S, n: i32) {
  var i: i32
  check not(same_ref(p, null)) else Null
  i = 1
  n = add.i32(n, 1)
  loop L0 { if le.i32(n, i) { break L0 } store x(p) = i i = add.i32(i, 1) }
}
--- verdict
different

=== a hidden loop reads what was written before
program java
global g: i32 = 0
proc f(n: i32) -> i32 {
  var i: i32
  g = n
  loop L0 { if le.i32(g, i) { break L0 } i = add.i32(i, 3) }
  g = 0
  return i
}
--- new
program java
global g: i32 = 0
proc f(n: i32) -> i32 {
  var i: i32
  g = add.i32(n, 1)
  loop L0 { if le.i32(g, i) { break L0 } i = add.i32(i, 3) }
  g = 0
  return i
}
--- verdict
different

=== hidden code may return
program java
proc f(x: i32) -> i32 {
  var i: i32
  loop L0 { if lt.i32(x, i) { return i } if le.i32(9, i) { break L0 } i = add.i32(i, 1) }
  return 100
}
--- new
program java
proc f(x: i32) -> i32 {
  var i: i32
  x = add.i32(x, 1)
  loop L0 { if lt.i32(x, i) { return i } if le.i32(9, i) { break L0 } i = add.i32(i, 1) }
  return 100
}
--- verdict
different

=== hidden code may leave a loop around it
program java
proc f(x: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(3, i) { break L0 }
    i = add.i32(i, 1)
    if eq.i32(i, x) { continue L0 }
    s = add.i32(s, i)
  }
  return s
}
--- new
program java
proc f(x: i32) -> i32 {
  var i: i32
  var s: i32
  x = sub.i32(x, 1)
  loop L0 {
    if le.i32(3, i) { break L0 }
    i = add.i32(i, 1)
    if eq.i32(i, x) { continue L0 }
    s = add.i32(s, i)
  }
  return s
}
--- verdict
different

=== what hidden code assigns on some paths keeps its value on the others
program java
proc f(c: bool, a: i32) -> i32 {
  var x: i32
  x = a
  if c { x = 1 }
  return x
}
--- new
program java
proc f(c: bool, a: i32) -> i32 {
  var x: i32
  x = add.i32(a, 1)
  if c { x = 1 }
  return x
}
--- verdict
different

=== the same call of a procedure that changed is not common code
program java
proc f(a: i32) -> i32 { var r: i32 r = call g(a) return r }
proc g(a: i32) -> i32 { return a }
--- new
program java
proc f(a: i32) -> i32 { var r: i32 r = call g(a) return r }
proc g(a: i32) -> i32 { return add.i32(a, 1) }
--- verdict
different

=== a statement that was moved across what it depends on is not common
program java
proc f(a: i32) -> i32 {
  var x: i32
  var y: i32
  x = mul.i32(a, a)
  y = x
  x = add.i32(x, 5)
  return y
}
--- new
program java
proc f(a: i32) -> i32 {
  var x: i32
  var y: i32
  x = mul.i32(a, a)
  x = add.i32(x, 5)
  y = x
  return y
}
--- verdict
different

=== a handler sees how far hidden code came
program java
error E
proc f(a: i32) -> i32 {
  var x: i32
  x = 1
  try {
    x = a
    check ne.i32(a, 3) else E
    x = 9
  } catch any { }
  return x
}
--- new
program java
error E
proc f(a: i32) -> i32 {
  var x: i32
  x = 1
  try {
    check ne.i32(a, 3) else E
    x = 9
  } catch any { }
  return x
}
--- verdict
different

=== hidden code may call what we do not know
program c
proc f(n: i32) -> i32 {
  var i: i32
  var r: i32
  loop L0 { if le.i32(n, i) { break L0 } r = call next() i = add.i32(i, 1) }
  r = call next()
  return r
}
extern proc next() -> i32
--- new
program c
proc f(n: i32) -> i32 {
  var i: i32
  var r: i32
  i = 1
  loop L0 { if le.i32(n, i) { break L0 } r = call next() i = add.i32(i, 1) }
  r = call next()
  return r
}
extern proc next() -> i32
--- verdict
different

=== a loop that did not change stays hidden
program java
proc f(n: i32, a: i32) -> i32 {
  var i: i32
  var s: i32
  s = add.i32(a, a)
  loop L0 { if le.i32(n, i) { break L0 } s = mul.i32(s, s) i = add.i32(i, 1) }
  return s
}
--- new
program java
proc f(n: i32, a: i32) -> i32 {
  var i: i32
  var s: i32
  s = mul.i32(2, a)
  loop L0 { if le.i32(n, i) { break L0 } s = mul.i32(s, s) i = add.i32(i, 1) }
  return s
}
--- verdict
equivalent by refine, ardiff

=== a recursion that did not change stays hidden
program java
proc f(n: i32) -> i32 { var r: i32 r = call g(add.i32(n, n)) return r }
proc g(n: i32) -> i32 {
  var r: i32
  if le.i32(n, 0) { return 1 }
  r = call g(sub.i32(n, 3))
  return mul.i32(r, n)
}
--- new
program java
proc f(n: i32) -> i32 { var r: i32 r = call g(mul.i32(2, n)) return r }
proc g(n: i32) -> i32 {
  var r: i32
  if le.i32(n, 0) { return 1 }
  r = call g(sub.i32(n, 3))
  return mul.i32(r, n)
}
--- verdict
equivalent by refine

=== loops that print, fail and return stay hidden
program java
error E
global g: i32 = 0
proc f(n: i32, a: i32) -> i32 {
  var i: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    print text_of_int.i32(g)
    check ne.i32(i, a) else E
    if eq.i32(g, 77) { return i }
    g = add.i32(g, i)
    i = add.i32(i, 1)
  }
  return add.i32(a, a)
}
--- new
program java
error E
global g: i32 = 0
proc f(n: i32, a: i32) -> i32 {
  var j: i32
  var b: i32
  b = mul.i32(a, 2)
  loop L0 {
    if le.i32(n, j) { break L0 }
    print text_of_int.i32(g)
    check ne.i32(j, a) else E
    if eq.i32(g, 77) { return j }
    g = add.i32(g, j)
    j = add.i32(j, 1)
  }
  return b
}
--- verdict
equivalent by refine

=== runs that do not end in both versions are not compared
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 { if eq.i32(i, n) { break L0 } i = add.i32(i, 2) }
  return 5
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  n = add.i32(n, 2)
  loop L0 { if eq.i32(i, n) { break L0 } i = add.i32(i, 2) }
  return 5
}
--- verdict
equivalent by refine

=== a changed jump changes what runs
program java
error E
error F
global g: i32 = 0
proc f(a: i32) -> i32 {
  try {
    if lt.i32(a, 0) { throw E }
  } catch E { g = 5 } catch any { g = 7 }
  return a
}
--- new
program java
error E
error F
global g: i32 = 0
proc f(a: i32) -> i32 {
  try {
    if lt.i32(a, 0) { throw F }
  } catch E { g = 5 } catch any { g = 7 }
  return a
}
--- verdict
different

=== a changed message reaches the handler that prints it
program java
error E
proc f(a: i32) {
  var m: text
  try {
    if lt.i32(a, 0) { throw E("no") }
  } catch E as m { print m }
}
--- new
program java
error E
proc f(a: i32) {
  var m: text
  try {
    if lt.i32(a, 0) { throw E("yes") }
  } catch E as m { print m }
}
--- verdict
different

=== what changes do not influence is left out [math]
program java
global g: i32 = 0
proc f(a: i32, b: i32) -> i32 {
  var x: i32
  g = mul.i32(b, mul.i32(b, b))
  x = add.i32(a, a)
  return x
}
--- new
program java
global g: i32 = 0
proc f(a: i32, b: i32) -> i32 {
  var x: i32
  g = mul.i32(b, mul.i32(b, b))
  x = mul.i32(2, a)
  return x
}
--- verdict
equivalent by imp-s, ardiff, naive

=== a change is seen through a result that itself is the same
program java
region x: i32
region next: ref S
shape S: fields(x, next)
proc f(p: i32) -> ref S {
  var n: ref S
  n = new S
  store x(n) = p
  return n
}
--- new
program java
region x: i32
region next: ref S
shape S: fields(x, next)
proc f(p: i32) -> ref S {
  var n: ref S
  p = add.i32(p, 1)
  n = new S
  store x(n) = p
  return n
}
--- verdict
different

=== a change is seen through a global that itself is the same
program java
region x: i32
region next: ref S
shape S: fields(x, next)
global g: ref S = null
proc f(p: i32) {
  var n: ref S
  n = new S
  store x(n) = p
  g = n
}
--- new
program java
region x: i32
region next: ref S
shape S: fields(x, next)
global g: ref S = null
proc f(p: i32) {
  var n: ref S
  p = add.i32(p, 1)
  n = new S
  store x(n) = p
  g = n
}
--- verdict
different

=== a change is seen through a field that itself is the same
program java
region x: i32
region next: ref S
shape S: fields(x, next)
error E
proc f(q: ref S, p: i32) {
  var n: ref S
  n = new S
  store x(n) = p
  check not(same_ref(q, null)) else E
  store next(q) = n
}
--- new
program java
region x: i32
region next: ref S
shape S: fields(x, next)
error E
proc f(q: ref S, p: i32) {
  var n: ref S
  p = add.i32(p, 1)
  n = new S
  store x(n) = p
  check not(same_ref(q, null)) else E
  store next(q) = n
}
--- verdict
different
