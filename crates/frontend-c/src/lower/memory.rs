//! Memory of libc: allocation, and copying objects that are not bytes.

use ir::{BinaryOp, Expr, IntType, Scalar, StmtKind, Target, Type};
use lang_c::ast;
use lang_c::span::Node;

use super::names::Symbol;
use super::{Definition, Function, Lowered, Lowerer, Value};
use crate::build;
use crate::types::CType;

/// No allocation is larger: there are no more addresses.
const MAX_BYTES: i128 = 1 << 47;

/// How large a block of memory is.
enum BlockSize {
    Elements(Expr),
    Bytes(Expr),
}

impl<'a> Lowerer<'a> {
    /// A call that allocates memory for objects of the type that its result is used as.
    pub(crate) fn lower_allocation(
        &mut self,
        node: &'a Node<ast::Expression>,
        pointee: &CType,
    ) -> Lowered<Option<Value>> {
        if let ast::Expression::Cast(cast) = &node.node
            && self.type_name(&cast.node.type_name)? == CType::pointer_to(CType::Void)
        {
            return self.lower_allocation(&cast.node.expression, pointee);
        }
        let ast::Expression::Call(call) = &node.node else { return Ok(None) };
        let ast::Expression::Identifier(name) = &call.node.callee.node else { return Ok(None) };
        let name = name.node.name.as_str();
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let own = self.functions.get(name).is_some_and(|function| function.definition.is_some())
            && !self.is_model();
        if own || !matches!(self.lookup(name), None | Some(Symbol::Function(_))) {
            return Ok(None);
        }
        self.allocation(plain, &call.node.arguments, pointee)
    }

    fn allocation(
        &mut self,
        name: &str,
        args: &'a [Node<ast::Expression>],
        pointee: &CType,
    ) -> Lowered<Option<Value>> {
        let element = match pointee.innermost() {
            CType::Void | CType::Function(_) => CType::CHAR,
            other => other.clone(),
        };
        let known = matches!(
            (name, args.len()),
            ("malloc" | "alloca", 1) | ("calloc" | "realloc" | "aligned_alloc" | "reallocarray", 2)
        );
        if !known || name == "reallocarray" {
            return Ok(None);
        }
        // The library allocates by the program's own function, if it has one.
        let is_own = self.functions.get(name).is_some_and(|function| function.definition.is_some());
        if self.is_model() && is_own {
            return self
                .gap_here(format!("a function of the library in a program with a `{name}` of its own"));
        }
        let (Some(size), Some(cells)) = (self.records.size(&element), self.records.cells(&element)) else {
            return self.gap_here("memory for a type that is not known");
        };
        if let ("realloc", [pointer, size]) = (name, args) {
            let model = if self.records.bytes { "__realloc_bytes_T" } else { "__realloc_T" };
            let key = self.instance(model, "realloc", &element)?;
            let params = [CType::pointer_to(element.clone()), CType::SIZE];
            let values = self.converted_arguments(&[pointer, size], &params)?;
            let value = self.call_function(&key, "realloc", values, true, pointer.span)?;
            return Ok(Some(Value { expr: value.expr, ty: CType::pointer_to(element) }));
        }
        let size = match (name, args) {
            ("calloc", [count, each]) => self.product(count, each, size)?,
            ("aligned_alloc", [_, bytes]) | (_, [bytes]) => self.elements_of(bytes, size)?,
            _ => return Ok(None),
        };
        self.assume(format!("`{name}` never fails, and sizes of memory do not overflow"));
        if name != "calloc" {
            self.assume(format!("memory from `{name}` reads as 0 until it is written"));
        }
        let length = self.cells_for(size, &element, cells);
        let shape = self.shape_of(&element);
        let local = self.temp(Type::Ref(Target::Shape(shape)));
        self.emit(StmtKind::New { local, shape, length: Some(length), unwritten: name != "calloc" });
        let expr = build::pointer(Expr::Local(local), build::i64(0));
        Ok(Some(Value { expr, ty: CType::pointer_to(element) }))
    }

    /// The cells of a block. Where cells are no bytes, one that does not hold whole elements is a gap.
    fn cells_for(&mut self, size: BlockSize, element: &CType, cells: u64) -> Expr {
        let unsigned = IntType::U64;
        let (BlockSize::Elements(number) | BlockSize::Bytes(number)) = &size;
        let number = self.once_expr(number.clone(), &CType::SIZE);
        if build::constant_int(&number).is_none() {
            let condition = build::le(unsigned, number.clone(), build::int(unsigned, MAX_BYTES));
            self.emit(StmtKind::Assume { condition });
        }
        let (count, cells) = match size {
            BlockSize::Elements(_) => (number, cells),
            BlockSize::Bytes(_) if self.records.bytes => (number, 1),
            BlockSize::Bytes(_) => {
                let size = self.records.size(element).unwrap_or(1).max(1);
                let is_whole = match build::constant_int(&number) {
                    Some(number) => build::boolean(number % i128::from(size) == 0),
                    None if size == 1 => build::boolean(true),
                    None => self.divides(&number, size),
                };
                self.unsupported_if(build::not(is_whole), crate::gaps::PART_OF_ELEMENT);
                (self.divided(number, size), cells)
            }
        };
        let count = build::convert(Scalar::Int(unsigned), Scalar::Int(IntType::I64), count, self.constant);
        build::mul(IntType::I64, count, build::i64(cells))
    }

    /// `n * sizeof(T)` is n elements, anything else a number of bytes.
    fn elements_of(&mut self, bytes: &'a Node<ast::Expression>, size: u64) -> Lowered<BlockSize> {
        if let ast::Expression::BinaryOperator(binary) = &bytes.node
            && binary.node.operator.node == ast::BinaryOperator::Multiply
            && (is_sizeof(&binary.node.lhs) || is_sizeof(&binary.node.rhs))
        {
            return self.product(&binary.node.lhs, &binary.node.rhs, size);
        }
        let bytes = self.lower_converted(bytes, &CType::SIZE)?;
        Ok(BlockSize::Bytes(bytes.expr))
    }

    /// The size of a block as a product, of which one factor may be the size of an element.
    fn product(
        &mut self,
        a: &'a Node<ast::Expression>,
        b: &'a Node<ast::Expression>,
        size: u64,
    ) -> Lowered<BlockSize> {
        let values = self.converted_arguments(&[a, b], &[CType::SIZE, CType::SIZE])?;
        let (a, b) = (values[0].expr.clone(), values[1].expr.clone());
        let is_size = |factor: &Expr| build::constant_int(factor) == Some(i128::from(size));
        if is_size(&b) {
            return Ok(BlockSize::Elements(a));
        }
        if is_size(&a) {
            return Ok(BlockSize::Elements(b));
        }
        Ok(BlockSize::Bytes(build::mul(IntType::U64, a, b)))
    }

    fn divided(&self, bytes: Expr, size: u64) -> Expr {
        let ty = IntType::U64;
        build::binary(
            BinaryOp::Div,
            Scalar::Int(ty),
            bytes,
            build::int(ty, i128::from(size.max(1))),
            self.constant,
        )
    }

    pub(crate) fn converted_arguments(
        &mut self,
        args: &[&'a Node<ast::Expression>],
        types: &[CType],
    ) -> Lowered<Vec<Value>> {
        let mut values: Vec<Value> = Vec::new();
        let begin = self.body.out.len();
        for (arg, ty) in args.iter().zip(types) {
            let start = self.body.out.len();
            let value = self.lower_converted(arg, ty)?;
            let before: Vec<&ir::Expr> = values.iter().map(|value| &value.expr).collect();
            self.note_unsequenced(begin, start, [&before, &[&value.expr]]);
            let earlier = std::mem::take(&mut values);
            values.extend(earlier.into_iter().map(|earlier| self.keep(earlier, start)));
            values.push(value);
        }
        Ok(values)
    }

    /// Calls on memory that need to know the type of the objects.
    pub(crate) fn lower_memory_call(
        &mut self,
        name: &str,
        node: &'a Node<ast::CallExpression>,
    ) -> Lowered<Option<Value>> {
        let args = node.node.arguments.as_slice();
        match (name, args) {
            ("malloc" | "calloc" | "realloc" | "alloca" | "aligned_alloc", _) => {
                let value = self.allocation(name, args, &CType::Void)?;
                Ok(value.map(|value| Value { expr: value.expr, ty: CType::pointer_to(CType::Void) }))
            }
            ("free" | "cfree", [pointer]) => {
                let pointer = self.lower_expr(pointer)?;
                self.lower_free(pointer)?;
                Ok(Some(Value { expr: build::int(IntType::I32, 0), ty: CType::Void }))
            }
            ("qsort", [base, count, size, compare]) => self.lower_sort(base, count, size, compare).map(Some),
            ("memcpy" | "memmove" | "memset" | "mempcpy" | "memcmp" | "bcopy", [a, b, n]) => {
                self.lower_copy(name, a, b, n)
            }
            _ => Ok(None),
        }
    }

    fn lower_free(&mut self, pointer: Value) -> Lowered<()> {
        if !pointer.ty.is_pointer() {
            return self.gap_here("free of something that is no pointer");
        }
        let pointer = self.once(pointer);
        let (object, offset) = build::parts(pointer.expr);
        let long = IntType::I64;
        let (then, ()) = self.block(|this| {
            let start = build::eq(Scalar::Int(long), offset, build::i64(0));
            let alive = build::le(long, build::i64(0), build::length(object.clone()));
            this.check(build::and(start, alive), "invalid free");
            this.emit(StmtKind::Free { object: object.clone() });
        });
        let condition = build::not(build::is_null(object));
        self.emit(StmtKind::If { condition, then, otherwise: Vec::new() });
        Ok(())
    }

    /// The type of the objects that a pointer argument points to, if they are not bytes.
    fn object_type(&mut self, node: &'a Node<ast::Expression>) -> Option<CType> {
        let node = match &node.node {
            // `(void *) p`, `(char *) p`: what counts is `p`.
            ast::Expression::Cast(cast) => &cast.node.expression,
            _ => node,
        };
        match self.type_of(node).ok()?.decayed() {
            CType::Pointer(pointee) => match pointee.innermost() {
                CType::Void | CType::Bool | CType::Function(_) | CType::Int(IntType { width: 8, .. }) => None,
                other => Some(other.clone()),
            },
            _ => None,
        }
    }

    fn lower_copy(
        &mut self,
        name: &str,
        a: &'a Node<ast::Expression>,
        b: &'a Node<ast::Expression>,
        n: &'a Node<ast::Expression>,
    ) -> Lowered<Option<Value>> {
        if self.records.bytes {
            let types = (self.object_type(a), self.object_type(b));
            let whole = match &types {
                (Some(a), Some(b)) => a == b && !self.is_plain_bytes(a),
                (Some(a), None) => name == "memset" && !self.is_plain_bytes(a),
                (None, _) => false,
            };
            if !whole {
                return self.lower_byte_copy(name, a, b, n);
            }
        }
        let element = match self.object_type(a) {
            Some(element) => element,
            None if name == "memset" => return Ok(None),
            None => match self.object_type(b) {
                Some(element) => element,
                None => return Ok(None),
            },
        };
        let Some(size) = self.records.size(&element).filter(|size| *size > 0) else {
            return self.gap("memory of a type that is not known", a.span);
        };
        let pointer = CType::pointer_to(element.clone());
        let second = if name == "memset" { CType::INT } else { pointer.clone() };
        let values = self.converted_arguments(&[a, b, n], &[pointer.clone(), second, CType::SIZE])?;
        let mut values: Vec<Value> = values.into_iter().map(|value| self.once(value)).collect();
        let whole = self.divides(&values[2].expr, size);
        self.unsupported_if(build::not(whole), crate::gaps::PART_OF_OBJECT);
        let model = match name {
            "memcpy" => "__memcpy_T",
            "memmove" => "__memmove_T",
            "memset" if matches!(element, CType::Int(_)) => "__memset_T",
            "memset" => {
                let byte = values.remove(1);
                let zero = build::eq(Scalar::Int(IntType::I32), byte.expr, build::int(IntType::I32, 0));
                self.unsupported_if(build::not(zero), crate::gaps::FILLED_OBJECT);
                "__memzero_T"
            }
            _ => return self.gap(format!("`{name}` {}", crate::gaps::NOT_BYTES), a.span),
        };
        let key = self.instance(model, name, &element)?;
        let value = self.call_function(&key, name, values, true, a.span)?;
        Ok(Some(Value { expr: value.expr, ty: CType::pointer_to(CType::Void) }))
    }

    fn lower_sort(
        &mut self,
        base: &'a Node<ast::Expression>,
        count: &'a Node<ast::Expression>,
        size: &'a Node<ast::Expression>,
        compare: &'a Node<ast::Expression>,
    ) -> Lowered<Value> {
        let element = self.object_type(base).unwrap_or(CType::CHAR);
        let key = self.instance("__qsort_T", "qsort", &element)?;
        let Some(CType::Pointer(comparison)) =
            self.functions.get(&key).and_then(|function| function.ty.params.last().cloned())
        else {
            return self.gap("a sort", base.span);
        };
        let types =
            [CType::pointer_to(element.clone()), CType::SIZE, CType::SIZE, CType::Pointer(comparison)];
        let mut values = self.converted_arguments(&[base, count, size, compare], &types)?;
        let each = values.remove(2);
        let own = self.records.size(&element).unwrap_or(0);
        let whole =
            build::eq(Scalar::Int(IntType::U64), each.expr, build::int(IntType::U64, i128::from(own)));
        self.unsupported_if(build::not(whole), "sorting parts of objects");
        self.call_function(&key, "qsort", values, false, base.span)
    }

    /// The generic model for one element type.
    fn instance(&mut self, model: &str, name: &str, element: &CType) -> Lowered<String> {
        let key = format!("{name}.{}", self.element_name(element));
        if self.functions.contains_key(&key) {
            return Ok(key);
        }
        let Some(definition) =
            self.functions.get(&format!("model {model}")).and_then(|function| function.definition.clone())
        else {
            return self.gap_here(format!("`{name}` {}", crate::gaps::NOT_BYTES));
        };
        let (unit, blocks) = (self.unit, std::mem::take(&mut self.blocks));
        self.unit = definition.unit;
        let node = definition.node;
        let ty: Lowered<CType> = self.scoped(|this| {
            this.bind("T", Symbol::Typedef(element.clone(), false));
            let specifiers = this.specifiers(&node.node.specifiers, node.span)?;
            Ok(this.declarator(&node.node.declarator, specifiers.ty)?.1)
        });
        self.unit = unit;
        self.blocks = blocks;
        let CType::Function(ty) = ty? else { return self.gap_here("a model that is no function") };
        let definition = Some(Definition { instance: Some(element.clone()), ..definition });
        self.functions.insert(
            key.clone(),
            Function {
                ty,
                definition,
                proc: None,
                user: false,
                lost: None,
                private: false,
                external: ir::External::default(),
            },
        );
        Ok(key)
    }
}

fn is_sizeof(node: &Node<ast::Expression>) -> bool {
    match &node.node {
        ast::Expression::SizeOfTy(_) | ast::Expression::SizeOfVal(_) => true,
        ast::Expression::Cast(cast) => is_sizeof(&cast.node.expression),
        _ => false,
    }
}
