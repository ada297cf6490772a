//! Terms over the inputs in the words of the source.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Language, Program, Subject, Target, Type};
use num_traits::ToPrimitive;
use smt::{BvCmp, BvOp, FloatCmp, FloatOp, Op, Sort, Term, Terms, Value};
use symbolic::{InputType, Inputs, SymValue};

use crate::members::{CellNames, members};

/// What the inputs of a pair are called.
#[derive(Clone)]
pub struct Words {
    language: Language,
    /// Variables that are one value, with whether they are unsigned.
    values: BTreeMap<Term, (String, bool)>,
    /// The parts of pointers: which object, and where in it.
    objects: BTreeMap<Term, String>,
    places: BTreeMap<Term, String>,
    /// Pointers to what has members, with these.
    structs: BTreeMap<String, Cells>,
    /// Variables that are references of Java, and the parts of the heap that hold such.
    references: BTreeSet<Term>,
    /// Static objects by their numbers.
    statics: BTreeMap<u32, Static>,
    /// What new objects are called, by their numbers.
    made: BTreeMap<u32, String>,
}

/// The cells of an element.
#[derive(Clone)]
struct Cells {
    names: Vec<Option<String>>,
    /// The parts of memory that they lie in.
    regions: Vec<String>,
}

/// A static object.
#[derive(Clone)]
struct Static {
    name: String,
    /// It is one value, or one struct.
    is_one: bool,
    /// Its elements have members.
    cells: Option<Cells>,
}

impl Cells {
    /// Those of a shape, if it has several.
    fn of(program: &Program, shape: &str, names: &CellNames) -> Option<Cells> {
        let shape = program.shapes.iter().find(|it| it.name == shape)?;
        let ir::Cells::Indexed(regions) = &shape.cells else { return None };
        if regions.len() < 2 && !names.contains_key(&shape.name) {
            return None;
        }
        let known = names.get(&shape.name).filter(|names| names.len() == regions.len());
        Some(Cells {
            names: known.cloned().unwrap_or_else(|| vec![None; regions.len()]),
            regions: regions.iter().map(|region| program.region(*region).name.clone()).collect(),
        })
    }

    /// Which element a cell belongs to, and the name of its member, if it lies in a part of memory.
    fn member(&self, cell: u32, region: &str) -> Option<(usize, &str)> {
        let at = cell as usize;
        let within = at.checked_rem(self.names.len())?;
        let is_there = region.strip_prefix("heap.") == Some(self.regions[within].as_str());
        let name = self.names[within].as_deref()?;
        is_there.then_some((at / self.names.len(), name))
    }
}

impl Words {
    /// The words for the inputs of a pair; `cells` are the names of the members of C structs.
    pub fn of(inputs: &Inputs, subject: Subject<'_>, cells: &CellNames) -> Words {
        let mut words = Words {
            language: subject.program.language,
            values: BTreeMap::new(),
            objects: BTreeMap::new(),
            places: BTreeMap::new(),
            structs: BTreeMap::new(),
            references: BTreeSet::new(),
            statics: BTreeMap::new(),
            made: BTreeMap::new(),
        };
        let cells_at = |ty: &Type| {
            let Type::Record(parts) = ty else { return None };
            let Some(Type::Ref(Target::Shape(shape))) = parts.first() else { return None };
            Cells::of(subject.program, &subject.program.shape(*shape).name, cells)
        };
        let locals = subject.procedure().parameters().iter().enumerate();
        for (input, (at, local)) in inputs.args.iter().zip(locals) {
            if local.name.starts_with('$') {
                continue;
            }
            words.add(&local.name, &input.value, &input.ty, cells_at(&local.ty));
            let parameter = ir::LocalId::from_index(at);
            for (path, name) in members(subject.program, subject.procedure(), parameter, cells) {
                words.add_part(&name, &path, &input.value, &input.ty);
            }
        }
        for (name, input) in inputs.globals.iter().filter(|(name, _)| is_word(name)) {
            let global = subject.program.globals.iter().find(|global| global.name == *name);
            words.add(name, &input.value, &input.ty, global.and_then(|global| cells_at(&global.ty)));
        }
        for object in inputs.statics.values().filter(|object| is_word(&object.name)) {
            let cells = Cells::of(subject.program, &object.shape, cells);
            let one = cells.as_ref().map_or(1, |cells| cells.names.len() as i64);
            let is_one = object.length == Some(one);
            words.statics.insert(object.number, Static { name: object.name.clone(), is_one, cells });
        }
        for region in inputs.regions.values().filter(|region| matches!(region.ty, InputType::Ref(_))) {
            words.references.extend(region.cells.leaves());
        }
        words
    }

    /// The same words with those for the objects that a version makes, which are shapes of Java.
    pub fn with_new_objects(&self, shapes: BTreeMap<u32, String>) -> Words {
        let count = |shape: &String| shapes.values().filter(|other| *other == shape).count();
        let mut seen: BTreeMap<&String, usize> = BTreeMap::new();
        let mut made = BTreeMap::new();
        for (number, shape) in &shapes {
            let at = seen.entry(shape).or_insert(0);
            *at += 1;
            let short = shape.rsplit(['.', '$']).next().unwrap_or(shape);
            let which = if count(shape) > 1 { format!(" #{at}") } else { String::new() };
            made.insert(*number, format!("new {short}{which}"));
        }
        Words { made, ..self.clone() }
    }

    /// Which new object a term is.
    pub fn new_object(&self, terms: &Terms, term: Term) -> Option<u32> {
        number(terms.as_const(term)).filter(|number| self.made.contains_key(number))
    }

    /// A reference of Java, in words.
    pub fn reference_text(&self, terms: &Terms, term: Term) -> Option<String> {
        Some(self.reference(terms, term, 0)?.text)
    }

    fn reference(&self, terms: &Terms, term: Term, depth: u32) -> Option<Written> {
        if terms.as_const(term).is_none() || self.language != Language::Java {
            return self.write(terms, term, depth + 1);
        }
        let found = number(terms.as_const(term))?;
        let name = match found {
            0 => "null".to_owned(),
            _ => self.made.get(&found).or_else(|| Some(&self.statics.get(&found)?.name))?.clone(),
        };
        let is_whole = !name.starts_with("new ");
        Some(Written { text: name, unsigned: false, is_whole })
    }

    /// Whether a term is a reference of Java.
    pub fn is_reference(&self, terms: &Terms, term: Term) -> bool {
        self.references.contains(&term)
            || (*terms.op(term) == Op::Select && self.is_reference(terms, terms.args(term)[0]))
    }

    fn add(&mut self, name: &str, value: &SymValue, ty: &InputType, cells: Option<Cells>) {
        match (value, ty) {
            (SymValue::Scalar(term), InputType::Int(ty)) => {
                self.values.insert(*term, (name.to_owned(), !ty.signed));
            }
            (SymValue::Scalar(term), _) => {
                self.references.extend(matches!(ty, InputType::Ref(_)).then_some(*term));
                self.values.insert(*term, (name.to_owned(), false));
            }
            (SymValue::Record(parts), InputType::Record(types)) => {
                if let (
                    [SymValue::Scalar(object), SymValue::Scalar(place)],
                    [InputType::Ref(target), InputType::Int(_)],
                ) = (parts.as_slice(), types.as_slice())
                {
                    let unnamed = || Cells { names: Vec::new(), regions: Vec::new() };
                    let cells = cells.or_else(|| (!target.places.is_empty()).then(unnamed));
                    self.structs.extend(cells.map(|cells| (name.to_owned(), cells)));
                    self.objects.insert(*object, name.to_owned());
                    self.places.insert(*place, name.to_owned());
                }
            }
            _ => {}
        }
    }

    /// Adds a part of a value that has a name of its own.
    fn add_part(&mut self, name: &str, path: &[usize], value: &SymValue, ty: &InputType) {
        match (path, value, ty) {
            ([], SymValue::Scalar(_), _) => self.add(name, value, ty, None),
            ([at, rest @ ..], SymValue::Record(parts), InputType::Record(types)) => {
                if let (Some(part), Some(ty)) = (parts.get(*at), types.get(*at)) {
                    self.add_part(name, rest, part, ty);
                }
            }
            _ => {}
        }
    }

    /// A term that is true or false, or a value.
    pub fn text(&self, terms: &Terms, term: Term) -> Option<String> {
        Some(self.write(terms, term, 0)?.text)
    }

    fn write(&self, terms: &Terms, term: Term, depth: u32) -> Option<Written> {
        if depth > 8 {
            return None;
        }
        if let Some((name, unsigned)) = self.values.get(&term) {
            return Some(Written { text: name.clone(), unsigned: *unsigned, is_whole: true });
        }
        let args = terms.args(term);
        let operand = |at: usize| self.write(terms, *args.get(at)?, depth + 1);
        let java = self.language == Language::Java;
        match terms.op(term) {
            Op::Const(value) => constant(value, self.language),
            Op::Not => Some(Written::part(format!("!{}", operand(0)?.grouped()))),
            Op::Eq => self.equality(terms, args[0], args[1], depth),
            Op::BvCmp(comparison) => {
                let (left, right) = (operand(0)?, operand(1)?);
                let is_unsigned = matches!(comparison, BvCmp::Ult | BvCmp::Ule);
                let sign = if matches!(comparison, BvCmp::Slt | BvCmp::Ult) { "<" } else { "<=" };
                self.compared(left, sign, right, is_unsigned)
            }
            Op::Lt => self.compared(operand(0)?, "<", operand(1)?, false),
            Op::Le => self.compared(operand(0)?, "<=", operand(1)?, false),
            Op::FloatCmp(comparison) => {
                let sign = match comparison {
                    FloatCmp::Eq => "==",
                    FloatCmp::Lt => "<",
                    FloatCmp::Le => "<=",
                };
                self.compared(operand(0)?, sign, operand(1)?, false)
            }
            Op::FloatIsNan => {
                let value = operand(0)?.grouped();
                Some(Written::part(format!("{value} != {value}")))
            }
            Op::Add | Op::Bv(BvOp::Add) | Op::Float(FloatOp::Add) => self.sum(terms, args, depth),
            Op::Mul | Op::Bv(BvOp::Mul) | Op::Float(FloatOp::Mul) => self.joined(terms, args, "*", depth),
            Op::Bv(BvOp::Sub) | Op::Float(FloatOp::Sub) => self.joined(terms, args, "-", depth),
            Op::Bv(BvOp::Sdiv) | Op::RealDiv | Op::IntDiv | Op::Float(FloatOp::Div) => {
                self.joined(terms, args, "/", depth)
            }
            Op::Bv(BvOp::Srem) | Op::IntMod | Op::Float(FloatOp::Rem) => self.joined(terms, args, "%", depth),
            Op::Bv(BvOp::Udiv) if !java => self.joined(terms, args, "/", depth),
            Op::Bv(BvOp::Urem) if !java => self.joined(terms, args, "%", depth),
            Op::Bv(BvOp::And) => self.joined(terms, args, "&", depth),
            Op::Bv(BvOp::Or) => self.joined(terms, args, "|", depth),
            Op::Bv(BvOp::Xor) => self.joined(terms, args, "^", depth),
            Op::Bv(BvOp::Shl) => self.joined(terms, args, "<<", depth),
            Op::Bv(BvOp::Ashr) => self.joined(terms, args, ">>", depth),
            Op::Bv(BvOp::Lshr) if java => self.joined(terms, args, ">>>", depth),
            Op::Bv(BvOp::Lshr) => self.joined(terms, args, ">>", depth),
            Op::BvNeg | Op::Float(FloatOp::Neg) => Some(Written::part(format!("-{}", operand(0)?.grouped()))),
            Op::BvNot => Some(Written::part(format!("~{}", operand(0)?.grouped()))),
            Op::SignExtend(width) | Op::ZeroExtend(width) => {
                let signed = matches!(terms.op(term), Op::SignExtend(_));
                self.extended(terms, args[0], *width, signed, depth)
            }
            Op::Extract { high, low: 0 } => {
                let cast = self.type_of(high + 1, false)?;
                let value = operand(0)?.grouped();
                Some(Written { text: format!("({cast}) {value}"), unsigned: false, is_whole: false })
            }
            Op::IntToReal | Op::FloatConvert(_) => operand(0),
            Op::Select => self.selected(terms, args[0], args[1], depth),
            Op::TextLength if java => Some(Written::whole(format!("{}.length()", operand(0)?.grouped()))),
            Op::TextAt if java => {
                Some(Written::whole(format!("{}.charAt({})", operand(0)?.grouped(), operand(1)?.text)))
            }
            _ => None,
        }
    }

    fn equality(&self, terms: &Terms, left: Term, right: Term, depth: u32) -> Option<Written> {
        let (left, right) = match terms.as_const(left) {
            Some(_) => (right, left),
            None => (left, right),
        };
        let (is_text, other) = (*terms.sort_of(left) == Sort::Text, terms.as_const(right));
        // References are numbers; 0 is null.
        let names_object = |term: Term| self.objects.get(&term).cloned();
        if let Some(name) = names_object(left) {
            let other = match (names_object(right), number(other)) {
                (Some(other), _) => other,
                (None, Some(0)) => "0".to_owned(),
                (None, Some(number)) => self
                    .statics
                    .get(&number)
                    .map(|it| if it.is_one { format!("&{}", it.name) } else { it.name.clone() })?,
                (None, None) => return None,
            };
            return Some(Written::part(format!("{name} == {other}")));
        }
        let value = self.write(terms, left, depth + 1)?;
        if is_text && matches!(other, Some(Value::Text(Some(_)))) {
            let right = self.write(terms, right, depth + 1)?;
            return Some(Written::whole(format!("{}.equals({})", value.grouped(), right.text)));
        }
        if self.is_reference(terms, left) && other.is_some() {
            let is_null = number(other) == Some(0) && self.language == Language::Java;
            return is_null.then(|| Written::part(format!("{} == null", value.grouped())));
        }
        let right = self.write(terms, right, depth + 1)?;
        Some(Written::part(format!("{} == {}", value.grouped(), right.grouped())))
    }

    fn compared(&self, left: Written, sign: &str, right: Written, is_unsigned: bool) -> Option<Written> {
        if is_unsigned && self.language == Language::Java {
            return None;
        }
        if is_unsigned && !left.unsigned && !right.unsigned {
            return Some(Written::part(format!("(unsigned) {} {sign} {}", left.grouped(), right.grouped())));
        }
        Some(Written::part(format!("{} {sign} {}", left.grouped(), right.grouped())))
    }

    fn joined(&self, terms: &Terms, args: &[Term], sign: &str, depth: u32) -> Option<Written> {
        let parts: Option<Vec<Written>> =
            args.iter().map(|part| self.write(terms, *part, depth + 1)).collect();
        let mut parts = parts?;
        // Constants stand first in terms; people write them last.
        if matches!(sign, "*" | "&" | "|" | "^") {
            parts.rotate_left(usize::from(terms.as_const(args[0]).is_some()));
        }
        let unsigned = parts.iter().any(|part| part.unsigned);
        let text = parts.iter().map(Written::grouped).collect::<Vec<_>>().join(&format!(" {sign} "));
        Some(Written { text, unsigned, is_whole: false })
    }

    /// A sum: constants last, and what is negative is taken off.
    fn sum(&self, terms: &Terms, args: &[Term], depth: u32) -> Option<Written> {
        let (constants, mut order): (Vec<Term>, Vec<Term>) =
            args.iter().partition(|part| terms.as_const(**part).is_some());
        order.extend(constants);
        let mut sum = self.write(terms, order[0], depth + 1)?;
        for part in &order[1..] {
            let part = self.write(terms, *part, depth + 1)?;
            sum.text = match part.text.strip_prefix('-') {
                Some(rest) if rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '.') => {
                    format!("{} - {rest}", sum.text)
                }
                _ => format!("{} + {}", sum.text, part.grouped()),
            };
            sum.unsigned |= part.unsigned;
            sum.is_whole = false;
        }
        Some(sum)
    }

    fn extended(&self, terms: &Terms, value: Term, width: u32, signed: bool, depth: u32) -> Option<Written> {
        let inner = terms.sort_of(value).width()?;
        // Promotion does it by itself.
        let written = match (terms.op(value), terms.args(value)) {
            (Op::Extract { high, low: 0 }, [whole]) => {
                let cast = self.type_of(high + 1, !signed)?;
                let whole = self.write(terms, *whole, depth + 1)?.grouped();
                Written { text: format!("({cast}) {whole}"), unsigned: false, is_whole: false }
            }
            _ => self.write(terms, value, depth + 1)?,
        };
        if inner < 32 && (width <= 32 || self.values.contains_key(&value)) {
            return Some(Written { unsigned: false, ..written });
        }
        let cast = self.type_of(width, false)?;
        Some(Written { text: format!("({cast}) {}", written.grouped()), unsigned: false, is_whole: false })
    }

    /// An element, a field or a length.
    fn selected(&self, terms: &Terms, array: Term, key: Term, depth: u32) -> Option<Written> {
        if let (Op::Select, [region, object]) = (terms.op(array), terms.args(array)) {
            let (Op::Var(part), object) = (terms.op(*region), *object) else { return None };
            if let Some(name) = self.objects.get(&object) {
                if let Some(cells) = self.structs.get(name) {
                    let (element, member) = cells.member(self.cell_from(terms, name, key)?, part)?;
                    return Some(Written::whole(match element {
                        0 => format!("{name}->{member}"),
                        _ => format!("{name}[{element}].{member}"),
                    }));
                }
                let index = self.place_in(terms, name, key, depth)?;
                return Some(Written::whole(format!("{name}[{index}]")));
            }
            if let Some(it) = number(terms.as_const(object)).and_then(|it| self.statics.get(&it)) {
                let Static { name, is_one, cells } = it;
                if let Some(cells) = cells {
                    let (element, member) = cells.member(number(terms.as_const(key))?, part)?;
                    return Some(Written::whole(match is_one {
                        true => format!("{name}.{member}"),
                        false => format!("{name}[{element}].{member}"),
                    }));
                }
                let index = self.write(terms, key, depth + 1)?.text;
                return Some(Written::whole(if *is_one { name.clone() } else { format!("{name}[{index}]") }));
            }
            let object = self.reference(terms, object, depth)?.grouped();
            let index = self.write(terms, key, depth + 1)?.text;
            return Some(Written::whole(format!("{object}[{index}]")));
        }
        let (Op::Var(name), Language::Java) = (terms.op(array), self.language) else { return None };
        let object = self.reference(terms, key, depth)?.grouped();
        if name.starts_with("length.") {
            return Some(Written::whole(format!("{object}.length")));
        }
        let field = name.strip_prefix("heap.")?.rsplit('.').next()?;
        is_word(field).then(|| Written::whole(format!("{object}.{field}")))
    }

    /// How many cells a place lies behind a pointer.
    fn cell_from(&self, terms: &Terms, name: &str, place: Term) -> Option<u32> {
        let is_pointer = |term: &Term| self.places.get(term).is_some_and(|known| known == name);
        if is_pointer(&place) {
            return Some(0);
        }
        match (terms.op(place), terms.args(place)) {
            (Op::Bv(BvOp::Add) | Op::Add, [left, right]) if is_pointer(left) => {
                number(terms.as_const(*right))
            }
            (Op::Bv(BvOp::Add) | Op::Add, [left, right]) if is_pointer(right) => {
                number(terms.as_const(*left))
            }
            _ => None,
        }
    }

    /// Where in an object a place is, counted from a pointer to it.
    fn place_in(&self, terms: &Terms, name: &str, place: Term, depth: u32) -> Option<String> {
        let is_pointer = |term: &Term| self.places.get(term).is_some_and(|known| known == name);
        if is_pointer(&place) {
            return Some("0".to_owned());
        }
        if !matches!(terms.op(place), Op::Bv(BvOp::Add) | Op::Add) {
            return None;
        }
        let rest: Vec<Term> = terms.args(place).iter().filter(|part| !is_pointer(part)).copied().collect();
        let is_one_less = rest.len() + 1 == terms.args(place).len();
        let [rest] = rest.as_slice() else { return None };
        let rest = match (terms.op(*rest), terms.args(*rest)) {
            (Op::SignExtend(_), [index]) => *index,
            _ => *rest,
        };
        is_one_less.then(|| self.write(terms, rest, depth + 1)).flatten().map(|it| it.text)
    }

    fn type_of(&self, width: u32, unsigned: bool) -> Option<&'static str> {
        Some(match (self.language, width, unsigned) {
            (Language::Java, 8, false) => "byte",
            (Language::Java, 16, false) => "short",
            (Language::Java, 16, true) => "char",
            (Language::Java, 32, false) => "int",
            (Language::Java, 64, false) => "long",
            (Language::C, 8, false) => "signed char",
            (Language::C, 8, true) => "unsigned char",
            (Language::C, 16, false) => "short",
            (Language::C, 16, true) => "unsigned short",
            (Language::C, 32, false) => "int",
            (Language::C, 32, true) => "unsigned",
            (Language::C, 64, false) => "long",
            (Language::C, 64, true) => "unsigned long",
            _ => return None,
        })
    }
}

/// A part of an expression.
struct Written {
    text: String,
    unsigned: bool,
    /// Binds as a name does.
    is_whole: bool,
}

impl Written {
    fn whole(text: String) -> Written {
        Written { text, unsigned: false, is_whole: true }
    }

    fn part(text: String) -> Written {
        Written { text, unsigned: false, is_whole: false }
    }

    fn grouped(&self) -> String {
        if self.is_whole { self.text.clone() } else { format!("({})", self.text) }
    }
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

fn number(value: Option<&Value>) -> Option<u32> {
    match value? {
        Value::BitVec { bits, .. } => u32::try_from(*bits).ok(),
        Value::Int(number) => number.to_u32(),
        _ => None,
    }
}

/// A literal.
fn constant(value: &Value, language: Language) -> Option<Written> {
    let text = match (value, language) {
        (Value::Bool(value), Language::Java) => value.to_string(),
        (Value::Bool(value), Language::C) => u32::from(*value).to_string(),
        (Value::BitVec { bits, width }, _) if *width <= 64 => {
            let shift = 128 - width;
            let number = ((*bits << shift) as i128) >> shift;
            match (*width, language) {
                (64, Language::Java) if i32::try_from(number).is_err() => format!("{number}L"),
                (64, Language::C) if number == i128::from(i64::MIN) => return None,
                (32, Language::C) if number == i128::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
                _ => number.to_string(),
            }
        }
        (Value::Int(number), _) => number.to_string(),
        (Value::Real(number), _) => {
            let value = number.to_f64()?;
            let is_exact = num_rational::BigRational::from_float(value).as_ref() == Some(number);
            (is_exact || value.abs() < 1e15).then(|| format!("{value:?}"))?
        }
        (Value::Float { bits, format: smt::FloatFormat::F64 }, _) => {
            let value = f64::from_bits(*bits);
            value.is_finite().then(|| format!("{value:?}"))?
        }
        (Value::Float { bits, format: smt::FloatFormat::F32 }, _) => {
            let value = f32::from_bits(*bits as u32);
            value.is_finite().then(|| format!("{value:?}f"))?
        }
        (Value::Text(Some(units)), Language::Java) => {
            let text = String::from_utf16(units).ok()?;
            let is_plain = text.chars().all(|c| (' '..='~').contains(&c) && c != '"' && c != '\\');
            is_plain.then(|| format!("\"{text}\""))?
        }
        (Value::Text(None), _) => "null".to_owned(),
        _ => return None,
    };
    let is_whole = !text.starts_with('-');
    Some(Written { text, unsigned: false, is_whole })
}
