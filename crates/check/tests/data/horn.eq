// Loops as Horn clauses: the relations come from the solver and are proved again, in ways to run loops side by side
// that `coupling` does not have. The neighbours are what a proof that forgets a part of the rule would call equivalent.

=== a loop that takes two steps at once, and runs half as often [math]
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 { if le.i32(mul.i32(2, n), i) { break L0 } s = add.i32(s, 1) i = add.i32(i, 1) }
  return s
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 { if le.i32(n, i) { break L0 } s = add.i32(s, 2) i = add.i32(i, 1) }
  return s
}
--- verdict
equivalent by horn

=== the same with numbers that wrap around: twice the number may be less than it
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 { if le.i32(mul.i32(2, n), i) { break L0 } s = add.i32(s, 1) i = add.i32(i, 1) }
  return s
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 { if le.i32(n, i) { break L0 } s = add.i32(s, 2) i = add.i32(i, 1) }
  return s
}
--- verdict
different

=== two steps at once go too far where the number is odd [math]
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 { if le.i32(n, i) { break L0 } s = add.i32(s, 1) i = add.i32(i, 1) }
  return s
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 { if le.i32(n, i) { break L0 } s = add.i32(s, 2) i = add.i32(i, 2) }
  return s
}
--- verdict
different

=== a condition taken out of a loop, so that there are two [math]
program java
proc f(t: i32, c: i32) -> i32 {
  var x: i32
  if lt.i32(0, t) {
    loop L0 { if le.i32(c, 0) { break L0 } x = add.i32(x, 1) c = sub.i32(c, 1) }
  } else {
    loop L1 { if le.i32(c, 0) { break L1 } x = sub.i32(x, 1) c = sub.i32(c, 1) }
  }
  return x
}
--- new
program java
proc f(t: i32, c: i32) -> i32 {
  var x: i32
  loop L0 {
    if le.i32(c, 0) { break L0 }
    if lt.i32(0, t) { x = add.i32(x, 1) } else { x = sub.i32(x, 1) }
    c = sub.i32(c, 1)
  }
  return x
}
--- verdict
equivalent

=== a condition taken out of a loop, and turned round at its edge [math]
program java
proc f(t: i32, c: i32) -> i32 {
  var x: i32
  if le.i32(0, t) {
    loop L0 { if le.i32(c, 0) { break L0 } x = add.i32(x, 1) c = sub.i32(c, 1) }
  } else {
    loop L1 { if le.i32(c, 0) { break L1 } x = sub.i32(x, 1) c = sub.i32(c, 1) }
  }
  return x
}
--- new
program java
proc f(t: i32, c: i32) -> i32 {
  var x: i32
  loop L0 {
    if le.i32(c, 0) { break L0 }
    if lt.i32(0, t) { x = add.i32(x, 1) } else { x = sub.i32(x, 1) }
    c = sub.i32(c, 1)
  }
  return x
}
--- verdict
different

=== a loop that only one version gets to does nothing that counts [math]
program java
proc f(t: i32, c: i32, r: i32) -> i32 {
  var x: i32
  if lt.i32(0, t) {
    loop L0 { if le.i32(c, 0) { break L0 } x = add.i32(x, 1) c = sub.i32(c, 1) }
  }
  loop L1 { if le.i32(r, 0) { break L1 } x = add.i32(x, 2) r = sub.i32(r, 1) }
  return x
}
--- new
program java
proc f(t: i32, c: i32, r: i32) -> i32 {
  var x: i32
  loop L0 { if le.i32(c, 0) { break L0 } if lt.i32(0, t) { x = add.i32(x, 1) } c = sub.i32(c, 1) }
  loop L1 { if le.i32(r, 0) { break L1 } x = add.i32(x, 2) r = sub.i32(r, 1) }
  return x
}
--- verdict
equivalent by horn

=== a loop that only one version gets to leaves something behind [math]
program java
proc f(t: i32, c: i32) -> i32 {
  var x: i32
  if lt.i32(0, t) {
    loop L0 { if le.i32(c, 0) { break L0 } x = add.i32(x, 1) c = sub.i32(c, 1) }
  }
  return add.i32(x, c)
}
--- new
program java
proc f(t: i32, c: i32) -> i32 {
  var x: i32
  loop L0 { if le.i32(c, 0) { break L0 } if lt.i32(0, t) { x = add.i32(x, 1) } c = sub.i32(c, 1) }
  return add.i32(x, c)
}
--- verdict
different

=== a flag that turns round in one version and a count of pairs in the other [math]
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  var odd: bool
  loop L0 {
    if le.i32(n, i) { break L0 }
    if odd { s = add.i32(s, 3) odd = false } else { s = add.i32(s, 1) odd = true }
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  var last: i32
  last = 3
  loop L0 {
    if le.i32(n, i) { break L0 }
    last = sub.i32(4, last)
    s = add.i32(s, last)
    i = add.i32(i, 1)
  }
  return s
}
--- verdict
equivalent by horn

=== a flag that turns round, and a count that starts with the other number [math]
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  var odd: bool
  loop L0 {
    if le.i32(n, i) { break L0 }
    if odd { s = add.i32(s, 3) odd = false } else { s = add.i32(s, 1) odd = true }
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  var last: i32
  last = 1
  loop L0 {
    if le.i32(n, i) { break L0 }
    last = sub.i32(4, last)
    s = add.i32(s, last)
    i = add.i32(i, 1)
  }
  return s
}
--- verdict
different

=== the flag again, with numbers that wrap around
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  var odd: bool
  loop L0 {
    if le.i32(n, i) { break L0 }
    if odd { s = add.i32(s, 3) odd = false } else { s = add.i32(s, 1) odd = true }
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  var last: i32
  last = 3
  loop L0 {
    if le.i32(n, i) { break L0 }
    last = sub.i32(4, last)
    s = add.i32(s, last)
    i = add.i32(i, 1)
  }
  return s
}
--- verdict
equivalent by horn

=== two loops that became one, which ends early for some numbers [math]
program java
proc f(n: i32, m: i32) -> i32 {
  var i: i32
  var a: i32
  var b: i32
  loop L0 { if le.i32(n, i) { break L0 } a = add.i32(a, 1) i = add.i32(i, 1) }
  i = 0
  loop L1 { if le.i32(m, i) { break L1 } b = add.i32(b, 2) i = add.i32(i, 1) }
  return add.i32(a, b)
}
--- new
program java
proc f(n: i32, m: i32) -> i32 {
  var i: i32
  var a: i32
  var b: i32
  loop L0 { if le.i32(n, i) { break L0 } a = add.i32(a, 1) b = add.i32(b, 2) i = add.i32(i, 1) }
  return add.i32(a, b)
}
--- verdict
different

=== one waits for the other, which fails on the way [math]
program java
error E
proc f(n: i32, k: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } check ne.i32(i, k) else E i = add.i32(i, 1) }
  return 0
}
--- new
program java
error E
proc f(n: i32, k: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } check ne.i32(i, k) else E i = add.i32(i, 2) }
  return 0
}
--- verdict
different
