// Runs that do not end. `[total]` demands that one version ends exactly when the other does; the neighbours without it
// speak only of inputs on which both end.

=== an endless loop that one version lacks is no difference where both end
program java
proc f(x: i32) -> i32 {
  loop L0 { if ne.i32(x, 7) { break L0 } }
  return 1
}
--- new
program java
proc f(x: i32) -> i32 {
  return 1
}
--- verdict
equivalent by bounded, coupling

=== an endless loop that one version lacks [total]
program java
proc f(x: i32) -> i32 {
  loop L0 { if ne.i32(x, 7) { break L0 } }
  return 1
}
--- new
program java
proc f(x: i32) -> i32 {
  return 1
}
--- verdict
different

=== an endless loop that both have, on the same inputs [total]
program java
proc f(x: i32) -> i32 {
  loop L0 { if ne.i32(x, 7) { break L0 } }
  return 1
}
--- new
program java
proc f(x: i32) -> i32 {
  if eq.i32(sub.i32(x, 7), 0) { loop L0 { x = add.i32(x, 1) } }
  return 1
}
--- verdict
equivalent by bounded

=== an endless loop that one version gets to on more inputs [total]
program java
proc f(x: i32, n: i32) -> i32 {
  loop L0 { if ne.i32(x, 7) { break L0 } }
  return 1
}
--- new
program java
proc f(x: i32, n: i32) -> i32 {
  if lt.i32(5, n) { loop L0 { if ne.i32(x, 7) { break L0 } } }
  return 1
}
--- verdict
different

=== a common loop, whether it ends or not [total]
program java
proc f(x: i32, y: i32) -> i32 {
  loop L0 {
    if eq.i32(x, 0) { break L0 }
    x = sub.i32(x, y)
  }
  return add.i32(y, y)
}
--- new
program java
proc f(x: i32, y: i32) -> i32 {
  loop L0 {
    if eq.i32(x, 0) { break L0 }
    x = sub.i32(x, y)
  }
  return mul.i32(y, 2)
}
--- verdict
equivalent by refine, dse

=== a common loop that starts from other values [total]
program java
proc f(x: i32, y: i32) -> i32 {
  loop L0 {
    if eq.i32(x, 0) { break L0 }
    x = sub.i32(x, y)
  }
  return 1
}
--- new
program java
proc f(x: i32, y: i32) -> i32 {
  x = add.i32(x, 1)
  loop L0 {
    if eq.i32(x, 0) { break L0 }
    x = sub.i32(x, y)
  }
  return 1
}
--- verdict
different

=== loops in lockstep go on forever together [total]
program java
proc f(x: i32) -> i32 {
  var c: i32
  loop L0 {
    if eq.i32(x, 0) { break L0 }
    x = sub.i32(x, 2)
    c = add.i32(c, 3)
  }
  return c
}
--- new
program java
proc f(x: i32) -> i32 {
  var c: i32
  loop L0 {
    if eq.i32(x, 0) { break L0 }
    c = add.i32(c, 1)
    x = sub.i32(x, 2)
  }
  return mul.i32(c, 3)
}
--- verdict
equivalent by coupling

=== a loop without a use that counts to its end [total]
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    i = add.i32(i, 1)
  }
  return n
}
--- new
program java
proc f(n: i32) -> i32 {
  return n
}
--- verdict
equivalent by coupling

=== a loop without a use that counts to its end, in mathematics [math] [total]
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    i = add.i32(i, 1)
  }
  return n
}
--- new
program java
proc f(n: i32) -> i32 {
  return n
}
--- verdict
equivalent by coupling

=== a loop without a use that may miss its end [total]
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 {
    if eq.i32(n, i) { break L0 }
    i = add.i32(i, 2)
  }
  return n
}
--- new
program java
proc f(n: i32) -> i32 {
  return n
}
--- verdict
unknown: OnlyWhereBothEnd

=== a loop without a use that may miss its end, where both end
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 {
    if eq.i32(n, i) { break L0 }
    i = add.i32(i, 2)
  }
  return n
}
--- new
program java
proc f(n: i32) -> i32 {
  return n
}
--- verdict
equivalent by coupling

=== an endless loop inside of a loop that ends [total]
program java
proc f(n: i32, x: i32) -> i32 {
  var i: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    i = add.i32(i, 1)
    loop L1 { if ne.i32(x, i) { break L1 } }
  }
  return n
}
--- new
program java
proc f(n: i32, x: i32) -> i32 {
  var i: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    i = add.i32(i, 1)
  }
  return n
}
--- verdict
different

=== a loop that counts to its end, with an endless one inside [total]
program java
proc f(n: i32, x: i32) -> i32 {
  var i: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    i = add.i32(i, 1)
    loop L1 { if ne.i32(x, i) { break L1 } }
  }
  return n
}
--- new
program java
proc f(n: i32, x: i32) -> i32 {
  return n
}
--- verdict
different

=== a loop that counts to its end, with another one inside [total]
program java
proc f(n: i32, m: i32) -> i32 {
  var i: i32
  var j: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    i = add.i32(i, 1)
    j = 0
    loop L1 {
      if le.i32(m, j) { break L1 }
      j = add.i32(j, 1)
    }
  }
  return n
}
--- new
program java
proc f(n: i32, m: i32) -> i32 {
  return n
}
--- verdict
equivalent

=== recursion with the same calls [total]
program java
proc f(n: i32) -> i32 {
  var r: i32
  if le.i32(n, 0) { return 0 }
  r = call f(sub.i32(n, 1))
  return add.i32(r, n)
}
--- new
program java
proc f(n: i32) -> i32 {
  var r: i32
  if lt.i32(0, n) {
    r = call f(add.i32(n, -1))
    return add.i32(n, r)
  }
  return 0
}
--- verdict
equivalent by same-symbol

=== recursion with one more call, whose result nobody uses
program java
proc f(n: i32) -> i32 {
  var r: i32
  if eq.i32(n, 0) { return 0 }
  r = call f(sub.i32(n, 1))
  return add.i32(r, 1)
}
--- new
program java
proc f(n: i32) -> i32 {
  var r: i32
  var s: i32
  if eq.i32(n, 0) { return 0 }
  r = call f(sub.i32(n, 1))
  s = call f(n)
  return add.i32(r, 1)
}
--- verdict
equivalent by same-symbol

=== recursion with one more call, which never ends [total]
program java
proc f(n: i32) -> i32 {
  var r: i32
  if eq.i32(n, 0) { return 0 }
  r = call f(sub.i32(n, 1))
  return add.i32(r, 1)
}
--- new
program java
proc f(n: i32) -> i32 {
  var r: i32
  var s: i32
  if eq.i32(n, 0) { return 0 }
  r = call f(sub.i32(n, 1))
  s = call f(n)
  return add.i32(r, 1)
}
--- verdict
unknown: OnlyWhereBothEnd

=== halving stands still at zero in one version only [total]
program java
proc f(x: i32) -> i32 {
  loop L0 {
    if ne.i32(rem.i32(x, 2), 0) { break L0 }
    x = div.i32(x, 2)
  }
  return 1
}
--- new
program java
proc f(x: i32) -> i32 {
  loop L0 {
    if ne.i32(rem.i32(x, 2), 0) { break L0 }
    if eq.i32(x, 0) { break L0 }
    x = div.i32(x, 2)
  }
  return 1
}
--- verdict
different

=== a loop that leaves by an error is no endless loop [total]
program java
error E
proc f(x: i32) -> i32 {
  loop L0 {
    if ne.i32(x, 7) { break L0 }
    throw E
  }
  return 1
}
--- new
program java
error E
proc f(x: i32) -> i32 {
  loop L0 { if ne.i32(x, 7) { break L0 } }
  return 1
}
--- verdict
different
