//! Translates programs into the compact form. Exact: a compiled program means what the program means.
//!
//! Code that breaks the typing rules of the IR, or that is nested too deeply, becomes a stop: a run that reaches it
//! ends there and says why. Compiling never fails, and never panics.

mod expr;
mod registers;
mod signature;
mod stmt;

use ir::{Cells, Const, LabelId, ProcId, Procedure, Program, Span, Type};
use rustc_hash::FxHashMap;

use crate::code::{
    Code, GlobalLayout, Handler, Inst, MapLayout, NO_REG, Pc, ProcCode, Reg, RegionLayout, ShapeLayout,
    StaticLayout, StopCode, TextConstants, width,
};
use crate::domain::Domain;
use crate::run::Mark;

/// The ending that stands in the place of code that cannot be compiled.
type Stopped = StopCode;

pub(crate) fn compile<D: Domain>(program: &Program, marks: &[Mark]) -> Code<D::Slot> {
    let mut tables = Tables::<D>::default();
    let regions = program.regions.iter().map(|region| RegionLayout {
        name: region.name.clone(),
        ty: region.value.clone(),
        zero: tables.flatten(&Const::zero(&region.value)),
        is_own: program.own.contains(&region.name),
    });
    let regions: Vec<_> = regions.collect();
    let shapes: Vec<_> = program.shapes.iter().map(|shape| shape_layout(shape, &regions)).collect();
    let mut slot = 0;
    let globals = program.globals.iter().map(|global| {
        let start = slot;
        slot += width(&global.ty);
        tables.global_slots.push(start);
        GlobalLayout {
            name: global.name.clone(),
            ty: global.ty.clone(),
            slot: start,
            initial: tables.flatten(&global.initial),
            constant: global.constant,
            private: global.private,
        }
    });
    let globals: Vec<_> = globals.collect();
    let statics = program.statics.iter().map(|object| StaticLayout {
        name: object.name.clone(),
        shape: object.shape.0,
        length: object.length,
        cells: object.cells.iter().flat_map(|cell| tables.flatten(cell)).collect(),
        constant: object.constant,
        private: object.private,
    });
    let statics = statics.collect();
    let mut procedures = Vec::new();
    let marks: FxHashMap<Mark, u32> = marks.iter().enumerate().map(|(i, mark)| (*mark, i as u32)).collect();
    for (index, procedure) in program.procedures.iter().enumerate() {
        let id = ProcId::from_index(index);
        procedures.push(ProcCompiler::new(program, &mut tables, id, procedure, &marks).compile());
    }
    let nothing_carried = tables.flatten(&Const::zero(&program.carried));
    Code {
        carried: program.carried.clone(),
        nothing_carried,
        procedures,
        globals,
        regions,
        shapes,
        statics,
        errors: program.errors.clone(),
        map_types: tables.map_types,
        shape_sets: tables.shape_sets,
        stops: tables.stops,
        texts: tables.texts,
        maps: tables.maps,
        branches: tables.branches,
        marks: marks.len() as u32,
        language: program.language,
    }
}

fn shape_layout<S>(shape: &ir::Shape, regions: &[RegionLayout<S>]) -> ShapeLayout {
    let (indexed, ids) = match &shape.cells {
        Cells::Fields(ids) => (false, ids),
        Cells::Indexed(ids) => (true, ids),
    };
    let mut stride = 0;
    let mut layout = Vec::new();
    for id in ids {
        layout.push((id.0, stride));
        stride += regions[id.index()].zero.len() as u32;
    }
    let can_be_made = !shape.is_abstract && !shape.closed;
    let lonely = shape.layout.lonely.clone();
    let ancestors = shape.ancestors.iter().map(|ancestor| ancestor.0).collect();
    ShapeLayout { name: shape.name.clone(), indexed, can_be_made, ancestors, regions: layout, stride, lonely }
}

/// The tables that all procedures of a program share.
struct Tables<D: Domain> {
    texts: TextConstants,
    maps: Vec<Box<[D::Slot]>>,
    map_types: Vec<MapLayout>,
    shape_sets: Vec<Vec<u32>>,
    stops: Vec<StopCode>,
    global_slots: Vec<u32>,
    branches: u32,
}

impl<D: Domain> Default for Tables<D> {
    fn default() -> Self {
        let texts = TextConstants::default();
        let (maps, map_types, shape_sets, stops) = (vec![], vec![], vec![], vec![]);
        Tables { texts, maps, map_types, shape_sets, stops, global_slots: vec![], branches: 0 }
    }
}

impl<D: Domain> Tables<D> {
    /// A constant as it lies in registers and cells.
    fn flatten(&mut self, constant: &Const) -> Vec<D::Slot> {
        let slot = match constant {
            Const::Bool(_) | Const::Int(..) | Const::F32(_) | Const::F64(_) => {
                D::constant(constant).expect("a scalar constant should have a slot")
            }
            Const::Text(units) => D::handle(self.texts.add(units)),
            Const::NullText => D::handle(crate::texts::NULL_TEXT),
            Const::Null => D::handle(0),
            Const::Static(id) => D::handle(id.0 + 1),
            Const::Record(fields) => return fields.iter().flat_map(|field| self.flatten(field)).collect(),
            Const::Map(_, default) => {
                let default: Box<[D::Slot]> = self.flatten(default).into();
                let known = self.maps.iter().position(|map| *map == default);
                D::handle(known.unwrap_or_else(|| {
                    self.maps.push(default);
                    self.maps.len() - 1
                }) as u32)
            }
        };
        vec![slot]
    }

    fn branch(&mut self) -> u32 {
        self.branches += 1;
        self.branches - 1
    }
}

/// Compiles one procedure.
struct ProcCompiler<'a, D: Domain> {
    program: &'a Program,
    tables: &'a mut Tables<D>,
    id: ProcId,
    procedure: &'a Procedure,
    marks: &'a FxHashMap<Mark, u32>,
    /// The number of the next statement, in the order of `ir::for_each_stmt`.
    next_statement: usize,
    local_regs: Vec<Reg>,
    insts: Vec<Inst>,
    handlers: Vec<Handler>,
    spans: Vec<(Pc, Span)>,
    labels: Vec<Label>,
    /// The first free register, and the most that were ever in use.
    next_reg: Reg,
    regs: Reg,
    frame_constants: Vec<D::Slot>,
    constant_regs: FxHashMap<Vec<D::Slot>, Reg>,
    constants: Vec<D::Slot>,
    depth: usize,
}

/// A loop or scope that jumps can name.
struct Label {
    id: LabelId,
    /// Where `continue` goes; scopes have no such place.
    start: Option<Pc>,
    /// The jumps to the end, whose target is not known yet.
    breaks: Vec<Pc>,
}

impl<'a, D: Domain> ProcCompiler<'a, D> {
    fn new(
        program: &'a Program,
        tables: &'a mut Tables<D>,
        id: ProcId,
        procedure: &'a Procedure,
        marks: &'a FxHashMap<Mark, u32>,
    ) -> Self {
        let mut next_reg = 0;
        let mut local_regs = Vec::new();
        for local in &procedure.locals {
            local_regs.push(next_reg);
            next_reg += width(&local.ty);
        }
        ProcCompiler {
            program,
            tables,
            id,
            procedure,
            marks,
            next_statement: 0,
            local_regs,
            insts: Vec::new(),
            handlers: Vec::new(),
            spans: Vec::new(),
            labels: Vec::new(),
            next_reg,
            regs: next_reg,
            frame_constants: Vec::new(),
            constant_regs: FxHashMap::default(),
            constants: Vec::new(),
            depth: 0,
        }
    }

    fn compile(mut self) -> ProcCode<D::Slot> {
        if let Some(body) = &self.procedure.body {
            self.block(body);
            self.return_zero();
        }
        let procedure = self.procedure;
        let mut frame: Vec<D::Slot> = Vec::new();
        for local in &procedure.locals {
            frame.extend(self.tables.flatten(&Const::zero(&local.ty)));
        }
        frame.resize(self.regs as usize, D::handle(0));
        let first_constant = frame.len() as Reg;
        frame.append(&mut self.frame_constants);
        let insts = self.insts.into_iter();
        // An unknown function of C is one function, whatever the types of its arguments.
        let is_variant = procedure.body.is_none() && self.program.language == ir::Language::C;
        ProcCode {
            name: if is_variant { &procedure.short_name } else { &procedure.name }.clone(),
            param_types: procedure.parameters().iter().map(|local| local.ty.clone()).collect(),
            param_width: procedure.parameters().iter().map(|local| width(&local.ty)).sum(),
            result: procedure.result.clone(),
            result_width: procedure.result.as_ref().map_or(0, width),
            frame,
            constants: self.constants,
            insts: insts.map(|inst| registers::place_constants(inst, first_constant)).collect(),
            handlers: self.handlers,
            spans: self.spans,
            is_external: procedure.body.is_none(),
            keeps_memory: self.program.language == ir::Language::Java,
            external: procedure.external,
        }
    }

    fn emit(&mut self, inst: Inst) {
        self.insts.push(inst);
    }

    fn pc(&self) -> Pc {
        self.insts.len() as Pc
    }

    /// Puts an ending into the code.
    fn emit_stop(&mut self, stop: StopCode) {
        let index = self.tables.stops.len() as u32;
        self.tables.stops.push(stop);
        self.emit(Inst::Stop { index });
    }

    /// Consecutive free registers, until the statement ends.
    fn alloc(&mut self, width: u32) -> Reg {
        let reg = self.next_reg;
        self.next_reg += width;
        self.regs = self.regs.max(self.next_reg);
        reg
    }

    /// Falling off the end gives the zero of the result type.
    fn return_zero(&mut self) {
        let src = match &self.procedure.result {
            Some(ty) => {
                let zero = self.tables.flatten(&Const::zero(ty));
                self.constant(zero)
            }
            None => NO_REG,
        };
        self.emit(Inst::Return { src });
    }

    /// Counts one level of nesting; ends the path when there are too many.
    fn enter(&mut self) -> Result<(), Stopped> {
        self.depth += 1;
        if self.depth <= ir::MAX_DEPTH {
            return Ok(());
        }
        Err(StopCode::Unsupported {
            what: "code that is nested too deeply".to_owned(),
            span: self.procedure.span,
        })
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn map_type(&mut self, key: &Type, value: &Type) -> u32 {
        let (key_width, value_width) = (width(key), width(value));
        let known = |map: &MapLayout| map.key == *key && map.value_width == value_width;
        let found = self.tables.map_types.iter().position(known);
        found.unwrap_or_else(|| {
            self.tables.map_types.push(MapLayout { key: key.clone(), key_width, value_width });
            self.tables.map_types.len() - 1
        }) as u32
    }
}

/// Code that breaks a rule of the IR.
fn ill_typed(what: impl Into<String>) -> Stopped {
    StopCode::Broken { what: what.into() }
}
