//! Functions: parameters, body, what the end of the body means.

use std::collections::BTreeSet;

use ir::{Expr, LocalId, ProcId, Procedure, StmtKind};
use lang_c::ast;
use lang_c::span::Node;
use lang_c::visit::{self, Visit};

use super::declare::is_plain;
use super::file_scope::declared_name;
use super::names::Symbol;
use super::place::Place;
use super::{Body, Gap, Lowered, Lowerer, Value};
use crate::build;
use crate::effects;
use crate::types::CType;

impl<'a> Lowerer<'a> {
    /// The procedure of a function; its body, if there is one, is lowered later.
    pub(crate) fn procedure(&mut self, key: &str) -> ProcId {
        let function = &self.functions[key];
        if let Some(proc) = function.proc {
            return proc;
        }
        let ty = function.ty.clone();
        let defined = function.definition.is_some();
        let result = (ty.result != CType::Void).then(|| self.value_type(&ty.result));
        let mut locals = Vec::new();
        for (index, param) in ty.params.iter().enumerate() {
            let ty = self.value_type(param);
            locals.push(ir::Local { name: format!("${index}"), ty });
        }
        let name = key.strip_prefix("model ").unwrap_or(key).to_owned();
        let short_name = name.rsplit(':').next().unwrap_or(&name).to_owned();
        let proc = ProcId::from_index(self.program.procedures.len());
        self.program.procedures.push(Procedure {
            name,
            short_name,
            params: locals.len(),
            locals,
            result,
            body: None,
            external: ir::External::default(),
            span: ir::Span::NOWHERE,
            assumptions: Vec::new(),
        });
        if let Some(function) = self.functions.get_mut(key) {
            function.proc = Some(proc);
        }
        if defined {
            self.queue.push_back(key.to_owned());
        }
        proc
    }

    pub(crate) fn lower_function(&mut self, key: &str) {
        let function = &self.functions[key];
        let (Some(definition), Some(proc)) = (function.definition.clone(), function.proc) else { return };
        let ty = function.ty.clone();
        let node = definition.node;
        self.unit = definition.unit;
        self.blocks.clear();
        let mut finder = AddressFinder::default();
        finder.visit_function_definition(&node.node, &node.span);
        self.body = Body {
            name: self.program.procedure(proc).name.clone(),
            result: (ty.result != CType::Void).then(|| ty.result.clone()),
            addressed: finder.names,
            span: Some(self.span(node.span)),
            ..Body::default()
        };
        self.assume_macros(definition.unit, node.span);
        self.scoped(|this| {
            if let Some(instance) = definition.instance {
                this.bind("T", Symbol::Typedef(instance, false));
            }
            if let Err(gap) = this.lower_definition(key, node, &ty.params) {
                let gap = this.lost(gap, node.span);
                this.body.out.push(gap);
            }
        });
        if ir::nests_too_deep(&self.body.out) {
            self.body.out.clear();
            let what = format!("code that nests deeper than {} levels", ir::MAX_DEPTH);
            let gap = self.lost(Gap { what, span: self.span(node.span) }, node.span);
            self.body.out.push(gap);
        }
        self.finish_function(proc, node);
    }

    /// Why a function as a whole is not modelled.
    fn refused_function(&mut self, key: &str, node: &'a Node<ast::FunctionDefinition>) -> Lowered<()> {
        if let Some(what) = self.functions[key].lost.clone() {
            return self.gap(what, node.span);
        }
        if let Some(lost) = self.lost_at(node.span.start) {
            return self.gap(lost.what.clone(), node.span);
        }
        let pragma = self.units[self.unit].source.attributes.refused_before(node.span.start);
        if let Some(what) = pragma {
            return self.gap(what.to_owned(), node.span);
        }
        if !self.start_ups.is_empty() && is_main(&self.body.name) {
            return self.gap("functions that run before or after `main`", node.span);
        }
        Ok(())
    }

    fn lower_definition(
        &mut self,
        key: &str,
        node: &'a Node<ast::FunctionDefinition>,
        params: &[CType],
    ) -> Lowered<()> {
        let names = self.parameter_names(&node.node.declarator);
        let mut volatile = VolatileParameters::default();
        volatile.visit_declarator(&node.node.declarator.node, &node.node.declarator.span);
        let restricted = restricted_parameters(&node.node.declarator);
        self.restricted.insert(self.body.name.clone(), restricted);
        let mut bound = Vec::new();
        for (index, ty) in params.iter().enumerate() {
            let ir_type = self.value_type(ty);
            let name = names.get(index).cloned().flatten().unwrap_or_else(|| format!("$unnamed{index}"));
            let local = self.named_local(&name, ir_type);
            bound.push((name, local, ty.clone()));
        }
        self.refused_function(key, node)?;
        self.check_sizes(node)?;
        if names.len() > params.len() && params.is_empty() && names.iter().any(Option::is_some) {
            return self.gap("parameters without types", node.span);
        }
        self.check_non_null(&node.node.declarator, &bound);
        for (name, local, ty) in bound {
            let in_memory = matches!(ty, CType::Record(_)) || self.body.addressed.contains(&name);
            if !in_memory {
                self.bind(&name, Symbol::Local(local, ty));
                continue;
            }
            let object = self.new_object(&name, &ty)?;
            let value = Value { expr: Expr::Local(local), ty: ty.clone() };
            self.store(&Place::object(Expr::Local(object), ty.clone()), value)?;
            // Others may know where it is, and look at it.
            let ty = if volatile.names.contains(&name) { self.volatile_type(&ty) } else { ty };
            self.bind(&name, Symbol::Object(object, ty));
        }
        self.lower_statement(&node.node.statement);
        Ok(())
    }

    /// A null argument is undefined for parameters with the attribute `nonnull`, and for `int a[static 1]`.
    fn check_non_null(&mut self, node: &'a Node<ast::Declarator>, params: &[(String, LocalId, CType)]) {
        let listed =
            declared_name(node).and_then(|name| self.non_null.get(name)).cloned().unwrap_or_default();
        let sized = sized_parameters(node);
        for (index, (name, local, ty)) in params.iter().enumerate() {
            let is_listed = listed.contains(&0) || listed.contains(&(index + 1)) || sized.contains(name);
            if is_listed && matches!(ty, CType::Pointer(_)) {
                let (object, _) = build::parts(Expr::Local(*local));
                self.check(build::not(build::is_null(object)), "null dereference");
            }
        }
    }

    fn parameter_names(&self, node: &'a Node<ast::Declarator>) -> Vec<Option<String>> {
        for derived in &node.node.derived {
            match &derived.node {
                ast::DerivedDeclarator::Function(function) => {
                    let name = |parameter: &Node<ast::ParameterDeclaration>| {
                        parameter.node.declarator.as_ref().and_then(declared_name).map(str::to_owned)
                    };
                    return function.node.parameters.iter().map(name).collect();
                }
                ast::DerivedDeclarator::KRFunction(names) => {
                    return names.iter().map(|name| Some(name.node.name.clone())).collect();
                }
                _ => {}
            }
        }
        match &node.node.kind.node {
            ast::DeclaratorKind::Declarator(inner) => self.parameter_names(inner),
            _ => Vec::new(),
        }
    }

    fn finish_function(&mut self, proc: ProcId, node: &'a Node<ast::FunctionDefinition>) {
        let span = self.span(node.span);
        let mut body = std::mem::take(&mut self.body);
        let name = body.name.clone();
        if body.result.is_some() && !is_main(&name) && effects::falls_through(&body.out) {
            body.assumptions.push(format!("the end of `{name}` without a return statement returns 0"));
        }
        if body.result.is_none()
            && matches!(body.out.last(), Some(stmt) if stmt.kind == StmtKind::Return(None))
        {
            body.out.pop();
        }
        super::assigned::note_unassigned(&mut body);
        self.views.insert(name.clone(), std::mem::take(&mut body.views));
        self.handlings.insert(name, std::mem::take(&mut body.handlings));
        if !body.unsequenced.is_empty() {
            self.unsequenced.push((proc, std::mem::take(&mut body.unsequenced)));
        }
        let procedure = &mut self.program.procedures[proc.index()];
        procedure.locals = body.locals;
        procedure.body = Some(body.out);
        procedure.assumptions = body.assumptions;
        procedure.span = span;
    }
}

/// Whether this is where a program starts; of several, each has its file in front.
/// The parameters that are declared like `int a[static 4]`.
fn sized_parameters(node: &Node<ast::Declarator>) -> BTreeSet<String> {
    let functions = node.node.derived.iter().filter_map(|derived| match &derived.node {
        ast::DerivedDeclarator::Function(function) => Some(&function.node.parameters),
        _ => None,
    });
    let declarators = functions.flatten().filter_map(|parameter| parameter.node.declarator.as_ref());
    let is_sized = |declarator: &&Node<ast::Declarator>| match declarator.node.derived.first() {
        Some(derived) => match &derived.node {
            ast::DerivedDeclarator::Array(array) => {
                matches!(array.node.size, ast::ArraySize::StaticExpression(_))
            }
            _ => false,
        },
        None => false,
    };
    declarators.filter(is_sized).filter_map(|node| declared_name(node).map(str::to_owned)).collect()
}

fn is_main(name: &str) -> bool {
    name.rsplit(':').next() == Some("main")
}

/// Finds the parameters that are declared `volatile` themselves.
#[derive(Default)]
struct VolatileParameters {
    names: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for VolatileParameters {
    fn visit_parameter_declaration(
        &mut self,
        node: &'ast ast::ParameterDeclaration,
        _span: &'ast lang_c::span::Span,
    ) {
        let is_volatile = |specifier: &Node<ast::DeclarationSpecifier>| {
            matches!(&specifier.node, ast::DeclarationSpecifier::TypeQualifier(qualifier)
                if qualifier.node == ast::TypeQualifier::Volatile)
        };
        if let Some(declarator) = &node.declarator
            && is_plain(declarator)
            && node.specifiers.iter().any(is_volatile)
        {
            self.names.extend(declared_name(declarator).map(str::to_owned));
        }
    }
}

/// The places of the parameters that are `restrict` themselves.
fn restricted_parameters(node: &Node<ast::Declarator>) -> BTreeSet<usize> {
    let is_restricted = |parameter: &Node<ast::ParameterDeclaration>| {
        let declarator = parameter.node.declarator.as_ref();
        let derived = declarator.map_or(&[][..], |it| &it.node.derived[..]);
        // What a parameter is comes last, but for arrays, which are pointers there.
        let array = derived.iter().find_map(|derived| match &derived.node {
            ast::DerivedDeclarator::Array(array) => Some(&array.node.qualifiers),
            _ => None,
        });
        match array {
            Some(qualifiers) => qualifiers.iter().any(|it| it.node == ast::TypeQualifier::Restrict),
            None => declarator.is_some_and(|it| is_restrict_pointer(&it.node)),
        }
    };
    for derived in &node.node.derived {
        if let ast::DerivedDeclarator::Function(function) = &derived.node {
            let places = function.node.parameters.iter().enumerate();
            return places.filter(|(_, it)| is_restricted(it)).map(|(place, _)| place).collect();
        }
    }
    match &node.node.kind.node {
        ast::DeclaratorKind::Declarator(inner) => restricted_parameters(inner),
        _ => BTreeSet::new(),
    }
}

/// Whether what is declared is a pointer that is `restrict` itself.
pub(super) fn is_restrict_pointer(declarator: &ast::Declarator) -> bool {
    let Some(ast::DerivedDeclarator::Pointer(qualifiers)) = declarator.derived.last().map(|it| &it.node)
    else {
        return false;
    };
    qualifiers.iter().any(|it| match &it.node {
        ast::PointerQualifier::TypeQualifier(it) => it.node == ast::TypeQualifier::Restrict,
        ast::PointerQualifier::Extension(_) => false,
    })
}

/// Finds the names whose address the function takes. Over-approximating: shadowed names count together.
#[derive(Default)]
struct AddressFinder {
    names: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for AddressFinder {
    fn visit_unary_operator_expression(
        &mut self,
        node: &'ast ast::UnaryOperatorExpression,
        span: &'ast lang_c::span::Span,
    ) {
        if node.operator.node == ast::UnaryOperator::Address {
            let mut root = &node.operand.node;
            while let ast::Expression::Member(member) = root
                && member.node.operator.node == ast::MemberOperator::Direct
            {
                root = &member.node.expression.node;
            }
            if let ast::Expression::Identifier(name) = root {
                self.names.insert(name.node.name.clone());
            }
        }
        visit::visit_unary_operator_expression(self, node, span);
    }
}
