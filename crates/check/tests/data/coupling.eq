// Loops in lockstep: relations between the two states, found by running both and proved by induction.

=== a loop that counts from one instead of zero, and does not end for the largest number
program java
proc f(n: i32, b: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 { if le.i32(n, i) { break L0 } s = add.i32(s, b) i = add.i32(i, 1) }
  return s
}
--- new
program java
proc f(n: i32, b: i32) -> i32 {
  var i: i32
  var s: i32
  i = 1
  loop L0 { if lt.i32(n, i) { break L0 } s = add.i32(b, s) i = add.i32(i, 1) }
  return s
}
--- verdict
unknown: Bound

=== the same without a limit to the numbers [math]
program java
proc f(n: i32, b: i32) -> i32 {
  var i: i32
  var s: i32
  loop L0 { if le.i32(n, i) { break L0 } s = add.i32(s, b) i = add.i32(i, 1) }
  return s
}
--- new
program java
proc f(n: i32, b: i32) -> i32 {
  var i: i32
  var s: i32
  i = 1
  loop L0 { if lt.i32(n, i) { break L0 } s = add.i32(b, s) i = add.i32(i, 1) }
  return s
}
--- verdict
equivalent by coupling

=== a product that became a sum [math]
program java
proc f(n: i32, c: i32) -> i32 {
  var i: i32
  var x: i32
  loop L0 { if le.i32(n, i) { break L0 } x = add.i32(x, add.i32(mul.i32(5, i), c)) i = add.i32(i, 1) }
  return x
}
--- new
program java
proc f(n: i32, c: i32) -> i32 {
  var i: i32
  var j: i32
  var x: i32
  j = c
  loop L0 { if le.i32(n, i) { break L0 } x = add.i32(x, j) j = add.i32(j, 5) i = add.i32(i, 1) }
  return x
}
--- verdict
equivalent by coupling

=== a loop that prints and fails on the way
program java
error E
global g: i32 = 0
proc f(n: i32, k: i32) {
  var i: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    check ne.i32(i, k) else E
    print text_of_int.i32(i)
    g = add.i32(g, 2)
    i = add.i32(i, 1)
  }
}
--- new
program java
error E
global g: i32 = 0
proc f(n: i32, k: i32) {
  var i: i32
  loop L0 {
    if lt.i32(i, n) {
      if eq.i32(k, i) { throw E }
      print text_of_int.i32(i)
      g = sub.i32(g, -2)
      i = add.i32(i, 1)
      continue L0
    }
    break L0
  }
}
--- verdict
equivalent by coupling

=== the same, printed before it fails
program java
error E
proc f(n: i32, k: i32) {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } check ne.i32(i, k) else E print text_of_int.i32(i) i = add.i32(i, 1) }
}
--- new
program java
error E
proc f(n: i32, k: i32) {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } print text_of_int.i32(i) check ne.i32(i, k) else E i = add.i32(i, 1) }
}
--- verdict
different

=== one loop runs once more at the end [math]
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } i = add.i32(i, 1) }
  return i
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 { if lt.i32(n, i) { break L0 } i = add.i32(i, 1) }
  return i
}
--- verdict
different

=== loops in loops [math]
program java
proc f(n: i32, m: i32) -> i32 {
  var i: i32
  var j: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    j = 0
    loop L1 { if le.i32(m, j) { break L1 } s = add.i32(s, mul.i32(2, j)) j = add.i32(j, 1) }
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc f(n: i32, m: i32) -> i32 {
  var i: i32
  var j: i32
  var s: i32
  loop L0 {
    if lt.i32(i, n) {
      j = 0
      loop L1 { if lt.i32(j, m) { s = add.i32(add.i32(j, j), s) j = add.i32(1, j) continue L1 } break L1 }
      i = add.i32(1, i)
      continue L0
    }
    break L0
  }
  return s
}
--- verdict
equivalent by coupling

=== the inner loop starts from another value each time [math]
program java
proc f(n: i32, m: i32) -> i32 {
  var i: i32
  var j: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    j = 0
    loop L1 { if le.i32(m, j) { break L1 } s = add.i32(s, j) j = add.i32(j, 1) }
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc f(n: i32, m: i32) -> i32 {
  var i: i32
  var j: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    j = i
    loop L1 { if le.i32(m, j) { break L1 } s = add.i32(s, j) j = add.i32(j, 1) }
    i = add.i32(i, 1)
  }
  return s
}
--- verdict
different

=== what follows a loop depends on how it was left
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(9, i) { break L0 } if eq.i32(i, n) { return 50 } i = add.i32(i, 1) }
  return i
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(9, i) { break L0 } if eq.i32(n, i) { return 51 } i = add.i32(1, i) }
  return i
}
--- verdict
different

=== arrays of other lengths, walked to their ends
program java
error Bounds
error Negative
region cells: i32 -> i32
shape Ints: indexed(cells)
proc f(n: i32, m: i32) -> i32 {
  var a: ref Ints
  var i: i32
  check le.i32(0, n) else Negative
  a = new Ints(n)
  loop L0 { if le.i32(m, i) { break L0 } check lt.i32(i, length.i32(a)) else Bounds i = add.i32(i, 1) }
  return 0
}
--- new
program java
error Bounds
error Negative
region cells: i32 -> i32
shape Ints: indexed(cells)
proc f(n: i32, m: i32) -> i32 {
  var a: ref Ints
  var i: i32
  check le.i32(0, n) else Negative
  a = new Ints(3)
  loop L0 { if le.i32(m, i) { break L0 } check lt.i32(i, length.i32(a)) else Bounds i = add.i32(i, 1) }
  return 0
}
--- verdict
different

=== what inner loops leave behind differs from one iteration to the next [math]
program java
proc f(n: i32) -> i32 {
  var i: i32
  var j: i32
  loop L0 {
    j = 0
    loop L1 { if le.i32(i, j) { break L1 } j = add.i32(j, 1) }
    i = add.i32(i, 1)
    if eq.i32(j, 2) { break L0 }
  }
  return add.i32(i, n)
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var j: i32
  loop L0 {
    j = 0
    loop L1 { if le.i32(i, j) { break L1 } j = add.i32(j, 1) }
    i = add.i32(i, 1)
    if eq.i32(j, 3) { break L0 }
  }
  return add.i32(i, n)
}
--- verdict
different

=== a loop against a formula [math]
program java
proc f(x: i32) -> i32 {
  var c: i32
  if le.i32(0, x) { return 0 }
  loop L0 { if le.i32(0, x) { break L0 } x = add.i32(x, 1) c = add.i32(c, 1) }
  return c
}
--- new
program java
proc f(x: i32) -> i32 {
  if le.i32(0, x) { return 0 }
  return sub.i32(0, x)
}
--- verdict
equivalent by coupling

=== a loop against another formula [math]
program java
proc f(x: i32) -> i32 {
  var c: i32
  if le.i32(0, x) { return 0 }
  loop L0 { if le.i32(0, x) { break L0 } x = add.i32(x, 1) c = add.i32(c, 1) }
  return c
}
--- new
program java
proc f(x: i32) -> i32 {
  if le.i32(0, x) { return 0 }
  return sub.i32(1, x)
}
--- verdict
different

=== a procedure with a loop that is called twice [math]
program java
proc f(a: i32, b: i32) -> i32 { var x: i32 var y: i32 x = call g(a) y = call g(b) return add.i32(x, y) }
proc g(n: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } i = add.i32(i, 1) }
  return i
}
--- new
program java
proc f(a: i32, b: i32) -> i32 { var x: i32 var y: i32 x = call g(a) y = call g(b) return add.i32(y, x) }
proc g(n: i32) -> i32 { if le.i32(n, 0) { return 0 } return n }
--- verdict
equivalent by coupling

=== called twice, on other values [math]
program java
proc f(a: i32, b: i32) -> i32 { var x: i32 var y: i32 x = call g(a) y = call g(b) return add.i32(x, y) }
proc g(n: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } i = add.i32(i, 1) }
  return i
}
--- new
program java
proc f(a: i32, b: i32) -> i32 { var x: i32 var y: i32 x = call g(a) y = call g(a) return add.i32(y, x) }
proc g(n: i32) -> i32 { if le.i32(n, 0) { return 0 } return n }
--- verdict
different

=== the same loop inside of a loop and after it [math]
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  var r: i32
  loop L0 { if le.i32(n, i) { break L0 } r = call g(i) s = add.i32(s, r) i = add.i32(i, 1) }
  r = call g(s)
  return r
}
proc g(n: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } i = add.i32(i, 1) }
  return i
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var s: i32
  var r: i32
  loop L0 { if le.i32(n, i) { break L0 } r = call g(i) s = add.i32(r, s) i = add.i32(1, i) }
  r = call g(add.i32(s, 1))
  return r
}
proc g(n: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } i = add.i32(i, 1) }
  return i
}
--- verdict
different

=== one loop with a choice inside, or a choice of two loops [math]
program java
proc f(t: i32, c: i32) -> i32 {
  var x: i32
  if lt.i32(0, t) {
    loop L0 { if le.i32(c, 0) { break L0 } x = add.i32(x, 1) c = sub.i32(c, 1) }
  } else {
    loop L1 { if le.i32(c, 0) { break L1 } x = sub.i32(x, 3) c = sub.i32(c, 1) }
  }
  return x
}
--- new
program java
proc f(t: i32, c: i32) -> i32 {
  var x: i32
  loop L0 {
    if le.i32(c, 0) { break L0 }
    if lt.i32(0, t) { x = add.i32(x, 1) } else { x = sub.i32(x, 3) }
    c = sub.i32(c, 1)
  }
  return x
}
--- verdict
equivalent by coupling

=== a choice of two loops of which one does something else [math]
program java
proc f(t: i32, c: i32) -> i32 {
  var x: i32
  if lt.i32(0, t) {
    loop L0 { if le.i32(c, 0) { break L0 } x = add.i32(x, 1) c = sub.i32(c, 1) }
  } else {
    loop L1 { if le.i32(c, 0) { break L1 } x = sub.i32(x, 3) c = sub.i32(c, 1) }
  }
  return x
}
--- new
program java
proc f(t: i32, c: i32) -> i32 {
  var x: i32
  loop L0 {
    if le.i32(c, 0) { break L0 }
    if le.i32(0, t) { x = add.i32(x, 1) } else { x = sub.i32(x, 3) }
    c = sub.i32(c, 1)
  }
  return x
}
--- verdict
different

=== a loop that is left in its middle, tested at its start or at its end [math]
program java
region int[]: i32 -> i32
shape int[]: indexed(int[])
error E
proc f(a: ref int[], n: i32) -> i32 {
  var i: i32
  var x: i32
  if le.i32(n, 0) { return 0 }
  check not(same_ref(a, null)) else E
  loop L0 {
    check lt.i32(i, length.i32(a)) else E
    x = load int[](a, i)
    if eq.i32(x, 7) { return i }
    i = add.i32(i, 1)
    n = sub.i32(n, 1)
    if eq.i32(n, 0) { break L0 }
  }
  return 0
}
--- new
program java
region int[]: i32 -> i32
shape int[]: indexed(int[])
error E
proc f(a: ref int[], n: i32) -> i32 {
  var i: i32
  if le.i32(n, 0) { return 0 }
  loop L0 {
    if eq.i32(i, n) { break L0 }
    check not(same_ref(a, null)) else E
    check lt.i32(i, length.i32(a)) else E
    if eq.i32(load int[](a, i), 7) { return i }
    i = add.i32(i, 1)
  }
  return 0
}
--- verdict
equivalent by coupling

=== a return out of two loops [math]
program java
proc f(n: i32, m: i32) -> i32 {
  var i: i32
  var j: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    j = 0
    loop L1 {
      if le.i32(m, j) { break L1 }
      if eq.i32(add.i32(i, mul.i32(j, 3)), 20) { return i }
      j = add.i32(j, 1)
    }
    i = add.i32(i, 1)
  }
  return -1
}
--- new
program java
proc f(n: i32, m: i32) -> i32 {
  var i: i32
  var k: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    i = add.i32(i, 1)
    k = m
    loop L1 {
      if le.i32(k, 0) { break L1 }
      if eq.i32(add.i32(i, mul.i32(sub.i32(m, k), 3)), 21) { return sub.i32(i, 1) }
      k = sub.i32(k, 1)
    }
  }
  return -1
}
--- verdict
equivalent by coupling

=== a return out of two loops that tells another row [math]
program java
proc f(n: i32, m: i32) -> i32 {
  var i: i32
  var j: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    j = 0
    loop L1 {
      if le.i32(m, j) { break L1 }
      if eq.i32(add.i32(i, mul.i32(j, 3)), 20) { return i }
      j = add.i32(j, 1)
    }
    i = add.i32(i, 1)
  }
  return -1
}
--- new
program java
proc f(n: i32, m: i32) -> i32 {
  var i: i32
  var k: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    i = add.i32(i, 1)
    k = m
    loop L1 {
      if le.i32(k, 0) { break L1 }
      if eq.i32(add.i32(i, mul.i32(sub.i32(m, k), 3)), 21) { return i }
      k = sub.i32(k, 1)
    }
  }
  return -1
}
--- verdict
different

=== a condition on what an inner loop leaves behind is of that iteration alone [math]
program java
proc f(n: i32) -> i32 {
  var i: i32
  var e: i32
  var limit: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    e = 0
    limit = -1
    if lt.i32(0, i) { e = 6 limit = 5 }
    loop L1 { if le.i32(e, limit) { break L1 } e = sub.i32(e, 1) }
    if lt.i32(0, mul.i32(i, e)) { s = 7 break L0 }
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var e: i32
  var limit: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    e = 0
    limit = -1
    if lt.i32(0, i) { e = 6 limit = 5 }
    loop L1 { if le.i32(e, limit) { break L1 } e = sub.i32(e, 1) }
    if lt.i32(0, mul.i32(i, e)) { s = 8 break L0 }
    i = add.i32(i, 1)
  }
  return s
}
--- verdict
different

=== one version returns at once what the other one counts
program java
proc f(n: i32) -> bool {
  var i: i32
  var c: i32
  i = 2
  loop L0 {
    if le.i32(n, i) { break L0 }
    if eq.i32(and.i32(n, i), 0) { c = add.i32(c, 1) }
    i = add.i32(i, 1)
  }
  return eq.i32(c, 0)
}
--- new
program java
proc f(n: i32) -> bool {
  var i: i32
  i = 2
  loop L0 {
    if le.i32(n, i) { break L0 }
    if eq.i32(and.i32(n, i), 0) { return false }
    i = add.i32(i, 1)
  }
  return true
}
--- verdict
equivalent by coupling

=== one version returns at once, and the other one counts to two
program java
proc f(n: i32) -> bool {
  var i: i32
  var c: i32
  i = 2
  loop L0 {
    if le.i32(n, i) { break L0 }
    if eq.i32(and.i32(n, i), 0) { c = add.i32(c, 1) }
    i = add.i32(i, 1)
  }
  return lt.i32(c, 2)
}
--- new
program java
proc f(n: i32) -> bool {
  var i: i32
  i = 2
  loop L0 {
    if le.i32(n, i) { break L0 }
    if eq.i32(and.i32(n, i), 0) { return false }
    i = add.i32(i, 1)
  }
  return true
}
--- verdict
different

=== a loop that waits may run forever [total]
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } i = add.i32(i, 1) }
  return 0
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  loop L0 { if le.i32(n, i) { break L0 } if ne.i32(i, 7) { i = add.i32(i, 1) } }
  return 0
}
--- verdict
different

=== products that became sums, in a loop and in the loop inside of it [math]
program java
proc f(n: i32) -> i32 {
  var i: i32
  var j: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    j = 0
    loop L1 { if le.i32(n, j) { break L1 } s = add.i32(s, mul.i32(3, j)) j = add.i32(j, 1) }
    s = add.i32(s, mul.i32(5, i))
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var j: i32
  var p: i32
  var q: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    j = 0
    q = 0
    loop L1 { if le.i32(n, j) { break L1 } s = add.i32(q, s) q = add.i32(q, 3) j = add.i32(j, 1) }
    s = add.i32(p, s)
    p = add.i32(p, 5)
    i = add.i32(i, 1)
  }
  return s
}
--- verdict
equivalent by coupling

=== the sum of the inner loop does not start anew with every outer iteration [math]
program java
proc f(n: i32) -> i32 {
  var i: i32
  var j: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    j = 0
    loop L1 { if le.i32(n, j) { break L1 } s = add.i32(s, mul.i32(3, j)) j = add.i32(j, 1) }
    i = add.i32(i, 1)
  }
  return s
}
--- new
program java
proc f(n: i32) -> i32 {
  var i: i32
  var j: i32
  var q: i32
  var s: i32
  loop L0 {
    if le.i32(n, i) { break L0 }
    j = 0
    loop L1 { if le.i32(n, j) { break L1 } s = add.i32(q, s) q = add.i32(q, 3) j = add.i32(j, 1) }
    i = add.i32(i, 1)
  }
  return s
}
--- verdict
different
