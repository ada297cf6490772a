//! The compact form that programs are run in: registers in a frame, jumps instead of blocks.
//!
//! A frame of a procedure holds its locals, then the constants it uses, then temporaries. Records lie flattened
//! in consecutive registers. Both number models run the same instructions on slots of different types.

use std::sync::Arc;

use ir::{BinaryOp, FloatType, IntType, Intrinsic, Scalar, Span, Stream, Type, UnaryOp};
use rustc_hash::FxHashMap;

/// A register: a position in the frame of the running procedure.
pub(crate) type Reg = u32;

/// Stands for a register that is not there.
pub(crate) const NO_REG: Reg = Reg::MAX;

/// A position in the instructions of a procedure.
pub(crate) type Pc = u32;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Inst {
    /// Copies consecutive registers; the ranges do not overlap unless they are the same.
    Copy {
        dst: Reg,
        src: Reg,
        width: u32,
    },
    /// Loads constants that found no place in the frame.
    Const {
        dst: Reg,
        index: u32,
        width: u32,
    },
    Unary {
        op: UnaryOp,
        ty: Scalar,
        dst: Reg,
        arg: Reg,
    },
    Binary {
        op: BinaryOp,
        ty: Scalar,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Convert {
        from: Scalar,
        to: Scalar,
        dst: Reg,
        arg: Reg,
    },
    Overflows {
        op: BinaryOp,
        ty: IntType,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Fits {
        from: FloatType,
        to: IntType,
        dst: Reg,
        arg: Reg,
    },
    /// Whether two references or two texts are the same.
    Same {
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    SameMap {
        map: u32,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Select {
        map: u32,
        dst: Reg,
        base: Reg,
        key: Reg,
    },
    Update {
        map: u32,
        dst: Reg,
        base: Reg,
        key: Reg,
        value: Reg,
    },
    GetGlobal {
        dst: Reg,
        slot: u32,
        width: u32,
    },
    SetGlobal {
        src: Reg,
        slot: u32,
        width: u32,
    },
    Load {
        region: u32,
        dst: Reg,
        object: Reg,
        index: Reg,
    },
    Store {
        region: u32,
        src: Reg,
        object: Reg,
        index: Reg,
    },
    Length {
        dst: Reg,
        object: Reg,
    },
    HasShape {
        dst: Reg,
        object: Reg,
        shapes: u32,
    },
    /// The arguments lie in consecutive registers.
    Intrinsic {
        function: Intrinsic,
        dst: Reg,
        args: Reg,
    },
    New {
        dst: Reg,
        shape: u32,
        length: Reg,
        unwritten: bool,
    },
    Free {
        object: Reg,
    },
    /// Every iteration of a loop begins with one.
    Jump {
        to: Pc,
    },
    JumpUnless {
        condition: Reg,
        to: Pc,
        branch: u32,
    },
    Check {
        condition: Reg,
        error: u32,
        branch: u32,
    },
    Assume {
        condition: Reg,
        branch: u32,
    },
    /// The arguments lie in consecutive registers; they are the first registers of the callee.
    Call {
        callee: u32,
        dst: Reg,
        args: Reg,
    },
    Return {
        src: Reg,
    },
    Throw {
        error: u32,
        message: Reg,
    },
    Print {
        stream: Stream,
        text: Reg,
    },
    /// Notes that a statement is executed; costs no step.
    Mark {
        number: u32,
    },
    /// Ends the run, with the entry of the table of stops.
    Stop {
        index: u32,
    },
}

/// A compiled program.
#[derive(Debug)]
pub(crate) struct Code<S> {
    pub(crate) procedures: Vec<ProcCode<S>>,
    pub(crate) globals: Vec<GlobalLayout<S>>,
    pub(crate) regions: Vec<RegionLayout<S>>,
    pub(crate) shapes: Vec<ShapeLayout>,
    pub(crate) statics: Vec<StaticLayout<S>>,
    pub(crate) errors: Vec<String>,
    pub(crate) map_types: Vec<MapLayout>,
    /// The sets of `HasShape`, sorted.
    pub(crate) shape_sets: Vec<Vec<u32>>,
    pub(crate) stops: Vec<StopCode>,
    pub(crate) texts: TextConstants,
    /// The defaults of the maps that exist from the start; map number `i` is entry `i`.
    pub(crate) maps: Vec<Box<[S]>>,
    pub(crate) branches: u32,
    /// How many statements are marked.
    pub(crate) marks: u32,
    /// The type of what failures carry, and what those of checks carry.
    pub(crate) carried: Type,
    pub(crate) nothing_carried: Vec<S>,
    pub(crate) language: ir::Language,
}

#[derive(Debug)]
pub(crate) struct ProcCode<S> {
    pub(crate) name: String,
    pub(crate) param_types: Vec<Type>,
    pub(crate) param_width: u32,
    pub(crate) result: Option<Type>,
    pub(crate) result_width: u32,
    /// The registers as they are when a call begins, the parameters excepted.
    pub(crate) frame: Vec<S>,
    pub(crate) constants: Vec<S>,
    pub(crate) insts: Vec<Inst>,
    /// Inner ones first.
    pub(crate) handlers: Vec<Handler>,
    /// Where statements begin, in the order of the instructions.
    pub(crate) spans: Vec<(Pc, Span)>,
    pub(crate) is_external: bool,
    /// Runs take it to leave memory alone if it is external: what it cannot name would have to be told apart.
    pub(crate) keeps_memory: bool,
    /// What it may do if it is external.
    pub(crate) external: ir::External,
}

/// Where to go on when an instruction in a range fails.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) start: Pc,
    pub(crate) end: Pc,
    /// The errors caught, or all of them.
    pub(crate) errors: Option<Vec<u32>>,
    /// Receives the message.
    pub(crate) message: Reg,
    pub(crate) target: Pc,
}

#[derive(Debug)]
pub(crate) struct GlobalLayout<S> {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) slot: u32,
    pub(crate) initial: Vec<S>,
    pub(crate) constant: bool,
    pub(crate) private: bool,
}

#[derive(Debug)]
pub(crate) struct RegionLayout<S> {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// The zero of the cells, one entry for each slot.
    pub(crate) zero: Vec<S>,
    /// A field that the other version lacks, of which only code of this one knows what it may hold.
    pub(crate) is_own: bool,
}

#[derive(Debug)]
pub(crate) struct ShapeLayout {
    pub(crate) name: String,
    pub(crate) indexed: bool,
    /// Objects of just this shape can be allocated.
    pub(crate) can_be_made: bool,
    /// The shapes that it is one of.
    pub(crate) ancestors: Vec<u32>,
    /// The regions in the order of the cells, each with the slot at which its cell starts.
    pub(crate) regions: Vec<(u32, u32)>,
    /// The cells of an element that only one version has.
    pub(crate) lonely: Vec<u32>,
    /// The slots of one round of all regions.
    pub(crate) stride: u32,
}

#[derive(Debug)]
pub(crate) struct StaticLayout<S> {
    pub(crate) name: String,
    pub(crate) shape: u32,
    pub(crate) length: Option<i64>,
    pub(crate) cells: Vec<S>,
    pub(crate) constant: bool,
    pub(crate) private: bool,
}

#[derive(Debug)]
pub(crate) struct MapLayout {
    pub(crate) key: Type,
    pub(crate) key_width: u32,
    pub(crate) value_width: u32,
}

/// An ending that stands in the code.
#[derive(Clone, Debug)]
pub(crate) enum StopCode {
    Unsupported { what: String, span: Span },
    Broken { what: String },
}

/// The texts that stand in the program. Text number 0 is the null text, number `i + 1` is entry `i`.
#[derive(Debug, Default)]
pub(crate) struct TextConstants {
    pub(crate) texts: Vec<Arc<[u16]>>,
    pub(crate) numbers: FxHashMap<Arc<[u16]>, u32>,
}

impl TextConstants {
    pub(crate) fn add(&mut self, text: &[u16]) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let text: Arc<[u16]> = text.into();
        self.texts.push(text.clone());
        let number = self.texts.len() as u32;
        self.numbers.insert(text, number);
        number
    }
}

impl<S> ProcCode<S> {
    /// The place in the source of the instruction at a position.
    pub(crate) fn span_at(&self, pc: Pc) -> Option<Span> {
        let behind = self.spans.partition_point(|(start, _)| *start <= pc);
        self.spans[..behind].last().map(|(_, span)| *span).filter(|span| !span.is_nowhere())
    }
}

impl ShapeLayout {
    /// The slot at which the cell of a region lies, for shapes with fields.
    pub(crate) fn field(&self, region: u32) -> Option<u32> {
        self.regions.iter().find(|(known, _)| *known == region).map(|(_, slot)| *slot)
    }

    /// The slot at which the cell with an index lies, if it is in the region.
    pub(crate) fn element(&self, region: u32, index: usize) -> Option<usize> {
        if let [(only, _)] = self.regions[..] {
            return (only == region).then_some(index * self.stride as usize);
        }
        let (actual, slot) = *self.regions.get(index.checked_rem(self.regions.len())?)?;
        let round = index / self.regions.len() * self.stride as usize;
        (actual == region).then_some(round + slot as usize)
    }

    /// Whether nothing may change the objects of this shape: those of C that are `const`.
    pub(crate) fn is_constant(&self) -> bool {
        self.name.starts_with(ir::CONSTANT)
    }

    /// Whether only one version has the member that this cell belongs to.
    pub(crate) fn is_lonely(&self, cell: usize) -> bool {
        !self.lonely.is_empty() && self.lonely.contains(&((cell % self.regions.len()) as u32))
    }

    /// How many slots an object of this shape has, or `None` when that is beyond counting.
    pub(crate) fn slots(&self, length: Option<i64>) -> Option<u64> {
        let Some(length) = length else { return Some(self.stride.into()) };
        let length = u64::try_from(length).ok()?;
        let rounds = length.div_ceil(self.regions.len().max(1) as u64);
        rounds.checked_mul(u64::from(self.stride))
    }
}

/// The number of slots that a value of a type takes.
pub(crate) fn width(ty: &Type) -> u32 {
    match ty {
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Text | Type::Ref(_) | Type::Map(..) => 1,
        Type::Record(fields) => fields.iter().map(width).sum(),
    }
}
