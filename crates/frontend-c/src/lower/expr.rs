//! Expressions: values into the IR's expressions, effects into statements before. Operands are evaluated from
//! left to right; C leaves the order open.

use ir::{Expr, IntType, Scalar, StmtKind, UnaryOp};
use lang_c::ast;
use lang_c::span::Node;

use super::names::Symbol;
use super::place::PlaceKind;
use super::tables::scalar;
use super::{Lowered, Lowerer, Value};
use crate::dialect::FIRST;
use crate::types::CType;
use crate::{build, literals};

impl<'a> Lowerer<'a> {
    /// The value of an expression; its effects are emitted.
    pub(crate) fn lower_expr(&mut self, node: &'a Node<ast::Expression>) -> Lowered<Value> {
        match &node.node {
            ast::Expression::Identifier(identifier) => self.lower_name(&identifier.node.name, node),
            ast::Expression::Constant(constant) => self.lower_constant(constant),
            ast::Expression::StringLiteral(_)
            | ast::Expression::Member(_)
            | ast::Expression::CompoundLiteral(_) => {
                let place = self.place(node)?;
                self.load(place)
            }
            ast::Expression::Call(call) => self.lower_call(call),
            ast::Expression::SizeOfTy(size) => {
                let ty = self.type_name(&size.node.0)?;
                self.size_value(&ty, node.span)
            }
            ast::Expression::SizeOfVal(size) => {
                let ty = self.type_of(&size.node.0)?;
                self.size_value(&ty, node.span)
            }
            ast::Expression::AlignOf(align) => {
                let ty = self.type_name(&align.node.0)?;
                let align = self.records.align(&ty);
                Ok(Value { expr: build::int(IntType::U64, i128::from(align)), ty: CType::SIZE })
            }
            ast::Expression::UnaryOperator(unary) => self.lower_unary(unary, node),
            ast::Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name)?;
                if ty == CType::Void {
                    self.lower_effect(&cast.node.expression)?;
                    return Ok(Value { expr: build::int(IntType::I32, 0), ty });
                }
                self.lower_converted(&cast.node.expression, &ty)
            }
            ast::Expression::BinaryOperator(binary) => self.lower_binary(binary, node),
            ast::Expression::Conditional(conditional) => self.lower_conditional(conditional),
            ast::Expression::Comma(list) => {
                let Some((last, before)) = list.split_last() else {
                    return self.gap("an empty expression", node.span);
                };
                for effect in before {
                    self.lower_effect(effect)?;
                }
                self.lower_expr(last)
            }
            ast::Expression::OffsetOf(offset) => self.lower_offset_of(offset),
            ast::Expression::GenericSelection(generic) => {
                let chosen = self.chosen_association(generic)?;
                self.lower_expr(chosen)
            }
            ast::Expression::VaArg(_) => self.gap("variable arguments", node.span),
            ast::Expression::Statement(statement) => self.lower_statement_expression(statement),
        }
    }

    /// An expression for its effects alone.
    pub(crate) fn lower_effect(&mut self, node: &'a Node<ast::Expression>) -> Lowered<()> {
        match &node.node {
            ast::Expression::UnaryOperator(unary) if is_step(&unary.node.operator.node) => {
                self.lower_step(unary, false)?;
            }
            ast::Expression::BinaryOperator(binary) if is_assignment(&binary.node.operator.node) => {
                self.lower_assignment(binary, false)?;
            }
            ast::Expression::Conditional(conditional) if !has_no_middle(&conditional.node) => {
                let condition = self.lower_condition(&conditional.node.condition)?;
                let then = self.effect_block(&conditional.node.then_expression);
                let otherwise = self.effect_block(&conditional.node.else_expression);
                if !then.is_empty() || !otherwise.is_empty() {
                    self.emit(StmtKind::If { condition, then, otherwise });
                }
            }
            ast::Expression::Comma(list) => {
                for effect in list.iter() {
                    self.lower_effect(effect)?;
                }
            }
            ast::Expression::Call(call) => {
                self.lower_call_effect(call)?;
            }
            _ => {
                self.lower_expr(node)?;
            }
        }
        Ok(())
    }

    /// The effects of an expression that may not run; a gap in it costs only the runs that do.
    fn effect_block(&mut self, node: &'a Node<ast::Expression>) -> ir::Block {
        let (block, result) = self.block(|this| this.lower_effect(node));
        match result {
            Ok(()) => block,
            Err(gap) => vec![self.lost(gap, node.span)],
        }
    }

    fn lower_name(&mut self, name: &str, node: &'a Node<ast::Expression>) -> Lowered<Value> {
        match self.lookup(name).cloned() {
            Some(Symbol::Enumerator(ty, value)) => {
                Ok(Value { expr: Expr::Const(ir::Const::Int(ty, value)), ty: CType::Int(ty) })
            }
            Some(Symbol::Function(key)) => self.function_address(&key),
            Some(Symbol::Typedef(..)) => self.gap(format!("the type `{name}` as a value"), node.span),
            _ => {
                let place = self.place(node)?;
                self.load(place)
            }
        }
    }

    fn lower_constant(&mut self, node: &Node<ast::Constant>) -> Lowered<Value> {
        let constant = match &node.node {
            ast::Constant::Integer(integer) => literals::integer(integer),
            ast::Constant::Float(float) => literals::float(float),
            ast::Constant::Character(text) => {
                literals::character(text).map(|value| (build::int(IntType::I32, value), CType::INT))
            }
        };
        match constant {
            Ok((expr, ty)) => Ok(Value { expr, ty }),
            Err(what) => self.gap(what, node.span),
        }
    }

    fn size_value(&mut self, ty: &CType, span: lang_c::span::Span) -> Lowered<Value> {
        match self.records.size(ty) {
            Some(size) => Ok(Value { expr: build::int(IntType::U64, i128::from(size)), ty: CType::SIZE }),
            None => self.gap("the size of a type that is not known", span),
        }
    }

    fn lower_unary(
        &mut self,
        unary: &'a Node<ast::UnaryOperatorExpression>,
        node: &'a Node<ast::Expression>,
    ) -> Lowered<Value> {
        use ast::UnaryOperator as Op;
        let operand = &unary.node.operand;
        match unary.node.operator.node {
            Op::PostIncrement | Op::PostDecrement | Op::PreIncrement | Op::PreDecrement => {
                match self.lower_step(unary, true)? {
                    Some(value) => Ok(value),
                    None => self.gap("a step without a value", node.span),
                }
            }
            Op::Address => self.lower_address(operand),
            Op::Indirection => {
                // `*f` of a function is the function again.
                if let CType::Function(_) = self.type_of(node)? {
                    return self.lower_expr(operand);
                }
                let place = self.place(node)?;
                self.load(place)
            }
            Op::Negate => {
                let condition = self.lower_condition(operand)?;
                Ok(self.int_of_condition(build::not(condition)))
            }
            Op::Plus => {
                let value = self.lower_expr(operand)?;
                let ty = value.ty.promoted();
                self.convert(value, &ty)
            }
            Op::Minus | Op::Complement => {
                let value = self.lower_expr(operand)?;
                let ty = value.ty.promoted();
                let value = self.convert(value, &ty)?;
                let op = if unary.node.operator.node == Op::Minus { UnaryOp::Neg } else { UnaryOp::BitNot };
                self.apply_unary(op, value, node.span)
            }
        }
    }

    fn apply_unary(&mut self, op: UnaryOp, value: Value, span: lang_c::span::Span) -> Lowered<Value> {
        let Some(of) = scalar(&value.ty).filter(|of| op == UnaryOp::Neg || matches!(of, Scalar::Int(_)))
        else {
            return self.gap("an operator on a type that does not have it", span);
        };
        if let (UnaryOp::Neg, Scalar::Int(int), true) = (op, of, self.options.overflow_undefined)
            && int.signed
            && build::constant_int(&value.expr).is_none()
        {
            let value = self.once(value.clone());
            self.check_overflow(ir::BinaryOp::Sub, int, &build::int(int, 0), &value.expr);
        }
        let expr = build::unary(op, of, value.expr, self.constant);
        Ok(self.operation_result(expr, value.ty))
    }

    fn lower_address(&mut self, operand: &'a Node<ast::Expression>) -> Lowered<Value> {
        // `&*p` is `p`, without an access; `&f` is `f`.
        if let ast::Expression::UnaryOperator(inner) = &operand.node
            && inner.node.operator.node == ast::UnaryOperator::Indirection
        {
            return self.lower_expr(&inner.node.operand);
        }
        if let ast::Expression::Identifier(name) = &operand.node
            && let Some(Symbol::Function(key)) = self.lookup(&name.node.name)
        {
            let key = key.clone();
            return self.function_address(&key);
        }
        let place = self.place(operand)?;
        if place.bits.is_some() {
            return self.gap("the address of a bit-field", operand.span);
        }
        match place.kind {
            PlaceKind::Memory(memory) => {
                if !memory.tags.is_empty() {
                    return self.gap(crate::gaps::ADDRESS_IN_UNION, operand.span);
                }
                self.note_address(&memory, &place.ty);
                let expr = build::pointer(memory.object, memory.offset);
                Ok(Value { expr, ty: CType::pointer_to(place.ty) })
            }
            PlaceKind::Global(id) => {
                // The first run keeps every variable in memory and notes its address.
                let name = self.program.global(id).name.clone();
                self.gap(format!("the address of `{name}`"), operand.span)
            }
            PlaceKind::Local(_) | PlaceKind::Value(_) => {
                self.gap("the address of something that is no object", operand.span)
            }
        }
    }

    /// The address of a function: an object that stands for it.
    fn function_address(&mut self, key: &str) -> Lowered<Value> {
        if self.weak.contains(key) {
            return self.gap_here(format!("the address of `{key}`, which is weak"));
        }
        if self.functions.get(key).is_some_and(|function| function.lost.is_some()) {
            return self.gap_here(format!("the address of `{key}`, whose type is not known"));
        }
        if !self.is_declared_alike(key) {
            return self
                .gap_here(format!("the address of `{key}`, which another file defines with another type"));
        }
        self.found.functions.insert(key.to_owned());
        let object = Expr::Const(ir::Const::Static(self.function_object(key)));
        let model = format!("model {key}");
        let ty = match self.functions.get(key).or_else(|| self.functions.get(&model)) {
            Some(function) => CType::Function(function.ty.clone()),
            None => return self.gap_here(format!("the address of `{key}`")),
        };
        Ok(Value { expr: build::pointer(object, build::i64(0)), ty: CType::pointer_to(ty) })
    }

    fn lower_offset_of(&mut self, node: &'a Node<ast::OffsetOfExpression>) -> Lowered<Value> {
        let mut ty = self.type_name(&node.node.type_name)?;
        let mut bytes = 0;
        let designator = &node.node.designator.node;
        let mut names = vec![&designator.base.node.name];
        for member in &designator.members {
            match &member.node {
                ast::OffsetMember::Member(name) => names.push(&name.node.name),
                _ => return self.gap("an index in offsetof", member.span),
            }
        }
        for name in names {
            let found = match &ty {
                CType::Record(id) => self.records.member(*id, name),
                _ => None,
            };
            let Some(found) = found else { return self.gap("a member that is not known", node.span) };
            bytes += found.byte;
            ty = found.ty;
        }
        Ok(Value { expr: build::int(IntType::U64, i128::from(bytes)), ty: CType::SIZE })
    }

    pub(crate) fn chosen_association(
        &mut self,
        node: &'a Node<ast::GenericSelection>,
    ) -> Lowered<&'a Node<ast::Expression>> {
        let ty = self.type_of(&node.node.expression)?.decayed();
        let mut default = None;
        let mut found = Vec::new();
        for association in &node.node.associations {
            match &association.node {
                ast::GenericAssociation::Type(case) => {
                    if self.type_name(&case.node.type_name)? == ty {
                        found.push(&*case.node.expression);
                    }
                }
                ast::GenericAssociation::Default(expr) => default = Some(&**expr),
            }
        }
        // Types that C tells apart, such as `long` and `long long`, may be one here.
        let unclear = matches!(ty, CType::Int(IntType { width: 8 | 64, .. }) | CType::Pointer(_));
        match (found.as_slice(), default) {
            ([one], _) if !unclear => Ok(one),
            ([], Some(expr)) => Ok(expr),
            _ => self.gap("a generic selection by types that are not told apart", node.span),
        }
    }

    /// `a ?: b`: the first value, if it is not zero; it is computed once.
    fn lower_without_middle(&mut self, node: &'a Node<ast::ConditionalExpression>) -> Lowered<Value> {
        let (first, second) = (&*node.node.condition, &*node.node.else_expression);
        let (first_type, second_type) = (self.type_of(first)?.decayed(), self.type_of(second)?.decayed());
        let ty = match self.null_side(first, second) {
            Some(true) => second_type,
            Some(false) => first_type,
            None => self.type_of_choice(&first_type, &second_type),
        };
        let value = self.lower_expr(first)?;
        let value = Value { expr: self.save(value.expr, &value.ty), ty: value.ty };
        let condition = self.as_condition(value.clone())?;
        let value = self.convert(value, &ty)?;
        let ir_type = self.value_type(&ty);
        let temp = self.temp(ir_type);
        let (block, otherwise) = self.block(|this| this.lower_converted(second, &ty));
        if otherwise.is_err() {
            self.unlowered(second.span);
        }
        let then = self.choice_arm(Vec::new(), Ok(value), temp, &ty);
        let otherwise = self.choice_arm(block, otherwise, temp, &ty);
        self.emit(StmtKind::If { condition, then, otherwise });
        Ok(Value { expr: Expr::Local(temp), ty })
    }

    fn lower_conditional(&mut self, node: &'a Node<ast::ConditionalExpression>) -> Lowered<Value> {
        if has_no_middle(&node.node) {
            return self.lower_without_middle(node);
        }
        let condition = self.lower_condition(&node.node.condition)?;
        let then_type = self.type_of(&node.node.then_expression)?.decayed();
        let else_type = self.type_of(&node.node.else_expression)?.decayed();
        let ty = match self.null_side(&node.node.then_expression, &node.node.else_expression) {
            Some(true) => else_type,
            Some(false) => then_type,
            None => self.type_of_choice(&then_type, &else_type),
        };
        if let Some(known) = build::constant_int(&condition) {
            let chosen = if known != 0 { &node.node.then_expression } else { &node.node.else_expression };
            return self.lower_converted(chosen, &ty);
        }
        let (then_block, then) = self.block(|this| this.lower_converted(&node.node.then_expression, &ty));
        let (else_block, otherwise) =
            self.block(|this| this.lower_converted(&node.node.else_expression, &ty));
        if let (Ok(then), Ok(otherwise)) = (&then, &otherwise)
            && then_block.is_empty()
            && else_block.is_empty()
            && ty.is_scalar()
        {
            return Ok(Value {
                expr: build::if_else(condition, then.expr.clone(), otherwise.expr.clone()),
                ty,
            });
        }
        let ir_type = self.value_type(&ty);
        let temp = self.temp(ir_type);
        for (value, code) in [(&then, &node.node.then_expression), (&otherwise, &node.node.else_expression)] {
            if value.is_err() {
                self.unlowered(code.span);
            }
        }
        let arm = |this: &mut Self, block, value| this.choice_arm(block, value, temp, &ty);
        let then = arm(self, then_block, then);
        let otherwise = arm(self, else_block, otherwise);
        self.emit(StmtKind::If { condition, then, otherwise });
        Ok(Value { expr: Expr::Local(temp), ty })
    }

    fn choice_arm(
        &mut self,
        block: ir::Block,
        value: Lowered<Value>,
        temp: ir::LocalId,
        ty: &CType,
    ) -> ir::Block {
        match value {
            Err(gap) => vec![self.gap_statement(gap)],
            Ok(_) if *ty == CType::Void => block,
            Ok(value) => {
                let (assign, ()) = self.block(|this| {
                    this.body.out = block;
                    this.emit(StmtKind::Assign { local: temp, value: value.expr });
                });
                assign
            }
        }
    }

    /// Whether the first (`true`) or the second side is the null pointer constant, which takes the other's type.
    fn null_side(
        &mut self,
        then: &'a Node<ast::Expression>,
        otherwise: &'a Node<ast::Expression>,
    ) -> Option<bool> {
        let (then_null, else_null) = (is_null_constant(then), is_null_constant(otherwise));
        match (then_null, else_null) {
            (true, false) => {
                self.type_of(otherwise).ok().filter(|ty| ty.decayed().is_pointer()).map(|_| true)
            }
            (false, true) => self.type_of(then).ok().filter(|ty| ty.decayed().is_pointer()).map(|_| false),
            _ => None,
        }
    }

    /// `({ …; value; })`.
    fn lower_statement_expression(&mut self, node: &'a Node<ast::Statement>) -> Lowered<Value> {
        let ast::Statement::Compound(items) = &node.node else {
            return self.gap("a statement expression", node.span);
        };
        self.scoped(|this| {
            this.leave_anywhere();
            let (last, before) = match items.split_last() {
                Some((last, before)) => (Some(last), before),
                None => (None, &[][..]),
            };
            this.lower_items(before);
            if let Some(ast::BlockItem::Statement(statement)) = last.map(|last| &last.node)
                && let ast::Statement::Expression(Some(expr)) = &statement.node
            {
                let value = this.lower_expr(expr)?;
                return Ok(this.once(value));
            }
            if let Some(last) = last {
                this.lower_items(std::slice::from_ref(last));
            }
            Ok(Value { expr: build::int(IntType::I32, 0), ty: CType::Void })
        })
    }
}

/// Whether this is `a ?: b`.
fn has_no_middle(node: &ast::ConditionalExpression) -> bool {
    matches!(&node.then_expression.node, ast::Expression::Identifier(name) if name.node.name == FIRST)
}

/// What `c ? a : b` gives if its condition holds.
pub(crate) fn first_choice(node: &ast::ConditionalExpression) -> &Node<ast::Expression> {
    if has_no_middle(node) { &node.condition } else { &node.then_expression }
}

fn is_null_constant(node: &Node<ast::Expression>) -> bool {
    match &node.node {
        ast::Expression::Constant(constant) => {
            matches!(&constant.node, ast::Constant::Integer(integer) if integer.number.chars().all(|digit| digit == '0'))
        }
        ast::Expression::Cast(cast) => is_null_constant(&cast.node.expression),
        _ => false,
    }
}

pub(crate) fn is_step(op: &ast::UnaryOperator) -> bool {
    use ast::UnaryOperator as Op;
    matches!(op, Op::PostIncrement | Op::PostDecrement | Op::PreIncrement | Op::PreDecrement)
}

pub(crate) fn is_assignment(op: &ast::BinaryOperator) -> bool {
    use ast::BinaryOperator as Op;
    matches!(
        op,
        Op::Assign
            | Op::AssignMultiply
            | Op::AssignDivide
            | Op::AssignModulo
            | Op::AssignPlus
            | Op::AssignMinus
            | Op::AssignShiftLeft
            | Op::AssignShiftRight
            | Op::AssignBitwiseAnd
            | Op::AssignBitwiseXor
            | Op::AssignBitwiseOr
    )
}
