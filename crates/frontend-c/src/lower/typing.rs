//! The type of an expression without lowering it: for `sizeof`, `typeof`, and to tell arrays from pointers.

use lang_c::ast;
use lang_c::span::Node;

use super::expr::first_choice;
use super::names::Symbol;
use super::{Lowered, Lowerer};
use crate::literals;
use crate::types::{CType, common_type};

impl<'a> Lowerer<'a> {
    /// The type before arrays and functions become pointers.
    pub(crate) fn type_of(&mut self, node: &'a Node<ast::Expression>) -> Lowered<CType> {
        match &node.node {
            ast::Expression::Identifier(name) => self.type_of_name(&name.node.name, node.span),
            ast::Expression::Constant(constant) => match &constant.node {
                ast::Constant::Integer(integer) => {
                    Ok(literals::integer(integer).map_or(CType::INT, |(_, ty)| ty))
                }
                ast::Constant::Float(float) => {
                    Ok(literals::float(float).map_or(CType::LongDouble, |(_, ty)| ty))
                }
                ast::Constant::Character(_) => Ok(CType::INT),
            },
            ast::Expression::StringLiteral(literal) => {
                let bytes = match literals::string(&literal.node) {
                    Ok(bytes) => bytes,
                    Err(what) => return self.gap(what, node.span),
                };
                Ok(CType::Array(CType::CHAR.into(), Some(bytes.len() as u64 + 1)))
            }
            ast::Expression::Member(member) => {
                let base = self.type_of(&member.node.expression)?;
                let base = match base.decayed() {
                    CType::Pointer(pointee) => (*pointee).clone(),
                    other => other,
                };
                let name = &member.node.identifier.node.name;
                let is_volatile = matches!(base, CType::Volatile(_));
                let CType::Record(id) = *base.without_volatile() else {
                    return self.gap("a member of no struct", node.span);
                };
                match self.records.member(id, name) {
                    Some(member) => Ok(match member.bits {
                        Some(field) => member.ty.without_volatile().of_bit_field(field.width),
                        None if is_volatile => self.volatile_type(&member.ty),
                        None => member.ty,
                    }),
                    None => self.gap(format!("the member `{name}`, which is not known"), node.span),
                }
            }
            ast::Expression::Call(call) => match self.type_of(&call.node.callee) {
                Ok(CType::Function(ty)) => Ok(ty.result.clone()),
                Ok(CType::Pointer(ty)) => match &*ty {
                    CType::Function(ty) => Ok(ty.result.clone()),
                    _ => Ok(CType::INT),
                },
                _ => Ok(self.builtin_type(call)),
            },
            ast::Expression::CompoundLiteral(literal) => {
                let ty = self.type_name(&literal.node.type_name)?;
                Ok(self.list_parts(&ty, &literal.node.initializer_list)?.0)
            }
            ast::Expression::SizeOfTy(_)
            | ast::Expression::SizeOfVal(_)
            | ast::Expression::AlignOf(_)
            | ast::Expression::OffsetOf(_) => Ok(CType::SIZE),
            ast::Expression::UnaryOperator(unary) => self.type_of_unary(unary),
            ast::Expression::Cast(cast) => self.type_name(&cast.node.type_name),
            ast::Expression::BinaryOperator(binary) => self.type_of_binary(binary),
            ast::Expression::Conditional(conditional) => {
                let then = self.type_of(first_choice(&conditional.node))?.decayed();
                let otherwise = self.type_of(&conditional.node.else_expression)?.decayed();
                Ok(self.type_of_choice(&then, &otherwise))
            }
            ast::Expression::Comma(list) => match list.last() {
                Some(last) => Ok(self.type_of(last)?.decayed()),
                None => Ok(CType::Void),
            },
            ast::Expression::GenericSelection(generic) => {
                let chosen = self.chosen_association(generic)?;
                self.type_of(chosen)
            }
            ast::Expression::VaArg(argument) => self.type_name(&argument.node.type_name),
            ast::Expression::Statement(_) => self.type_by_lowering(node),
        }
    }

    fn type_of_name(&mut self, name: &str, span: lang_c::span::Span) -> Lowered<CType> {
        match self.lookup(name) {
            Some(Symbol::Enumerator(ty, _)) => Ok(CType::Int(*ty)),
            Some(Symbol::Variable(index)) => Ok(self.variables[*index].ty.clone()),
            Some(Symbol::Local(_, ty) | Symbol::Object(_, ty)) => Ok(ty.clone()),
            Some(Symbol::Function(key)) => match self.functions.get(key) {
                Some(function) => Ok(CType::Function(function.ty.clone())),
                None => match self.functions.get(&format!("model {key}")) {
                    Some(function) => Ok(CType::Function(function.ty.clone())),
                    None => self.gap(format!("the function `{name}`"), span),
                },
            },
            Some(Symbol::Other(what)) => {
                let what = what.clone();
                self.gap(what, span)
            }
            None if let Some(text) = self.function_name(name) => {
                Ok(CType::Array(CType::CHAR.into(), Some(text.len() as u64 + 1)))
            }
            Some(Symbol::Typedef(..)) | None => self.gap(format!("the name `{name}`"), span),
        }
    }

    fn type_of_unary(&mut self, unary: &'a Node<ast::UnaryOperatorExpression>) -> Lowered<CType> {
        use ast::UnaryOperator as Op;
        let operand = self.type_of(&unary.node.operand)?;
        Ok(match unary.node.operator.node {
            Op::Address => CType::pointer_to(operand),
            Op::Indirection => match operand.decayed() {
                CType::Pointer(pointee) => (*pointee).clone(),
                _ => return self.gap("an indirection through something that is no pointer", unary.span),
            },
            Op::Plus | Op::Minus | Op::Complement => operand.promoted(),
            Op::Negate => CType::INT,
            Op::PostIncrement | Op::PostDecrement | Op::PreIncrement | Op::PreDecrement => {
                operand.without_volatile().clone()
            }
        })
    }

    fn type_of_binary(&mut self, binary: &'a Node<ast::BinaryOperatorExpression>) -> Lowered<CType> {
        use ast::BinaryOperator as Op;
        let lhs = self.type_of(&binary.node.lhs)?;
        let mut rhs = || self.type_of(&binary.node.rhs);
        Ok(match binary.node.operator.node {
            Op::Index => {
                let pointer = match lhs.decayed() {
                    CType::Pointer(pointee) => pointee,
                    _ => match rhs()?.decayed() {
                        CType::Pointer(pointee) => pointee,
                        _ => return self.gap("an index into something that is no array", binary.span),
                    },
                };
                (*pointer).clone()
            }
            Op::Plus | Op::Minus => {
                let rhs = rhs()?.decayed();
                match (lhs.decayed(), rhs) {
                    (CType::Pointer(_), CType::Pointer(_)) => CType::LONG,
                    (pointer @ CType::Pointer(_), _) | (_, pointer @ CType::Pointer(_)) => pointer,
                    (lhs, rhs) => common_type(&lhs, &rhs),
                }
            }
            Op::Multiply | Op::Divide | Op::Modulo | Op::BitwiseAnd | Op::BitwiseXor | Op::BitwiseOr => {
                common_type(&lhs, &rhs()?)
            }
            Op::ShiftLeft | Op::ShiftRight => lhs.promoted(),
            Op::Less
            | Op::Greater
            | Op::LessOrEqual
            | Op::GreaterOrEqual
            | Op::Equals
            | Op::NotEquals
            | Op::LogicalAnd
            | Op::LogicalOr => CType::INT,
            _ => lhs,
        })
    }

    /// The type of `c ? a : b`.
    pub(crate) fn type_of_choice(&self, then: &CType, otherwise: &CType) -> CType {
        match (then, otherwise) {
            (a, b) if a.is_arithmetic() && b.is_arithmetic() => common_type(a, b),
            (CType::Pointer(a), CType::Pointer(_)) if **a != CType::Void => then.clone(),
            (CType::Pointer(_), CType::Pointer(_)) => otherwise.clone(),
            (CType::Pointer(_), _) => then.clone(),
            (_, CType::Pointer(_)) => otherwise.clone(),
            _ => then.clone(),
        }
    }

    /// Lowers the expression, looks at its type and forgets the rest.
    fn type_by_lowering(&mut self, node: &'a Node<ast::Expression>) -> Lowered<CType> {
        let (locals, temps) = (self.body.locals.len(), self.body.temps);
        let (_, value) = self.block(|this| this.lower_expr(node));
        self.body.locals.truncate(locals);
        self.body.temps = temps;
        Ok(value?.ty)
    }
}
