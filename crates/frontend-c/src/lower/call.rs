//! Calls: of functions with a body, of models, of unknown functions, and through pointers.

use std::rc::Rc;

use ir::{Expr, IntType, ProcId, Procedure, Scalar, StmtKind};
use lang_c::ast;
use lang_c::span::{Node, Span};

use super::names::Symbol;
use super::{Lowered, Lowerer, Value};
use crate::build;
use crate::types::{CType, FunctionType};

/// A call through a pointer is tried against at most this many functions.
const MAX_CANDIDATES: usize = 32;

impl<'a> Lowerer<'a> {
    pub(crate) fn lower_call(&mut self, node: &'a Node<ast::CallExpression>) -> Lowered<Value> {
        self.call(node, true)
    }

    pub(crate) fn lower_call_effect(&mut self, node: &'a Node<ast::CallExpression>) -> Lowered<()> {
        self.call(node, false).map(|_| ())
    }

    fn call(&mut self, node: &'a Node<ast::CallExpression>, wanted: bool) -> Lowered<Value> {
        let Some(name) = called_name(&node.node.callee) else {
            return self.call_pointer(node, wanted);
        };
        let key = match self.lookup(name) {
            Some(Symbol::Function(key)) => key.clone(),
            Some(Symbol::Other(what)) => {
                let what = what.clone();
                return self.gap(what, node.span);
            }
            Some(_) => return self.call_pointer(node, wanted),
            None => name.to_owned(),
        };
        if self.weak.contains(name) {
            return self.gap(format!("a call of `{name}`, which is weak"), node.span);
        }
        let own = self.defined_key(&key).is_some_and(|defined| !defined.starts_with("model "));
        if !own && let Some(value) = self.lower_builtin(name, node, wanted)? {
            return Ok(value);
        }
        let key = self.defined_key(&key).unwrap_or(key);
        if key.starts_with("model ") {
            self.assume_library(name);
        }
        self.check_declared(&key, name, &node.node.arguments, node.span)?;
        let known = self.functions.get(&key).is_some_and(|function| function.definition.is_some());
        let ty = self.functions.contains_key(&key).then(|| self.called_type(&key));
        let outer = std::mem::replace(&mut self.body.external, !known);
        let args = self.arguments(&node.node.arguments, ty.as_deref());
        self.body.external = outer;
        let args = args?;
        let value = self.call_function(&key, name, args, wanted, node.span)?;
        if !known && self.no_return.contains(name) {
            self.throw(&format!("`{name}` does not return"));
        }
        Ok(value)
    }

    /// The key under which a function has a body: the user's own, or a model of libc.
    pub(crate) fn defined_key(&self, key: &str) -> Option<String> {
        let model = format!("model {key}");
        let has_body =
            |key: &str| self.functions.get(key).is_some_and(|function| function.definition.is_some());
        // libc's own functions call each other, not what the user calls by the same name.
        if self.is_model() && has_body(&model) {
            return Some(model);
        }
        if has_body(key) {
            return Some(key.to_owned());
        }
        (has_body(&model) && self.model_is_plain(key)).then_some(model)
    }

    /// The arguments from left to right, each converted to its parameter's type.
    pub(crate) fn arguments(
        &mut self,
        nodes: &'a [Node<ast::Expression>],
        ty: Option<&FunctionType>,
    ) -> Lowered<Vec<Value>> {
        let mut values: Vec<Value> = Vec::new();
        let begin = self.body.out.len();
        for (index, node) in nodes.iter().enumerate() {
            let start = self.body.out.len();
            let param =
                ty.filter(|ty| ty.prototyped || !ty.params.is_empty()).and_then(|ty| ty.params.get(index));
            let external = std::mem::replace(&mut self.body.external, false);
            // Only a member as it stands: any operator on its address could lead elsewhere.
            let outer = std::mem::replace(&mut self.body.unfollowed, external && is_plain_member(node));
            let value = self.argument(node, param);
            self.body.unfollowed = outer;
            self.body.external = external;
            let value = value?;
            let before: Vec<&ir::Expr> = values.iter().map(|value| &value.expr).collect();
            self.note_unsequenced(begin, start, [&before, &[&value.expr]]);
            let earlier = std::mem::take(&mut values);
            values.extend(earlier.into_iter().map(|earlier| self.keep(earlier, start)));
            values.push(value);
        }
        Ok(values)
    }

    fn argument(&mut self, node: &'a Node<ast::Expression>, param: Option<&CType>) -> Lowered<Value> {
        match param {
            Some(param) => self.lower_converted(node, param),
            None => {
                let value = self.lower_expr(node)?;
                let promoted = match &value.ty {
                    CType::Float(_) => CType::DOUBLE,
                    CType::Bits(ty) => CType::Int(super::tables::held(*ty)),
                    ty => ty.promoted(),
                };
                self.convert(value, &promoted)
            }
        }
    }

    /// The type by which a function is called: that of its definition, or the one that this unit declares.
    fn called_type(&self, key: &str) -> std::rc::Rc<FunctionType> {
        let function = &self.functions[key];
        match function.definition.is_some() || function.external.library {
            true => function.ty.clone(),
            false => self.seen_type(key),
        }
    }

    /// Calls a function whose arguments are evaluated.
    pub(crate) fn call_function(
        &mut self,
        key: &str,
        name: &str,
        args: Vec<Value>,
        wanted: bool,
        span: Span,
    ) -> Lowered<Value> {
        let is_defined = self.functions.get(key).map(|function| function.definition.is_some());
        let (proc, result) = match is_defined.map(|is_defined| (self.called_type(key), is_defined)) {
            Some((ty, true)) => {
                if self.functions[key].lost.is_some() {
                    return self.gap(format!("a call of `{name}`, whose type is not known"), span);
                }
                if ty.variadic {
                    return self.gap(format!("a call of `{name}`, which has variable arguments"), span);
                }
                if ty.params.len() != args.len() {
                    return self.gap(format!("a call of `{name}` with another number of arguments"), span);
                }
                (self.procedure(key), ty.result.clone())
            }
            Some((ty, false)) => {
                let is_function =
                    |arg: &Value| matches!(&arg.ty, CType::Pointer(to) if matches!(**to, CType::Function(_)));
                if args.iter().any(is_function) {
                    self.assume(ir::UNKNOWN_CODE_APART);
                }
                (self.external(key, name, &ty.result, &args), ty.result.clone())
            }
            None => (self.external(key, name, &CType::INT, &args), CType::INT),
        };
        self.keep_numbers_apart(proc, name, &args, span)?;
        for ty in args.iter().map(|arg| &arg.ty).chain([&result]) {
            if let CType::LongDouble | CType::Other(_) = ty {
                return self.gap(format!("a call of `{name}` with a type that is not modelled"), span);
            }
            if let CType::Record(_) = ty {
                self.struct_leaves(ty)?;
            }
        }
        let is_library = self
            .functions
            .get(key)
            .is_some_and(|function| function.definition.is_none() && function.external.library);
        if !is_library || !self.uses_errno() && super::outside::results(name).is_none() {
            let args = args.into_iter().map(|arg| arg.expr).collect();
            return Ok(self.emit_call(proc, args, result, wanted));
        }
        let args: Vec<Value> = args.into_iter().map(|arg| self.once(arg)).collect();
        let exprs = args.iter().map(|arg| arg.expr.clone()).collect();
        let value = self.emit_call(proc, exprs, result, wanted);
        self.may_set_errno(name, self.program.procedure(proc).external.access, &args);
        Ok(match super::outside::results(name) {
            Some(range) if wanted => in_range(value, range),
            _ => value,
        })
    }

    /// Unknown code may make a pointer of a number that it gets: unsupported where it is the address of an object, and
    /// taken not to happen with other numbers, where the function has made some of addresses.
    fn keep_numbers_apart(&mut self, callee: ProcId, name: &str, args: &[Value], span: Span) -> Lowered<()> {
        let procedure = self.program.procedure(callee);
        if procedure.body.is_some() || !procedure.external.access.reads_memory() {
            return Ok(());
        }
        self.body.calls_unknown = true;
        if let Some(addresses) = self.known_address_map() {
            let is_address = |arg: &Value| {
                let mut found = false;
                ir::for_each_subexpr(&arg.expr, &mut |expr| found |= *expr == Expr::Global(addresses));
                found && !matches!(arg.ty, CType::Pointer(_))
            };
            if args.iter().any(is_address) {
                return self.gap(format!("an address as a number for `{name}`"), span);
            }
        }
        self.assume_numbers_apart();
        Ok(())
    }

    pub(crate) fn assume_numbers_apart(&mut self) {
        if self.body.calls_unknown && self.body.numbers_addresses {
            self.assume(ir::NUMBERS_ARE_NO_POINTERS);
        }
    }

    pub(crate) fn emit_call(
        &mut self,
        callee: ProcId,
        args: Vec<Expr>,
        result: CType,
        wanted: bool,
    ) -> Value {
        if result == CType::Void || !wanted {
            self.emit(StmtKind::Call { local: None, callee, args });
            return Value { expr: build::int(ir::IntType::I32, 0), ty: result };
        }
        let ty = self.value_type(&result);
        let temp = self.temp(ty);
        self.emit(StmtKind::Call { local: Some(temp), callee, args });
        Value { expr: Expr::Local(temp), ty: result }
    }

    /// The procedure without a body for a function whose source is not there. Calls with other types of
    /// arguments are other procedures.
    fn external(&mut self, key: &str, name: &str, result: &CType, args: &[Value]) -> ProcId {
        let declared = self.functions.get(key).map(|function| function.external).unwrap_or_default();
        self.unknown_procedure(name, super::outside::external(name, result, declared), result, args)
    }

    /// The procedure without a body of which only this is known.
    pub(crate) fn unknown_procedure(
        &mut self,
        name: &str,
        external: ir::External,
        result: &CType,
        args: &[Value],
    ) -> ProcId {
        let params: Vec<ir::Type> = args.iter().map(|arg| self.value_type(&arg.ty)).collect();
        let result = (*result != CType::Void).then(|| self.value_type(result));
        let mut unique = name.to_owned();
        let mut count = 1;
        while let Some(known) = self.program.procedure_named(&unique) {
            let procedure = self.program.procedure(known);
            let same = procedure.parameters().iter().map(|param| &param.ty).eq(params.iter());
            let alike = procedure.external == external && procedure.result == result;
            if procedure.body.is_none() && same && alike {
                return known;
            }
            count += 1;
            unique = format!("{name}.{count}");
        }
        let local = |(index, ty): (usize, ir::Type)| ir::Local { name: format!("${index}"), ty };
        self.program.procedures.push(Procedure {
            name: unique,
            short_name: name.to_owned(),
            params: params.len(),
            locals: params.into_iter().enumerate().map(local).collect(),
            result,
            body: None,
            external,
            span: ir::Span::NOWHERE,
            assumptions: Vec::new(),
        });
        ProcId::from_index(self.program.procedures.len() - 1)
    }

    /// A call through a pointer: one of the functions of this type that it may lead to, or one that is not there.
    fn call_pointer(&mut self, node: &'a Node<ast::CallExpression>, wanted: bool) -> Lowered<Value> {
        let callee = self.lower_expr(&node.node.callee)?;
        let CType::Pointer(pointee) = &callee.ty else { return self.gap("a call of no function", node.span) };
        let CType::Function(ty) = (**pointee).clone() else {
            return self.gap("a call of no function", node.span);
        };
        if ty.variadic {
            return self.gap("a call through a pointer to a function with variable arguments", node.span);
        }
        let callee = self.once(callee);
        let start = self.body.out.len();
        let args = self.arguments(&node.node.arguments, Some(&ty))?;
        let callee = self.keep(callee, start);
        let args: Vec<Value> = args.into_iter().map(|arg| self.once(arg)).collect();
        let (object, offset) = build::parts(callee.expr.clone());
        self.check(build::not(build::is_null(object.clone())), "null dereference");
        let result = (ty.result != CType::Void && wanted).then(|| {
            let ir_type = self.value_type(&ty.result);
            self.temp(ir_type)
        });
        let candidates = self.candidates(&ty);
        let mut chain = match candidates.len() {
            0..=MAX_CANDIDATES => self.call_elsewhere(&callee, &args, &ty, result),
            _ => vec![self.gap_statement(super::Gap {
                what: "a call through a pointer to one of many functions".to_owned(),
                span: self.span(node.span),
            })],
        };
        for key in candidates.into_iter().rev() {
            let (then, called) = self.block(|this| {
                let target = this.defined_key(&key).unwrap_or_else(|| key.clone());
                let value = this.call_function(&target, &key, args.clone(), result.is_some(), node.span)?;
                if let Some(local) = result {
                    this.assign_local(local, value.expr);
                }
                Ok(())
            });
            let then = match called {
                Ok(()) => then,
                Err(gap) => vec![self.gap_statement(gap)],
            };
            let target = Expr::Const(ir::Const::Static(self.function_object(&key)));
            let at_start = build::eq(Scalar::Int(IntType::I64), offset.clone(), build::i64(0));
            let condition = build::and(build::same_ref(object.clone(), target), at_start);
            let (outer, ()) =
                self.block(|this| this.emit(StmtKind::If { condition, then, otherwise: chain }));
            chain = outer;
        }
        self.body.out.extend(chain);
        let expr = result.map_or_else(|| build::int(ir::IntType::I32, 0), Expr::Local);
        Ok(Value { expr, ty: ty.result.clone() })
    }

    /// A call of a function that is not there: the same one for the same pointer in both versions.
    fn call_elsewhere(
        &mut self,
        callee: &Value,
        args: &[Value],
        ty: &FunctionType,
        result: Option<ir::LocalId>,
    ) -> ir::Block {
        let name = "a function behind a pointer";
        let args: Vec<Value> = [callee].into_iter().chain(args).cloned().collect();
        let (block, ()) = self.block(|this| {
            let proc = this.external(name, name, &ty.result, &args);
            let args = args.into_iter().map(|arg| arg.expr).collect();
            let value = this.emit_call(proc, args, ty.result.clone(), result.is_some());
            if let Some(local) = result {
                this.assign_local(local, value.expr);
            }
        });
        block
    }

    /// The functions of a type that a pointer may lead to: those whose address is taken somewhere, and those that
    /// may be an input. One more than can be tried stands for all others.
    fn candidates(&mut self, ty: &Rc<FunctionType>) -> Vec<String> {
        let Some(facts) = self.facts else { return Vec::new() };
        let known = |key: &String| {
            let model = format!("model {key}");
            self.functions.get(key).or_else(|| self.functions.get(&model)).map(|function| function.ty.clone())
        };
        let fits =
            |key: &&String| known(key).is_some_and(|of| of.params == ty.params && of.result == ty.result);
        let leads = &facts.functions | &facts.inputs;
        leads.iter().filter(fits).take(MAX_CANDIDATES + 1).cloned().collect()
    }
}

/// A result of unknown code that lies in a range: any number of the range, whatever the code gives.
fn in_range(value: Value, (least, most): (i128, i128)) -> Value {
    let CType::Int(ty) = value.ty else { return value };
    let x = || value.expr.clone();
    let inside =
        build::and(build::le(ty, build::int(ty, least), x()), build::le(ty, x(), build::int(ty, most)));
    Value { expr: build::if_else(inside, x(), build::int(ty, least)), ty: value.ty.clone() }
}

/// The name of the function that a call names directly.
fn called_name(node: &Node<ast::Expression>) -> Option<&str> {
    match &node.node {
        ast::Expression::Identifier(name) => Some(&name.node.name),
        ast::Expression::UnaryOperator(unary)
            if matches!(
                unary.node.operator.node,
                ast::UnaryOperator::Indirection | ast::UnaryOperator::Address
            ) =>
        {
            // `(*f)(x)` with a variable `f` goes through the pointer, which `lookup` tells apart.
            called_name(&unary.node.operand)
        }
        _ => None,
    }
}

/// `a.b`, `a->b.c`: nothing but names.
fn is_plain_member(node: &Node<ast::Expression>) -> bool {
    match &node.node {
        ast::Expression::Member(member) => {
            matches!(member.node.expression.node, ast::Expression::Identifier(_))
                || is_plain_member(&member.node.expression)
        }
        _ => false,
    }
}
