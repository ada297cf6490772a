// Loops are followed up to the bound; what was cut is never forgotten.

=== a loop with a constant trip count is simply run
program java
proc f(a: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(10, i) { break L0 }
    s = add.i32(s, a)
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc f(a: i32) -> i32 { return mul.i32(10, a) }
--- verdict
equivalent

=== a loop with swapped statements needs no bound
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    s = add.i32(s, 2)
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    i = add.i32(i, 1)
    s = add.i32(s, 1)
    s = add.i32(s, 1)
  }
  return s
}
--- verdict
equivalent by coupling

=== beyond the bound nothing is claimed
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    i = add.i32(i, 1)
    s = xor.i32(s, mul.i32(i, i))
  }
  return s
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  i = 1
  loop L0 {
    if lt.i32(n, i) { break L0 }
    s = xor.i32(s, mul.i32(i, i))
    i = add.i32(i, 2)
  }
  i = 2
  loop L1 {
    if lt.i32(n, i) { break L1 }
    s = xor.i32(s, mul.i32(i, i))
    i = add.i32(i, 2)
  }
  return s
}
--- verdict
unknown: Bound

=== unsupported source is never proved
program java
proc f(n: i32) -> i32 {
  if lt.i32(n, 0) { unsupported "a lambda" }
  return n
}
--- new
program java
proc f(n: i32) -> i32 {
  if lt.i32(n, 0) { unsupported "a lambda" }
  return add.i32(n, 0)
}
--- verdict
unknown: Unsupported

=== unsupported source that is never reached costs nothing
program java
proc f(n: i32) -> i32 {
  if lt.i32(n, n) { unsupported "a lambda" }
  return n
}
--- new
program java
proc f(n: i32) -> i32 { return add.i32(n, 0) }
--- verdict
equivalent

=== numbers that double their digits with every call [math]
program java
proc f(n: i32) -> i32 { var r: i32 r = call g(3) return add.i32(r, n) }
proc g(x: i32) -> i32 {
  var r: i32
  if eq.i32(x, 0) { return 1 }
  r = call g(mul.i32(x, x))
  return r
}
--- new
program java
proc f(n: i32) -> i32 { var r: i32 r = call g(3) return add.i32(n, add.i32(r, 0)) }
proc g(x: i32) -> i32 {
  var r: i32
  if eq.i32(0, x) { return 1 }
  r = call g(mul.i32(x, x))
  return r
}
--- verdict
unknown: NothingDefined

=== halving ends, or stands still at zero [deep]
program java
proc f(x: i32) -> i32 {
  var c: i32
  loop L0 {
    if ne.i32(rem.i32(x, 2), 0) { break L0 }
    x = div.i32(x, 2)
    c = add.i32(c, 1)
  }
  if eq.i32(c, 0) { return 1 }
  return 0
}
--- new
program java
proc f(x: i32) -> i32 {
  if eq.i32(rem.i32(x, 2), 0) { return 0 }
  return 1
}
--- verdict
equivalent by bounded

=== what stands still while something else counts on is no endless loop
program java
proc f(x: i32) -> i32 {
  var c: i32
  loop L0 {
    if ne.i32(rem.i32(x, 2), 0) { break L0 }
    if lt.i32(2000, c) { break L0 }
    x = div.i32(x, 2)
    c = add.i32(c, 1)
  }
  if eq.i32(c, 0) { return 1 }
  return 0
}
--- new
program java
proc f(x: i32) -> i32 {
  if eq.i32(x, 0) { return 7 }
  if eq.i32(rem.i32(x, 2), 0) { return 0 }
  return 1
}
--- verdict
different

=== an endless loop that can still fail is no endless loop
program java
error E
proc f(x: i32, n: i32) -> i32 {
  loop L0 {
    if ne.i32(x, 0) { return 1 }
    n = add.i32(n, 1)
    check lt.i32(n, 90) else E
  }
}
--- new
program java
error E
proc f(x: i32, n: i32) -> i32 {
  return 1
}
--- verdict
different

=== where no run ends there is nothing to compare
program java
proc f(x: i32) -> i32 {
  loop L0 { x = add.i32(x, 1) }
}
--- new
program java
proc f(x: i32) -> i32 {
  return 1
}
--- verdict
unknown: NeverBothEnd

=== what a loop assumes of its callees does not stand in the way
program java
error ArithmeticException
proc f(n: i32, d: i32) -> i32 {
  var i: i32
  var s: i32
  var t: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    check ne.i32(d, 0) else ArithmeticException
    t = call per(i, d)
    s = add.i32(s, t)
    i = add.i32(i, 1)
  }
  return s
}
proc per(a: i32, d: i32) -> i32 {
  assume ne.i32(d, 0)
  return mul.i32(a, d)
}
--- new
program java
error ArithmeticException
proc f(n: i32, d: i32) -> i32 {
  var i: i32
  var s: i32
  var t: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    check ne.i32(d, 0) else ArithmeticException
    t = call per(i, d)
    i = add.i32(i, 1)
    s = add.i32(t, s)
  }
  return s
}
proc per(a: i32, d: i32) -> i32 {
  assume ne.i32(d, 0)
  return mul.i32(d, a)
}
--- verdict
equivalent

=== a loop that assumes what does not hold on later iterations is not taken for one that ends
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    assume lt.i32(i, 3)
    i = add.i32(i, 1)
  }
  return i
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    assume lt.i32(i, 3)
    i = add.i32(i, 1)
  }
  if eq.i32(i, 3) { return 4 }
  return i
}
--- verdict
different

=== runs that one version leaves out are not compared, those of the other are
program java
proc f(n: i32, k: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    assume lt.i32(0, k)
    s = add.i32(s, k)
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc f(n: i32, k: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    s = add.i32(s, k)
    i = add.i32(i, 1)
  }
  if lt.i32(k, 0) { return 7 }
  return s
}
--- verdict
different
