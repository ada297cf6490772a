//! Pointer arithmetic, comparisons and casts, and the checks that keep pointers to the cells of their type.

use ir::{BinaryOp, Const, Expr, Global, GlobalId, IntType, Scalar, StmtKind, Type};
use lang_c::span::Span;

use super::place::Memory;
use super::tables::scalar;
use super::{Lowered, Lowerer, Value};
use crate::build;
use crate::types::CType;
use crate::views::Handling;

/// The global with the addresses of objects.
const ADDRESS_MAP: &str = "$address";

impl Lowerer<'_> {
    /// `pointer + index` or `pointer - index`.
    pub(crate) fn move_pointer(
        &mut self,
        pointer: Value,
        index: Value,
        op: BinaryOp,
        span: Span,
    ) -> Lowered<Value> {
        let CType::Pointer(pointee) = &pointer.ty else {
            return self.gap("arithmetic on something that is no pointer", span);
        };
        let Some(cells) = self.records.cells(pointee).filter(|_| self.records.size(pointee).is_some()) else {
            return self.gap("arithmetic on a pointer to an incomplete type", span);
        };
        if let CType::Function(_) | CType::Other(_) = **pointee {
            return self.gap("arithmetic on a pointer to a function", span);
        }
        let index = self.convert(index, &CType::LONG)?;
        let pointer = if build::is_simple(&pointer.expr) { pointer } else { self.once(pointer) };
        self.check_counted_in_bytes(&pointer);
        let (object, offset) = build::parts(pointer.expr);
        let moved = build::mul(IntType::I64, index.expr, build::i64(cells));
        let offset = build::binary(op, Scalar::Int(IntType::I64), offset, moved, self.constant);
        Ok(Value { expr: build::pointer(object, offset), ty: pointer.ty })
    }

    /// GNU counts `void *` in bytes: where cells are something else, that is a gap.
    fn check_counted_in_bytes(&mut self, pointer: &Value) {
        let is_void = matches!(&pointer.ty, CType::Pointer(pointee) if **pointee == CType::Void);
        if self.records.bytes || !is_void || self.only_bytes_are_erased() {
            return;
        }
        let (object, _) = build::parts(pointer.expr.clone());
        let fits = self.has_cells_of(&object, &CType::CHAR);
        let wrong = build::and(build::not(build::is_null(object)), build::not(fits));
        self.unsupported_if(wrong, crate::gaps::MOVED_VOID);
    }

    /// Whether nothing but bytes ever becomes `void *`.
    fn only_bytes_are_erased(&self) -> bool {
        let erased = |facts: &super::Facts| facts.erased.iter().any(|name| name != "char");
        !self.facts.is_some_and(erased) && !self.void_leads_to_objects()
    }

    /// Whether an object has elements with the same kinds of cells as a type.
    fn has_cells_of(&mut self, object: &Expr, element: &CType) -> Expr {
        let kinds = self.kinds(element);
        let shapes = self.facts.map(|facts| &facts.shapes).into_iter().flatten();
        let names: Vec<&String> = shapes.filter(|(_, of)| **of == kinds).map(|(name, _)| name).collect();
        let shapes = names.into_iter().map(|name| self.shape_named(name)).collect();
        Expr::HasShape { object: Box::new(object.clone()), shapes }
    }

    /// `a - b`, for pointers into the same object.
    pub(crate) fn pointer_difference(&mut self, a: Value, b: Value, span: Span) -> Lowered<Value> {
        let cells = match &a.ty {
            CType::Pointer(pointee) => self.records.cells(pointee),
            _ => None,
        };
        let Some(cells) = cells.filter(|cells| *cells > 0) else {
            return self.gap("the difference of pointers to an incomplete type", span);
        };
        self.note_comparison(&a, &b);
        self.check_counted_in_bytes(&a);
        let (a_object, a_offset) = build::parts(a.expr);
        let (b_object, b_offset) = build::parts(b.expr);
        self.check(build::same_ref(a_object, b_object), "undefined pointer difference");
        let long = Scalar::Int(IntType::I64);
        let difference = build::binary(BinaryOp::Sub, long, a_offset, b_offset, self.constant);
        let expr = build::binary(BinaryOp::Div, long, difference, build::i64(cells), self.constant);
        Ok(Value { expr, ty: CType::LONG })
    }

    /// Whether two pointers are equal: the same object and offset. Only the object counts against null, because
    /// moving a null pointer is undefined.
    pub(crate) fn pointers_equal(&mut self, a: Value, b: Value) -> Expr {
        let (a_object, a_offset) = build::parts(a.expr);
        let (b_object, b_offset) = build::parts(b.expr);
        let with_null = [&a_object, &b_object].contains(&&build::null());
        let same = build::same_ref(a_object, b_object);
        if with_null {
            return same;
        }
        build::and(same, build::eq(Scalar::Int(IntType::I64), a_offset, b_offset))
    }

    /// `a < b` or `a <= b`: by offset in the same object, else by where the objects lie, as gcc compiles it.
    pub(crate) fn pointer_order(&mut self, op: BinaryOp, a: Value, b: Value) -> Expr {
        let (a_object, a_offset) = build::parts(a.expr);
        let (b_object, b_offset) = build::parts(b.expr);
        let within = build::binary(op, Scalar::Int(IntType::I64), a_offset, b_offset, self.constant);
        let same = build::same_ref(a_object.clone(), b_object.clone());
        let across = Expr::Intrinsic { function: ir::Intrinsic::Before, args: vec![a_object, b_object] };
        build::if_else(same, within, across)
    }

    /// Notes which kinds of pointers are compared; null is equal to none of them.
    pub(crate) fn note_comparison(&mut self, lhs: &Value, rhs: &Value) {
        let is_null = |value: &Value| build::parts(value.expr.clone()).0 == build::null();
        if is_null(lhs) || is_null(rhs) {
            return;
        }
        for value in [lhs, rhs] {
            if let (Expr::Const(Const::Static(id)), CType::Pointer(pointee)) =
                (build::parts(value.expr.clone()).0, &value.ty)
                && self.is_constant_object(&self.program.static_object(id).name)
            {
                let name = self.program.static_object(id).name.clone();
                let to = self.element_name(pointee);
                self.body.handlings.insert(Handling::ComparedConstant { to, name });
            }
        }
        let pointees = [lhs, rhs].map(|value| match &value.ty {
            CType::Pointer(pointee) => (**pointee).clone(),
            _ => CType::Void,
        });
        let erased = pointees.contains(&CType::Void);
        for pointee in pointees {
            let name = self.element_name(&pointee);
            self.body.handlings.insert(if erased {
                Handling::Erased(name)
            } else {
                Handling::Compared(name)
            });
        }
        if erased {
            self.body.handlings.insert(Handling::ComparedAsVoid);
            self.found.void_compared = true;
            if self.facts.is_some_and(|facts| facts.function_erased) {
                self.unsupported_if(build::boolean(true), crate::gaps::ERASED_FUNCTION);
            }
        }
    }

    /// A pointer to the end of one object may equal one to the start of another that lies behind it. That it does
    /// not is an assumption; where both objects are variables with a name, the comparison is unsupported.
    ///
    /// Over-approximating: an offset that is not constant may be that of either end.
    pub(crate) fn keep_neighbours_apart(&mut self, lhs: &Value, rhs: &Value, span: Span) -> Lowered<()> {
        let is_function =
            |value: &Value| matches!(&value.ty, CType::Pointer(to) if matches!(**to, CType::Function(_)));
        let [left, right] = [lhs, rhs].map(|value| build::parts(value.expr.clone()));
        let is_null = [&left.0, &right.0].contains(&&build::null());
        if is_null || left.0 == right.0 || is_function(lhs) || is_function(rhs) {
            return Ok(());
        }
        self.keep_texts_apart([&left.0, &right.0], lhs);
        let [(left, left_start, left_end), (right, right_start, right_end)] =
            [left, right].map(|(object, offset)| self.possible_ends(&object, &offset));
        if !(left_start && right_end || left_end && right_start) {
            return Ok(());
        }
        if left && right {
            return self.gap("a comparison of the end of one variable with the start of another", span);
        }
        self.assume(ir::ENDS_APART);
        Ok(())
    }

    /// String literals may share their ends; that they do not is an assumption where both places may be in some.
    fn keep_texts_apart(&mut self, objects: [&Expr; 2], value: &Value) {
        let is_text = |object: &&Expr| match object {
            Expr::Const(Const::Static(id)) => self.program.static_object(*id).name.starts_with('"'),
            _ => true,
        };
        let is_byte = matches!(&value.ty, CType::Pointer(to)
            if matches!(to.without_volatile(), CType::Void) || self.records.size(to) == Some(1));
        if is_byte && objects.iter().all(is_text) {
            self.assume(ir::TEXTS_APART);
        }
    }

    /// Takes the assumption back where no literal of the program is the end of another one.
    pub(crate) fn withdraw_texts_apart(&mut self) {
        let texts = self.program.statics.iter().filter(|object| object.name.starts_with('"'));
        let mut backwards: Vec<Vec<&Const>> =
            texts.map(|object| object.cells.iter().rev().collect()).collect();
        backwards.sort();
        // What begins like another one comes right before one that does.
        if !backwards.windows(2).any(|pair| pair[1].starts_with(&pair[0])) {
            for procedure in &mut self.program.procedures {
                procedure.assumptions.retain(|assumption| assumption != ir::TEXTS_APART);
            }
        }
    }

    /// Whether an object is a variable with a name, and whether the place may be its start, and its end.
    fn possible_ends(&self, object: &Expr, offset: &Expr) -> (bool, bool, bool) {
        let Expr::Const(Const::Static(id)) = object else {
            return (false, true, true);
        };
        let object = self.program.static_object(*id);
        let variable = self.variables.iter().find(|variable| variable.name == object.name);
        let cells = match variable {
            Some(variable) => self.records.cells(&variable.ty).map(i128::from),
            None => object.length.map(i128::from),
        };
        match (offset, cells) {
            // What only stands for a function or a number has no end.
            (_, Some(0)) => (true, false, false),
            (Expr::Const(Const::Int(_, at)), Some(cells)) => (true, at <= &0, at >= &cells),
            _ => (true, true, true),
        }
    }

    /// Whether an object is a text, or a variable that never changes.
    fn is_constant_object(&self, name: &str) -> bool {
        let variable = self.variables.iter().position(|variable| variable.name == name);
        name.starts_with('"') || variable.is_some_and(|index| self.is_constant_variable(index))
    }

    /// The pointer to a place of memory, as `&` or an array's decay makes it.
    pub(crate) fn note_address(&mut self, memory: &Memory, element: &CType) {
        if let Some(index) = memory.variable {
            let name = self.variables[index].name.clone();
            if self.is_constant_variable(index) {
                let to = self.element_name(element);
                self.body.handlings.insert(Handling::Constant { to, name: name.clone() });
            }
            self.found.addressed.insert(name);
        } else if let Expr::Const(Const::Static(id)) = &memory.object
            && let name = &self.program.static_object(*id).name
            && name.starts_with('"')
        {
            let (to, name) = (self.element_name(element), name.clone());
            self.body.handlings.insert(Handling::Constant { to, name });
        }
        if let Some(whole) = &memory.inside
            && (memory.variable.is_some() || memory.through.is_some())
        {
            let (to, of) = (self.element_name(element), self.element_name(whole));
            self.body.handlings.insert(Handling::Part { to, of });
        }
        if let Some(whole) = &memory.inside
            && !self.records.bytes
            && !self.is_uniform(whole, element)
            && !self.body.unfollowed
        {
            self.found.inside.insert(self.element_name(element));
        }
        // A pointer to a member may be moved beyond it, to what lies beside it.
        if let Some(whole) = &memory.inside
            && self.records.bytes
            && !self.is_plain_bytes(whole)
        {
            self.found.opened.insert(self.element_name(whole));
        }
    }

    /// Whether all cells of a record are of one kind, so that a pointer may move over all of it.
    fn is_uniform(&self, whole: &CType, element: &CType) -> bool {
        self.kinds(whole) == self.kinds(element)
    }

    /// A pointer of this kind may lead to a cell of another region: then the access is a gap.
    pub(crate) fn check_layout(&mut self, memory: &Memory, ty: &CType) {
        let (Some(facts), Some(through)) = (self.facts, &memory.through) else { return };
        if !facts.inside.contains(through) {
            return;
        }
        for (index, cell) in self.cell_types(ty).into_iter().enumerate().take(64) {
            let offset = build::add(IntType::I64, memory.offset.clone(), build::i64(index as u64));
            let fits = self.cell_lies_in(memory.object.clone(), offset, &self.region_name(&cell));
            self.unsupported_if(build::not(fits), crate::gaps::LEAVES_MEMBER);
        }
    }

    /// Whether the cell at an offset of an object belongs to a region.
    fn cell_lies_in(&mut self, object: Expr, offset: Expr, region: &str) -> Expr {
        let Some(facts) = self.facts else { return build::boolean(true) };
        let mut all = Vec::new();
        let mut condition = build::boolean(false);
        for (name, pattern) in &facts.shapes {
            if !pattern.iter().any(|kind| kind == region) {
                continue;
            }
            let shape = self.shape_named(name);
            if pattern.len() == 1 {
                all.push(shape);
                continue;
            }
            let long = Scalar::Int(IntType::I64);
            let rest =
                build::binary(BinaryOp::Rem, long, offset.clone(), build::i64(pattern.len() as u64), false);
            let cells = any(runs(pattern, region)
                .into_iter()
                .map(|run| {
                    let [first, end] = [run.start, run.end].map(|cell| build::i64(cell as u64));
                    if run.len() == 1 {
                        return build::eq(long, rest.clone(), first);
                    }
                    let starts = build::le(IntType::I64, first, rest.clone());
                    build::and(starts, build::lt(IntType::I64, rest.clone(), end))
                })
                .collect());
            let has = Expr::HasShape { object: Box::new(object.clone()), shapes: vec![shape] };
            condition = build::or(condition, build::and(has, cells));
        }
        build::or(Expr::HasShape { object: Box::new(object), shapes: all }, condition)
    }

    /// Writing to a constant object is an error.
    pub(crate) fn check_writable(&mut self, memory: &Memory) {
        let Some(facts) = self.facts else { return };
        if memory.certain && memory.through.is_none() && !matches!(memory.object, Expr::Const(_)) {
            return;
        }
        if let Some(index) = memory.variable {
            if self.is_constant_variable(index) {
                self.check(build::boolean(false), "write to a constant");
            }
            return;
        }
        let Some(through) = &memory.through else { return };
        // A constant of the pointer's own kind, or one that has such a part.
        let bytes = self.records.bytes;
        let mut shapes = if bytes { self.constant_shapes(through) } else { Vec::new() };
        for name in facts.shapes.keys().filter(|name| name.starts_with("const ") && !bytes) {
            let own = *name == format!("const {through}[]");
            if own || facts.inside.contains(through) {
                shapes.push(self.shape_named(name));
            }
        }
        if !shapes.is_empty() {
            let constant = Expr::HasShape { object: Box::new(memory.object.clone()), shapes };
            self.check(build::not(constant), "write to a constant");
        }
    }

    /// A pointer as a pointer to another type. Free when the cells are of the same kinds; otherwise the object
    /// must have a shape that fits, or be null.
    pub(crate) fn cast_pointer(&mut self, value: Value, to: &CType) -> Value {
        let (CType::Pointer(from), CType::Pointer(pointee)) = (&value.ty, to) else { return value };
        if **pointee == CType::Void {
            self.found.erased.insert(self.element_name(from));
            self.body.handlings.insert(Handling::Erased(self.element_name(from)));
        }
        let from_void = **from == CType::Void;
        let is_null = build::parts(value.expr.clone()).0 == build::null();
        let is_function = |ty: &CType| matches!(ty, CType::Function(_));
        self.found.function_erased |= is_function(from) && **pointee == CType::Void;
        if from_void && is_function(pointee) && !is_null {
            let to = to.clone();
            let value = self.once(value);
            let is_there = build::not(build::is_null(build::parts(value.expr.clone()).0));
            self.unsupported_if(is_there, crate::gaps::ERASED_FUNCTION);
            return Value { expr: value.expr, ty: to };
        }
        if from_void && !matches!(**pointee, CType::Void | CType::Function(_)) {
            self.found.from_void.insert(self.element_name(pointee));
            // What is only ever behind such a cast is an object, too.
            if self.records.cells(pointee).is_some() {
                self.shape_of(pointee);
            }
        }
        let free = matches!(**pointee, CType::Void | CType::Function(_))
            // Nothing but bytes ever became `void *`.
            || (from_void && self.element_name(pointee) == "char" && self.only_bytes_are_erased())
            || self.element_name(from) == self.element_name(pointee) && !matches!(**from, CType::Void)
            || is_null;
        if self.records.bytes && self.element_name(from) != self.element_name(pointee) {
            self.found.cast.insert(self.element_name(pointee));
            if !self.is_plain_bytes(from) && !matches!(**from, CType::Function(_)) {
                self.found.opened.insert(self.element_name(from));
            }
        }
        if free || self.records.bytes || matches!(**from, CType::Function(_)) {
            return Value { expr: value.expr, ty: to.clone() };
        }
        // `void *` to `char *` is a cast like any other: the object may be anything.
        let pointee = (**pointee).clone();
        let value = self.once(value);
        if let Some(facts) = self.facts {
            let kinds = self.kinds(&pointee);
            let (object, offset) = build::parts(value.expr.clone());
            let fits = if facts.inside.contains(&self.element_name(&pointee)) && kinds.len() == 1 {
                self.cell_lies_in(object.clone(), offset, &kinds[0])
            } else {
                self.has_cells_of(&object, &pointee)
            };
            let wrong = build::and(build::not(build::is_null(object.clone())), build::not(fits));
            if from_void {
                self.assume_cast(object, &pointee, wrong.clone());
            }
            let what = if from_void { crate::gaps::VOID_CAST } else { crate::gaps::UNRELATED_CAST };
            self.unsupported_if(wrong, what);
        }
        Value { expr: value.expr, ty: to.clone() }
    }

    /// What comes from outside is what it is cast to, if all such pointers are cast to one type: an input that is cast to two
    /// would have to be both. What the program made itself is known.
    fn assume_cast(&mut self, object: Expr, element: &CType, wrong: Expr) {
        let name = self.element_name(element);
        // Of numbers there are objects in both versions; of a struct perhaps in none.
        let is_number = matches!(element, CType::Int(_) | CType::Float(_));
        let is_only = is_number
            && self.void_leads_to_objects()
            && self.facts.is_some_and(|facts| {
                facts.from_void.iter().all(|other| *other == name)
                    && facts.shapes.contains_key(&format!("{name}[]"))
            });
        if !is_only || wrong == build::boolean(false) {
            return;
        }
        self.assume(ir::VOID_POINTERS);
        let given = Expr::Intrinsic { function: ir::Intrinsic::Given, args: vec![object] };
        self.emit(StmtKind::Assume { condition: build::not(build::and(given, wrong)) });
    }

    /// A pointer as an integer: the unknown address of its object, plus the bytes up to its cell.
    pub(crate) fn address_as_integer(&mut self, value: Value) -> Lowered<Value> {
        let (size, cells) = match &value.ty {
            CType::Pointer(pointee) => match (self.records.size(pointee), self.records.cells(pointee)) {
                (Some(size), Some(cells)) if cells > 0 => (size, cells),
                _ => (1, 1),
            },
            _ => (1, 1),
        };
        self.body.numbers_addresses = true;
        self.assume_numbers_apart();
        let value = self.once(value);
        let elsewhere = self.lies_in_other_elements(&value);
        let addresses = self.address_map();
        let (object, offset) = build::parts(value.expr.clone());
        let start = Expr::Select { map: Box::new(Expr::Global(addresses)), key: Box::new(object.clone()) };
        let start = possible_address(start);
        let start = build::if_else(build::is_null(object), build::int(IntType::U64, 0), start);
        let long = Scalar::Int(IntType::I64);
        let elements = match cells {
            1 => offset.clone(),
            _ => build::binary(BinaryOp::Div, long, offset.clone(), build::i64(cells), false),
        };
        let bytes = build::mul(IntType::I64, elements, build::i64(size));
        let bytes = build::convert(long, Scalar::Int(IntType::U64), bytes, self.constant);
        let expr = build::add(IntType::U64, start.clone(), bytes);
        let expr = match elsewhere {
            Some(elsewhere) if self.options.mathematical => {
                let offset = build::convert(long, Scalar::Int(IntType::U64), offset, self.constant);
                // One number for each object and cell.
                let start = build::mul(IntType::U64, start, build::int(IntType::U64, 1 << 40));
                let cell = build::add(IntType::U64, start, offset);
                build::if_else(elsewhere, without_meaning(cell), expr)
            }
            Some(elsewhere) => {
                self.unsupported_if(elsewhere, crate::gaps::ADDRESS_INSIDE);
                expr
            }
            None => expr,
        };
        Ok(Value { expr, ty: CType::SIZE })
    }

    /// Whether a pointer leads to an object of another type than its own. How many bytes lie before a cell is known only
    /// where all elements are of the pointer's type.
    fn lies_in_other_elements(&mut self, value: &Value) -> Option<Expr> {
        let (CType::Pointer(pointee), false) = (&value.ty, self.records.bytes) else { return None };
        if matches!(**pointee, CType::Function(_)) || self.facts.is_none() {
            return None;
        }
        let (object, offset) = build::parts(value.expr.clone());
        let pointee = (**pointee).clone();
        let names = [
            format!("{}[]", self.element_name(&pointee)),
            format!("const {}[]", self.element_name(&pointee)),
        ];
        let known = |name: &&String| self.facts.is_some_and(|facts| facts.shapes.contains_key(*name));
        let names: Vec<String> = names.iter().filter(known).cloned().collect();
        let mut shapes = vec![self.shape_of(&pointee)];
        shapes.extend(names.iter().map(|name| self.shape_named(name)));
        shapes.sort();
        shapes.dedup();
        let fits = Expr::HasShape { object: Box::new(object.clone()), shapes };
        let is_start = build::eq(Scalar::Int(IntType::I64), offset, build::i64(0));
        let is_zero = build::and(build::is_null(object), is_start);
        Some(build::and(build::not(is_zero), build::not(fits)))
    }

    pub(crate) fn known_address_map(&self) -> Option<GlobalId> {
        let known = self.program.globals.iter().position(|global| global.name == ADDRESS_MAP);
        known.map(GlobalId::from_index)
    }

    /// The map from objects to their addresses: an input, which nothing assigns.
    fn address_map(&mut self) -> GlobalId {
        if let Some(known) = self.known_address_map() {
            return known;
        }
        let ty = Type::Map(Box::new(Type::Ref(ir::Target::Any)), Box::new(Type::Int(IntType::U64)));
        let initial = Const::zero(&ty);
        self.program.globals.push(Global {
            name: ADDRESS_MAP.to_owned(),
            ty,
            initial,
            constant: false,
            private: true,
            fixed: true,
        });
        GlobalId::from_index(self.program.globals.len() - 1)
    }

    /// An integer as a pointer: null for 0, a place of its own for any other constant.
    pub(crate) fn integer_as_pointer(&mut self, value: Value, to: &CType) -> Lowered<Value> {
        let Some(Scalar::Int(_) | Scalar::Bool) = scalar(&value.ty) else {
            return self.gap_here("a pointer made from something that is no integer");
        };
        let outer = std::mem::replace(&mut self.constant, true);
        let wide = self.convert(value, &CType::LONG);
        self.constant = outer;
        match build::constant_int(&wide?.expr) {
            Some(0) => Ok(Value { expr: build::null_pointer(), ty: to.clone() }),
            Some(number) => {
                let shape = self.shape_of(&CType::Void);
                let object = self.opaque_object(&format!("$int:{number}"), shape);
                let object = Expr::Const(Const::Static(object));
                Ok(Value { expr: build::pointer(object, build::i64(0)), ty: to.clone() })
            }
            None => self.gap_here("a pointer made from an integer"),
        }
    }
}

/// Where cells of a region stand next to each other in a pattern.
fn runs(pattern: &[String], region: &str) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (cell, _) in pattern.iter().enumerate().filter(|(_, kind)| *kind == region) {
        match runs.last_mut() {
            Some(run) if run.end == cell => run.end += 1,
            _ => runs.push(cell..cell + 1),
        }
    }
    runs
}

/// Whether one of the conditions holds, as a tree that is not deep.
fn any(mut conditions: Vec<Expr>) -> Expr {
    match conditions.len() {
        0 => build::boolean(false),
        1 => conditions.swap_remove(0),
        many => {
            let right = conditions.split_off(many / 2);
            build::or(any(conditions), any(right))
        }
    }
}

/// An unknown function of a number, under mathematical numbers: a quotient by 0 is one, the same in both versions, and a
/// run that depends on it shows nothing. Over-approximating for the number of an address.
fn without_meaning(number: Expr) -> Expr {
    let zero = build::int(IntType::U64, 0);
    build::binary(BinaryOp::Div, Scalar::Int(IntType::U64), number, zero, false)
}

/// An address that an object can have: not 0. It need not be aligned: the processor does not demand it, and packed structs
/// hold members that are not.
fn possible_address(number: Expr) -> Expr {
    let int = Scalar::Int(IntType::U64);
    // 47 bits, so that nothing in an object lies beyond the last number.
    let mask = build::int(IntType::U64, (1 << 47) - 1);
    let address = build::binary(BinaryOp::And, int, number, mask, false);
    let is_zero = build::eq(int, address.clone(), build::int(IntType::U64, 0));
    build::if_else(is_zero, build::int(IntType::U64, 4096), address)
}
