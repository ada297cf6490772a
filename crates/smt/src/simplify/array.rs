//! Constructors of arrays: reading over writing, and writes in a normal order.

use super::polynomial::Exact;
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use num_rational::BigRational;
use num_traits::{One, Zero};

/// How many writes a read looks through, and how many a new write is ordered among.
const MOST_WRITES: usize = 64;
/// Arrays that differ in more writes than this are compared as they are.
const MOST_COMPARED: usize = 16;

impl Terms {
    /// The array that is `element` everywhere; `sort` is the sort of the array.
    pub fn const_array(&mut self, sort: &Sort, element: Term) -> Term {
        let Sort::Array(_, element_sort) = sort else { panic!("an array sort was expected, not {sort}") };
        assert_eq!(
            self.sort_of(element),
            &**element_sort,
            "the element should have the array's element sort"
        );
        self.intern(Op::ConstArray, &[element], sort)
    }

    /// The element of an array at an index.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let element_sort = self.check_index(array, index);
        if !self.simplifying {
            return self.intern(Op::Select, &[array, index], &element_sort);
        }
        let mut base = array;
        for _ in 0..MOST_WRITES {
            match (self.op(base), self.args(base)) {
                (Op::ConstArray, &[element]) => return element,
                (Op::Store, &[_, at, element]) if at == index => return element,
                (Op::Store, &[inner, at, _]) if self.surely_differ(at, index) => base = inner,
                (Op::Ite, &[condition, then, otherwise])
                    if self.is_cheap_to_read(then, index) && self.is_cheap_to_read(otherwise, index) =>
                {
                    return self.select_from_ite(base, condition, then, otherwise, index);
                }
                _ => break,
            }
        }
        self.intern(Op::Select, &[base, index], &element_sort)
    }

    /// Reading from a conditional is a conditional of two readings.
    fn select_from_ite(
        &mut self,
        array: Term,
        condition: Term,
        then: Term,
        otherwise: Term,
        index: Term,
    ) -> Term {
        if !self.start_lift() {
            let sort = self.check_index(array, index);
            return self.intern(Op::Select, &[array, index], &sort);
        }
        let then = self.select(then, index);
        let otherwise = self.select(otherwise, index);
        self.end_lift();
        self.ite(condition, then, otherwise)
    }

    /// Whether the outermost operation already tells the element or passes the reading on.
    fn is_cheap_to_read(&self, array: Term, index: Term) -> bool {
        match self.op(array) {
            Op::ConstArray | Op::Var(_) | Op::Ite => true,
            Op::Store => {
                let at = self.args(array)[1];
                at == index || self.surely_differ(at, index)
            }
            _ => false,
        }
    }

    /// The array with the element at an index replaced.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        let element_sort = self.check_index(array, index);
        assert_eq!(self.sort_of(element), &element_sort, "the element should have the array's element sort");
        let sort = self.sort_of(array).clone();
        if !self.simplifying {
            return self.intern(Op::Store, &[array, index, element], &sort);
        }
        if self.select(array, index) == element {
            return array;
        }
        // Writes that commute with this one and have a larger index: those stay outside.
        let mut above: Vec<(Term, Term)> = Vec::new();
        let mut base = array;
        let mut replaces = false;
        while let Some((inner, at, value)) = self.as_store(base) {
            if at == index {
                base = inner;
                replaces = true;
                break;
            }
            // Writes that commute with each other are in order, so that the place is found.
            if at < index || above.len() >= MOST_WRITES || !self.surely_differ(at, index) {
                break;
            }
            above.push((at, value));
            base = inner;
        }
        above.push((index, element));
        for (at, value) in above.into_iter().rev() {
            // Without the replaced write another one may turn out to write what is there.
            if replaces && self.select(base, at) == value {
                continue;
            }
            base = self.intern(Op::Store, &[base, at, value], &sort);
        }
        base
    }

    pub(super) fn as_store(&self, term: Term) -> Option<(Term, Term, Term)> {
        match (self.op(term), self.args(term)) {
            (Op::Store, &[array, index, element]) => Some((array, index, element)),
            _ => None,
        }
    }

    /// Panics unless the index fits the array; the element sort.
    fn check_index(&self, array: Term, index: Term) -> Sort {
        let Sort::Array(index_sort, element_sort) = self.sort_of(array) else {
            panic!("an array was expected, not a {}", self.sort_of(array))
        };
        assert_eq!(self.sort_of(index), &**index_sort, "the index should have the array's index sort");
        (**element_sort).clone()
    }

    /// Writes on both branches to the same place are one write of a conditional element.
    pub(super) fn ite_of_stores(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        match (self.as_store(then), self.as_store(otherwise)) {
            (Some((a, i, v)), Some((b, j, w))) if a == b && i == j => {
                let element = self.ite(condition, v, w);
                Some(self.store(a, i, element))
            }
            (Some((a, i, v)), _) if a == otherwise => {
                let before = self.select(otherwise, i);
                let element = self.ite(condition, v, before);
                Some(self.store(otherwise, i, element))
            }
            (_, Some((b, j, w))) if b == then => {
                let before = self.select(then, j);
                let element = self.ite(condition, before, w);
                Some(self.store(then, j, element))
            }
            _ => None,
        }
    }

    /// Arrays made from the same one by writes are equal when they agree where one was written to.
    pub(super) fn eq_arrays(&mut self, left: Term, right: Term) -> Term {
        let (left_base, left_writes) = self.writes(left);
        let (right_base, right_writes) = self.writes(right);
        let mut written: Vec<Term> = left_writes.into_iter().chain(right_writes).collect();
        written.sort_unstable();
        written.dedup();
        let same_base = left_base == right_base && !written.is_empty();
        if !same_base || written.len() > MOST_COMPARED || !self.start_lift() {
            return self.eq_as_is(left, right);
        }
        let mut agreements = Vec::with_capacity(written.len());
        for index in written {
            let (old, new) = (self.select(left, index), self.select(right, index));
            agreements.push(self.eq(old, new));
        }
        self.end_lift();
        self.and(&agreements)
    }

    fn writes(&self, array: Term) -> (Term, Vec<Term>) {
        let (mut base, mut indices) = (array, Vec::new());
        while let Some((inner, index, _)) = self.as_store(base) {
            if indices.len() > MOST_COMPARED {
                break;
            }
            indices.push(index);
            base = inner;
        }
        (base, indices)
    }

    /// Whether two numbers differ by a constant other than zero.
    pub(super) fn numbers_differ(&self, left: Term, right: Term) -> bool {
        let ring = Exact::of(self.sort_of(left));
        let one = BigRational::one();
        let difference = self.linear_sum(&ring, &[(left, one.clone()), (right, -one)]);
        difference.as_constant(&ring).is_some_and(|constant| !constant.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::{differ, same};

    #[test]
    fn reading_finds_the_writing() {
        same("(select (store a x i) x)", "i");
        same("(select (store a (+ x 1:32) i) x)", "(select a x)");
        same("(select (store a 1:32 i) 2:32)", "(select a 2:32)");
        same("(select (everywhere i) x)", "i");
        differ("(select (store a x i) y)", "(select a y)");
        differ("(select (store a x i) y)", "i");
    }

    #[test]
    fn writings_are_merged_and_ordered() {
        same("(store (store a x i) x j)", "(store a x j)");
        same("(store (store a 1:32 i) 2:32 j)", "(store (store a 2:32 j) 1:32 i)");
        same("(store (store (store a 1:32 i) 2:32 j) 1:32 k)", "(store (store a 1:32 k) 2:32 j)");
        same("(store a x (select a x))", "a");
        same("(store (store a x i) x (select a x))", "a");
        differ("(store (store a x i) y j)", "(store (store a y j) x i)");
        differ("(store a x (select a y))", "a");
    }

    #[test]
    fn conditional_writings_are_writings_of_conditionals() {
        same("(ite p (store a x i) a)", "(store a x (ite p i (select a x)))");
        same("(ite p (store a x i) (store a x j))", "(store a x (ite p i j))");
        same("(select (ite p (store a x i) b) x)", "(ite p i (select b x))");
        differ("(ite p (store a x i) (store b x i))", "(store a x i)");
    }

    #[test]
    fn arrays_with_one_origin_are_compared_where_they_were_written() {
        same("(= (store a x i) (store a x j))", "(= i j)");
        same("(= (store a x i) a)", "(= i (select a x))");
        same("(= (store (store a 1:32 i) 2:32 j) (store a 1:32 i))", "(= j (select a 2:32))");
        differ("(= (store a x i) (store b x i))", "(= a b)");
        differ("(= (store a x i) (store a y i))", "true");
    }
}
