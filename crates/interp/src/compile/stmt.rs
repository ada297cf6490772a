//! Statements: blocks become jumps, handlers become ranges.

use ir::{Block, Catch, CatchKind, Expr, LabelId, ShapeId, Stmt, StmtKind, Target, Type};

use super::expr::mismatch;
use super::{Label, ProcCompiler, Stopped, ill_typed};
use crate::code::{Handler, Inst, NO_REG, Pc, Reg, StopCode, width};
use crate::domain::Domain;
use crate::run::Mark;

impl<D: Domain> ProcCompiler<'_, D> {
    pub(super) fn block(&mut self, block: &Block) {
        for stmt in block {
            let free = self.next_reg;
            let depth = self.depth;
            let number = self.next_statement;
            self.next_statement += 1;
            self.spans.push((self.pc(), stmt.span));
            if let Some(mark) = self.marks.get(&Mark { procedure: self.id, statement: number }) {
                self.emit(Inst::Mark { number: *mark });
            }
            let (start, spans) = (self.insts.len(), self.spans.len());
            if let Err(stop) = self.stmt(stmt) {
                // What was emitted so far may hold jumps without a target.
                self.insts.truncate(start);
                self.spans.truncate(spans);
                self.emit_stop(at(stop, stmt.span));
                self.depth = depth;
                self.next_statement = number;
                ir::for_each_stmt(std::slice::from_ref(stmt), &mut |_| self.next_statement += 1);
            }
            self.next_reg = free;
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Stopped> {
        self.enter()?;
        match &stmt.kind {
            StmtKind::Assign { local, value } => self.assign(*local, value)?,
            StmtKind::AssignGlobal { global, value } => self.assign_global(*global, value)?,
            StmtKind::Store { region, object, index, value } => {
                self.store(*region, object, index.as_ref(), value)?;
            }
            StmtKind::New { local, shape, length, unwritten } => {
                self.new_object(*local, *shape, length.as_ref(), *unwritten)?;
            }
            StmtKind::Free { object } => {
                let object = self.typed(object, &Type::Ref(Target::Any))?;
                self.emit(Inst::Free { object });
            }
            StmtKind::If { condition, then, otherwise } => self.if_stmt(condition, then, otherwise)?,
            StmtKind::Loop { label, body } => {
                let start = self.pc();
                self.labelled(*label, Some(start), body);
            }
            StmtKind::Scope { label, body } => self.labelled(*label, None, body),
            StmtKind::Break(label) => {
                let jump = self.pc();
                let target = self.labels.iter_mut().rev().find(|known| known.id == *label);
                target.ok_or_else(|| ill_typed("break to a label that is not open"))?.breaks.push(jump);
                self.emit(Inst::Jump { to: 0 });
            }
            StmtKind::Continue(label) => {
                let target = self.labels.iter().rev().find(|known| known.id == *label);
                let start = target.and_then(|label| label.start);
                let to = start.ok_or_else(|| ill_typed("continue to what is not an open loop"))?;
                self.emit(Inst::Jump { to });
            }
            StmtKind::Return(value) => self.return_stmt(value.as_ref())?,
            StmtKind::Call { local, callee, args } => self.call(*local, *callee, args)?,
            StmtKind::Throw { error, message } => {
                let message = match message {
                    Some(message) => self.typed(message, &self.program.carried.clone())?,
                    None => NO_REG,
                };
                self.emit(Inst::Throw { error: error.0, message });
            }
            StmtKind::Try { body, catches } => self.try_stmt(body, catches)?,
            StmtKind::Check { condition, error } | StmtKind::Assert { condition, error } => {
                let condition = self.typed(condition, &Type::Bool)?;
                let branch = self.tables.branch();
                self.emit(Inst::Check { condition, error: error.0, branch });
            }
            StmtKind::Assume { condition } => {
                let condition = self.typed(condition, &Type::Bool)?;
                let branch = self.tables.branch();
                self.emit(Inst::Assume { condition, branch });
            }
            StmtKind::Print { stream, text } => {
                let text = self.typed(text, &Type::Text)?;
                self.emit(Inst::Print { stream: *stream, text });
            }
            StmtKind::Unsupported { what } => {
                return Err(StopCode::Unsupported { what: what.clone(), span: stmt.span });
            }
        }
        self.leave();
        Ok(())
    }

    /// The register of a local that gets a value of a type.
    fn local(&self, local: ir::LocalId, ty: &Type) -> Result<Reg, Stopped> {
        let declared =
            self.procedure.locals.get(local.index()).ok_or_else(|| ill_typed("there is no such local"))?;
        if declared.ty.accepts(ty) {
            Ok(self.local_regs[local.index()])
        } else {
            Err(mismatch(&declared.ty, ty))
        }
    }

    fn assign(&mut self, local: ir::LocalId, value: &Expr) -> Result<(), Stopped> {
        let declared =
            self.procedure.locals.get(local.index()).ok_or_else(|| ill_typed("there is no such local"))?;
        let dst = self.local_regs[local.index()];
        // One slot is written by the last instruction, after all reads; several might be written too early.
        let ty = if width(&declared.ty) == 1 {
            self.value_into(value, dst)?
        } else {
            let (src, ty) = self.value(value)?;
            if src != dst {
                self.emit(Inst::Copy { dst, src, width: width(&ty) });
            }
            ty
        };
        self.local(local, &ty).map(|_| ())
    }

    fn assign_global(&mut self, global: ir::GlobalId, value: &Expr) -> Result<(), Stopped> {
        let program = self.program;
        let declared =
            program.globals.get(global.index()).ok_or_else(|| ill_typed("there is no such global"))?;
        if declared.constant {
            return Err(ill_typed(format!("assignment to the constant {}", declared.name)));
        }
        let src = self.typed(value, &declared.ty)?;
        let slot = self.tables.global_slots[global.index()];
        self.emit(Inst::SetGlobal { src, slot, width: width(&declared.ty) });
        Ok(())
    }

    fn store(
        &mut self,
        region: ir::RegionId,
        object: &Expr,
        index: Option<&Expr>,
        value: &Expr,
    ) -> Result<(), Stopped> {
        let object = self.typed(object, &Type::Ref(Target::Any))?;
        let (index, ty) = self.cell(region, index)?;
        let src = self.typed(value, &ty)?;
        self.emit(Inst::Store { region: region.0, src, object, index });
        Ok(())
    }

    fn new_object(
        &mut self,
        local: ir::LocalId,
        shape: ShapeId,
        length: Option<&Expr>,
        unwritten: bool,
    ) -> Result<(), Stopped> {
        let declared =
            self.program.shapes.get(shape.index()).ok_or_else(|| ill_typed("there is no such shape"))?;
        let indexed = matches!(declared.cells, ir::Cells::Indexed(_));
        if indexed != length.is_some() {
            return Err(ill_typed(format!(
                "a new {} with a length it should not have, or without",
                declared.name
            )));
        }
        let length = match length {
            Some(length) => {
                let (reg, ty) = self.value(length)?;
                if !matches!(ty, Type::Int(_)) {
                    return Err(ill_typed("a length that is not an integer"));
                }
                reg
            }
            None => NO_REG,
        };
        let dst = self.local(local, &Type::Ref(Target::Shape(shape)))?;
        self.emit(Inst::New { dst, shape: shape.0, length, unwritten });
        Ok(())
    }

    fn if_stmt(&mut self, condition: &Expr, then: &Block, otherwise: &Block) -> Result<(), Stopped> {
        let condition = self.typed(condition, &Type::Bool)?;
        let branch = self.tables.branch();
        let split = self.insts.len();
        self.emit(Inst::JumpUnless { condition, to: 0, branch });
        self.block(then);
        if otherwise.is_empty() {
            self.patch(split);
        } else {
            let join = self.insts.len();
            self.emit(Inst::Jump { to: 0 });
            self.patch(split);
            self.block(otherwise);
            self.patch(join);
        }
        Ok(())
    }

    /// Makes the jump at a position go to here.
    pub(super) fn patch(&mut self, jump: usize) {
        let here = self.insts.len() as Pc;
        if let Inst::Jump { to } | Inst::JumpUnless { to, .. } = &mut self.insts[jump] {
            *to = here;
        }
    }

    fn labelled(&mut self, id: LabelId, start: Option<Pc>, body: &Block) {
        self.labels.push(Label { id, start, breaks: Vec::new() });
        self.block(body);
        if let Some(to) = start {
            self.emit(Inst::Jump { to });
        }
        let label = self.labels.pop().expect("labels should be closed in the order they were opened");
        for jump in label.breaks {
            self.patch(jump as usize);
        }
    }

    fn return_stmt(&mut self, value: Option<&Expr>) -> Result<(), Stopped> {
        let Some(value) = value else {
            self.return_zero();
            return Ok(());
        };
        let procedure = self.procedure;
        let ty = procedure
            .result
            .as_ref()
            .ok_or_else(|| ill_typed("a value returned where there is no result"))?;
        let src = self.typed(value, ty)?;
        self.emit(Inst::Return { src });
        Ok(())
    }

    fn call(&mut self, local: Option<ir::LocalId>, callee: ir::ProcId, args: &[Expr]) -> Result<(), Stopped> {
        let program = self.program;
        let target =
            program.procedures.get(callee.index()).ok_or_else(|| ill_typed("there is no such procedure"))?;
        if target.params != args.len() {
            return Err(ill_typed(format!("a call of {} with {} arguments", target.name, args.len())));
        }
        let dst = match (local, &target.result) {
            (None, _) => NO_REG,
            (Some(local), Some(ty)) => self.local(local, ty)?,
            (Some(_), None) => {
                return Err(ill_typed(format!("the result of {}, which has none", target.name)));
            }
        };
        let base = self.alloc(target.parameters().iter().map(|param| width(&param.ty)).sum());
        let mut next = base;
        for (arg, param) in args.iter().zip(target.parameters()) {
            let ty = self.value_into(arg, next)?;
            if !param.ty.accepts(&ty) {
                return Err(mismatch(&param.ty, &ty));
            }
            next += width(&param.ty);
        }
        self.emit(Inst::Call { callee: callee.0, dst, args: base });
        Ok(())
    }

    fn try_stmt(&mut self, body: &Block, catches: &[Catch]) -> Result<(), Stopped> {
        let mut messages = Vec::new();
        for catch in catches {
            messages.push(match catch.message {
                Some(local) => self.local(local, &self.program.carried.clone())?,
                None => NO_REG,
            });
        }
        let start = self.pc();
        self.block(body);
        let end = self.pc();
        let mut leaving = vec![self.insts.len()];
        self.emit(Inst::Jump { to: 0 });
        for (catch, message) in catches.iter().zip(messages) {
            let errors = match &catch.kind {
                CatchKind::Any => None,
                CatchKind::Errors(errors) => Some(errors.iter().map(|error| error.0).collect()),
            };
            let target = self.pc();
            // Handlers of a `try` inside a catch block come between ours; their ranges do not overlap.
            self.handlers.push(Handler { start, end, errors, message, target });
            self.block(&catch.body);
            leaving.push(self.insts.len());
            self.emit(Inst::Jump { to: 0 });
        }
        for jump in leaving {
            self.patch(jump);
        }
        Ok(())
    }
}

/// Gives endings the place of their statement.
fn at(stop: StopCode, span: ir::Span) -> StopCode {
    match stop {
        StopCode::Unsupported { what, .. } => StopCode::Unsupported { what, span },
        StopCode::Broken { what } if span.is_nowhere() => StopCode::Broken { what },
        StopCode::Broken { what } => StopCode::Broken { what: format!("line {}: {what}", span.line) },
    }
}
