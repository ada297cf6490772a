//! What a caller of C code would pass: pointers that lead somewhere, small numbers, lengths of what is there, texts that
//! the code knows.
//!
//! Under-approximating, like all inputs of tests. Independent choices for every member of a large struct nearly always
//! end at the first of them that does not fit.

use fastrand::Rng;
use interp::Value;
use ir::{Cells, Const, IntType, Pair, Program, StaticObject, Subject, Type};

use crate::Pool;

/// Below this, pointers to objects of their own lead to nothing, so that lists end.
const DEEPEST: usize = 5;
/// How many objects one such input may have.
pub(crate) const MOST_OBJECTS: usize = 60;
/// Lengths that are remembered, the latest ones.
const LENGTHS: usize = 6;
/// Literals that are kept.
const MOST_LITERALS: usize = 200;

/// The choices of inputs that a caller might pass.
pub(crate) struct Plausible {
    /// Numbers are mostly below this, in one input.
    most: i128,
    /// The lengths of the objects that were made last, the latest one at the end.
    lengths: Vec<i64>,
    pub(crate) depth: usize,
    /// The string literals of both versions.
    literals: Vec<Vec<u8>>,
    /// The characters that the code asks for.
    letters: Vec<u8>,
}

impl Plausible {
    /// For code of C that uses memory; other code needs no such inputs.
    pub(crate) fn of(pair: Pair<Subject<'_>>, pool: &Pool) -> Option<Plausible> {
        let uses_memory = |subject: Subject<'_>| {
            let effects = ir::effects(subject.program, subject.procedure);
            !effects.reads_regions.is_empty() || !effects.writes_regions.is_empty()
        };
        let is_c = pair.old.program.language == ir::Language::C;
        if !is_c || !(uses_memory(pair.old) || uses_memory(pair.new)) {
            return None;
        }
        let mut literals = Vec::new();
        for subject in [pair.old, pair.new] {
            for id in ir::effects(subject.program, subject.procedure).statics {
                let text = literal(subject.program, subject.program.static_object(id));
                literals.extend(text.filter(|text| !text.is_empty() && literals.len() < MOST_LITERALS));
            }
        }
        literals.sort();
        literals.dedup();
        let printable = |number: &i128| u8::try_from(*number).ok().filter(|byte| (9..127).contains(byte));
        let letters = pool.int_constants.iter().filter_map(printable).collect();
        Some(Plausible { most: 1, lengths: Vec::new(), depth: 0, literals, letters })
    }

    /// Begins another input.
    pub(crate) fn begin(&mut self, random: &mut Rng) {
        self.most = 1 << random.u32(0..6);
        self.lengths.clear();
        self.depth = 0;
    }

    pub(crate) fn note_length(&mut self, length: Option<i64>) {
        if let Some(length) = length {
            if self.lengths.len() == LENGTHS {
                self.lengths.remove(0);
            }
            self.lengths.push(length);
        }
    }

    /// Whether a pointer leads to nothing, or to an object that there is already, if there is one.
    pub(crate) fn target(&self, random: &mut Rng, has_known: bool, objects: usize) -> Target {
        if self.depth >= DEEPEST || objects >= MOST_OBJECTS {
            return if has_known && random.bool() { Target::Known } else { Target::Null };
        }
        match random.u8(..) {
            0..8 => Target::Null,
            8..28 if has_known => Target::Known,
            28..44 => Target::Static,
            _ => Target::New,
        }
    }

    /// A number, if it is one that a caller might pass; other numbers are drawn as usual.
    pub(crate) fn int(&self, ty: IntType, constants: &[i128], random: &mut Rng) -> Option<i128> {
        let found = match random.u8(..100) {
            0..55 => random.i128(0..=self.most),
            55..75 if !self.lengths.is_empty() => {
                let latest = random.bool();
                let at = if latest { self.lengths.len() - 1 } else { random.usize(..self.lengths.len()) };
                i128::from(self.lengths[at]) - i128::from(random.u8(0..4) / 2)
            }
            55..85 if !constants.is_empty() => constants[random.usize(..constants.len())],
            85..92 => 0,
            _ => return None,
        };
        ty.contains(found).then_some(found)
    }

    /// How many elements an object has, of so many cells each.
    pub(crate) fn elements(&self, cells: usize, is_bytes: bool, random: &mut Rng) -> usize {
        match (cells, is_bytes, random.u8(..100)) {
            (_, true, 0..50) => random.usize(2..=12),
            (_, true, 50..90) => random.usize(8..=40),
            (_, true, _) => random.usize(40..=120),
            (1, false, 0..80) => random.usize(1..=6),
            (1, false, _) => random.usize(1..=20),
            (_, false, 0..70) => 1,
            (_, false, _) => random.usize(1..=4),
        }
    }

    /// Fills bytes with a text that ends.
    pub(crate) fn fill(&self, cells: &mut [Value], random: &mut Rng) {
        let Some(room) = cells.len().checked_sub(1) else { return };
        let mut text: Vec<u8> = Vec::new();
        let wanted = if random.u8(..) < 100 { room } else { random.usize(0..=room) };
        while text.len() < wanted {
            match random.u8(..100) {
                0..25 if !self.literals.is_empty() => {
                    text.extend(&self.literals[random.usize(..self.literals.len())]);
                }
                25..55 if !self.letters.is_empty() => {
                    text.push(self.letters[random.usize(..self.letters.len())]);
                }
                _ => text.push(*random.choice(b"abcAB01 xyz-").expect("a letter")),
            }
        }
        text.truncate(wanted);
        let bytes = text.into_iter().chain(std::iter::repeat(0));
        cells.iter_mut().zip(bytes).for_each(|(cell, byte)| *cell = Value::Int(i128::from(byte as i8)));
    }
}

/// Where a pointer leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Null,
    Known,
    Static,
    New,
}

/// The text of a constant array of bytes.
fn literal(program: &Program, object: &StaticObject) -> Option<Vec<u8>> {
    let Cells::Indexed(regions) = &program.shape(object.shape).cells else { return None };
    let is_bytes =
        matches!(&regions[..], [region] if program.region(*region).value == Type::Int(IntType::I8));
    if !object.constant || !is_bytes {
        return None;
    }
    let bytes = object.cells.iter().map_while(|cell| match cell {
        Const::Int(_, value) if *value != 0 => Some(*value as u8),
        _ => None,
    });
    Some(bytes.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plausible() -> Plausible {
        let literals = vec![b"--help".to_vec()];
        Plausible { most: 4, lengths: Vec::new(), depth: 0, literals, letters: vec![b'['] }
    }

    #[test]
    fn texts_end_and_are_made_of_what_the_code_knows() {
        let plausible = plausible();
        let mut random = Rng::with_seed(1);
        let mut texts = Vec::new();
        for _ in 0..50 {
            let mut cells = vec![Value::Int(7); 12];
            plausible.fill(&mut cells, &mut random);
            assert_eq!(cells.last(), Some(&Value::Int(0)));
            texts.push(cells);
        }
        let byte = |byte: u8| Value::Int(byte.into());
        assert!(texts.iter().any(|text| text.contains(&byte(b'['))));
        let literal: Vec<Value> = b"--help".iter().map(|it| byte(*it)).collect();
        assert!(texts.iter().any(|text| text.windows(6).any(|part| part == literal)));
    }

    #[test]
    fn numbers_are_often_lengths_of_what_is_there() {
        let mut plausible = plausible();
        plausible.note_length(Some(77));
        let mut random = Rng::with_seed(1);
        let numbers: Vec<_> =
            (0..200).filter_map(|_| plausible.int(IntType::I32, &[], &mut random)).collect();
        assert!(numbers.iter().filter(|number| **number == 77).count() > 5);
        assert!(numbers.iter().filter(|number| (0..=4).contains(*number)).count() > 80);
    }

    #[test]
    fn pointers_end_where_they_are_deep() {
        let mut plausible = plausible();
        let mut random = Rng::with_seed(1);
        let targets = |plausible: &Plausible, random: &mut Rng| -> Vec<Target> {
            (0..300).map(|_| plausible.target(random, false, 0)).collect()
        };
        let here = targets(&plausible, &mut random);
        assert!(here.iter().filter(|target| **target == Target::New).count() > 200);
        plausible.depth = DEEPEST;
        assert!(targets(&plausible, &mut random).iter().all(|target| *target == Target::Null));
    }
}
