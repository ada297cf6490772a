//! What is known of the fields of every object that a constructor made.
//!
//! ```text
//! private final int[] data = new int[8];     never null, and of length 8
//! ```
//!
//! An object that is an input was made by a constructor of its class, and a field that is final in one of the versions, or
//! that only one of them has, holds one of the values that the class gives it. Over-approximating: nothing is known of
//! other fields, even if nothing here assigns them, of a field that somebody may look at before it was set, or that one of
//! the versions treats in another way.

use std::collections::{BTreeMap, BTreeSet};

use ir::{BinaryOp as Ir, Expr as IrExpr, IntType, StmtKind as IrStmtKind};

use super::body::{Body, I32, Value, binary, i32_const, is_null, not};
use super::exception::FILLS_TRACE;
use super::field_uses::FieldUses;
use super::given::Given;
use crate::classes::{Classes, MethodKind};
use crate::syntax::{ClassKind, Expr, ExprKind, Literal, Member, MethodDecl, Stmt, StmtKind};
use crate::types::{ClassId, FieldId, Ty};

/// What a field holds in every object whose constructor ended.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Fact {
    Is(Literal),
    NotNull,
    /// It leads to an array of this length.
    Length(usize),
}

/// A fact about a field, and who can assign the field.
struct Known {
    fact: Fact,
    is_final: bool,
    is_private: bool,
}

/// What is known of the fields of one version, as `Class.field`.
#[derive(Default)]
pub(crate) struct ObjectFacts {
    known: BTreeMap<String, Known>,
    /// The fields that the version has.
    fields: BTreeSet<String>,
}

impl ObjectFacts {
    pub(crate) fn of(table: &Classes<'_>, uses: &FieldUses) -> ObjectFacts {
        let mut facts = ObjectFacts::default();
        for (index, field) in table.fields.iter().enumerate() {
            let name = table.qualified(field.class, &field.name);
            if let Some(fact) = fact_of(table, uses, FieldId(index)) {
                let known = Known { fact, is_final: field.is_final, is_private: field.is_private };
                facts.known.insert(name.clone(), known);
            }
            facts.fields.insert(name);
        }
        facts
    }

    /// What holds of a field in both versions, if one of them never assigns it again, or in the version that has it.
    pub(crate) fn shared(&self, other: &ObjectFacts, name: &str) -> Option<Fact> {
        let known = self.known.get(name)?;
        let holds = match other.known.get(name) {
            Some(other) => other.fact == known.fact && (known.is_final || other.is_final),
            None => (known.is_private || known.is_final) && !other.fields.contains(name),
        };
        holds.then(|| known.fact.clone())
    }
}

fn fact_of(table: &Classes<'_>, uses: &FieldUses, id: FieldId) -> Option<Fact> {
    let field = table.field(id);
    let class = table.class(field.class);
    let is_candidate = !field.is_static
        && field.decl.is_some()
        && !class.is_library
        && class.decl.kind == ClassKind::Class
        && !field.ty.is_unknown();
    let given = uses.given(id);
    let (first, rest) = given.split_first()?;
    let fact = match (&field.ty, first) {
        (Ty::Primitive(_) | Ty::Text, Given::Literal(literal))
            if is_exact(literal, &field.ty) && rest.iter().all(|other| other == first) =>
        {
            Fact::Is(literal.clone())
        }
        (Ty::Array(_), Given::Array(Some(length))) if rest.iter().all(|other| other == first) => {
            Fact::Length(*length)
        }
        (Ty::Text | Ty::Array(_) | Ty::Class(_) | Ty::Foreign(_), _)
            if given.iter().all(Given::is_not_null) =>
        {
            Fact::NotNull
        }
        _ => return None,
    };
    (is_candidate && is_always_set(table, id) && !is_seen_early(table, id)).then_some(fact)
}

/// Whether what is equal to a literal is the same as it, which zeros of floating-point types are not.
fn is_exact(literal: &Literal, ty: &Ty) -> bool {
    let is_zero = match literal {
        Literal::Float(value) => *value == 0.0,
        Literal::Double(value) => *value == 0.0,
        Literal::Int(value) => *value == 0,
        Literal::Long(value) => *value == 0,
        Literal::Char(value) => *value == 0,
        Literal::Null => return false,
        Literal::Boolean(_) | Literal::Text(_) => false,
    };
    let is_float = matches!(ty, Ty::Primitive(primitive) if primitive.is_float());
    !(is_zero && is_float)
}

/// Whether every constructor sets a field.
fn is_always_set(table: &Classes<'_>, id: FieldId) -> bool {
    let field = table.field(id);
    // The compiler demands it of final fields.
    field.init.is_some()
        || field.is_final
        || constructors(table, field.class)
            .iter()
            .all(|decl| decl.is_some_and(|decl| delegates(decl) || assignment(decl, &field.name).is_some()))
}

/// The constructors of a class; nothing for one that nobody wrote.
fn constructors<'a>(table: &Classes<'a>, class: ClassId) -> Vec<Option<&'a MethodDecl>> {
    let ids = table.class(class).constructors.iter();
    let decl = |kind: MethodKind<'a>| match kind {
        MethodKind::Declared(decl) => Some(decl),
        _ => None,
    };
    ids.map(|id| decl(table.method(*id).kind)).collect()
}

fn statements(decl: &MethodDecl) -> &[Stmt] {
    decl.body.as_deref().unwrap_or_default()
}

/// Whether a constructor begins with `this(...)`.
fn delegates(decl: &MethodDecl) -> bool {
    matches!(
        statements(decl).first(),
        Some(Stmt { kind: StmtKind::ConstructorCall { is_super: false, .. }, .. })
    )
}

/// Which statement of a constructor sets a field, whatever happens.
fn assignment(decl: &MethodDecl, field: &str) -> Option<usize> {
    let is_hidden = decl.params.iter().any(|param| param.name == field);
    let place = statements(decl).iter().position(|stmt| {
        let StmtKind::Expr(Expr { kind: ExprKind::Assign { lhs, .. }, .. }) = &stmt.kind else {
            return false;
        };
        match &lhs.kind {
            ExprKind::Field { object, name } => matches!(object.kind, ExprKind::This) && name == field,
            ExprKind::Name(name) => name == field && !is_hidden && !declares(statements(decl), field),
            _ => false,
        }
    })?;
    let mut returns = false;
    for stmt in &statements(decl)[..place] {
        stmt.for_each_stmt(&mut |stmt| returns |= matches!(stmt.kind, StmtKind::Return(_)));
    }
    (!returns).then_some(place)
}

fn declares(body: &[Stmt], variable: &str) -> bool {
    let mut found = false;
    for stmt in body {
        stmt.for_each_stmt(&mut |stmt| {
            found |= matches!(&stmt.kind, StmtKind::Local { name, .. } if name == variable);
        });
    }
    found
}

/// Whether other code may get hold of an object before a field of it is set.
fn is_seen_early(table: &Classes<'_>, id: FieldId) -> bool {
    let field = table.field(id);
    let mut parent = table.class(field.class).superclass;
    if table.unknown_superclass(field.class).is_some() {
        return true;
    }
    // An exception calls this method before any of its fields is set.
    if table.is_exception(field.class) && table.declares_anywhere(FILLS_TRACE) {
        return true;
    }
    while let Some(class) = parent.filter(|class| !table.class(*class).is_library) {
        if table.unknown_superclass(class).is_some() || leaks_from(table, class, None) {
            return true;
        }
        parent = table.class(class).superclass;
    }
    leaks_from(table, field.class, Some(id))
}

/// Whether making an object of a class hands it on, before a field is set or at all.
fn leaks_from(table: &Classes<'_>, class: ClassId, field: Option<FieldId>) -> bool {
    let name = field.map(|id| table.field(id).name.as_str());
    for member in &table.class(class).decl.members {
        match member {
            Member::Field(decl) if !decl.modifiers.is_static => {
                if decl.init.as_ref().is_some_and(|init| leaks(table, class, init)) {
                    return true;
                }
                if decl.init.is_some() && Some(decl.name.as_str()) == name {
                    return false;
                }
            }
            Member::Initializer { is_static: false, body }
                if body.iter().any(|stmt| stmt_leaks(table, class, stmt)) =>
            {
                return true;
            }
            Member::Field(_) | Member::Initializer { .. } | Member::Method(_) | Member::Class(_) => {}
        }
    }
    constructors(table, class).into_iter().flatten().any(|decl| {
        let body = statements(decl);
        let end = name.and_then(|name| assignment(decl, name)).map_or(body.len(), |last| last + 1);
        // What comes after `this(...)` finds the field set.
        let end = if delegates(decl) { 1 } else { end };
        body[..end].iter().any(|stmt| stmt_leaks(table, class, stmt))
    })
}

fn stmt_leaks(table: &Classes<'_>, class: ClassId, stmt: &Stmt) -> bool {
    let mut found = false;
    stmt.for_each_stmt(&mut |stmt| found |= matches!(stmt.kind, StmtKind::Unsupported(_)));
    let mut bare = 0;
    stmt.for_each_expr(&mut |expr| found |= expr_leaks(table, class, expr, &mut bare));
    found || bare > 0
}

fn leaks(table: &Classes<'_>, class: ClassId, expr: &Expr) -> bool {
    let (mut found, mut bare) = (false, 0);
    expr.for_each_expr(&mut |expr| found |= expr_leaks(table, class, expr, &mut bare));
    found || bare > 0
}

/// Whether an expression, its parts apart, hands on the object that is being made. Counts in `bare` how often `this`
/// stands for more than one of its fields.
fn expr_leaks(table: &Classes<'_>, class: ClassId, expr: &Expr, bare: &mut i32) -> bool {
    match &expr.kind {
        ExprKind::This => *bare += 1,
        ExprKind::Field { object, .. } if matches!(object.kind, ExprKind::This) => *bare -= 1,
        _ => {}
    }
    match &expr.kind {
        ExprKind::OuterThis(_) | ExprKind::Super | ExprKind::Unsupported(_) | ExprKind::Switch(_) => true,
        ExprKind::Call { target: None, name, .. } => !is_static_method(table, class, name),
        ExprKind::New { ty, .. } => {
            table.resolve_class(ty, Some(class)).is_some_and(|made| table.class(made).is_inner)
        }
        _ => false,
    }
}

/// Whether a simple name surely means a static method.
fn is_static_method(table: &Classes<'_>, class: ClassId, name: &str) -> bool {
    let methods =
        table.methods.iter().filter(|method| method.name == name && !table.class(method.class).is_library);
    let mut methods = methods.peekable();
    methods.peek().is_some() && !table.has_unknown_ancestor(class) && methods.all(|method| method.is_static)
}

impl Body<'_, '_> {
    /// Reads a field of which something is known, of an object that was made before.
    pub(super) fn known_field(&mut self, field: FieldId, object: &Value) -> Option<Value> {
        if self.constructing {
            return None;
        }
        let fact = self.cx.object_facts.get(&field)?.clone();
        self.assume_in_words("objects among the inputs were made by the constructors of their classes");
        let object = self.small(object.clone());
        let value = self.load_field(object.expr, field);
        if let Fact::Is(literal) = &fact {
            let known = self.convert(super::expr::literal_value(literal), &value.ty);
            let (lhs, rhs) = (value.expr, known.expr.clone());
            let condition = match &known.ty {
                Ty::Primitive(primitive) => binary(Ir::Eq, primitive.scalar(), lhs, rhs),
                _ => IrExpr::SameText { lhs: Box::new(lhs), rhs: Box::new(rhs) },
            };
            self.emit(IrStmtKind::Assume { condition });
            return Some(known);
        }
        self.emit(IrStmtKind::Assume { condition: not(is_null(&value)) });
        if let Fact::Length(length) = fact {
            let found = IrExpr::Length { object: Box::new(value.expr.clone()), ty: IntType::I32 };
            let length = i32_const(i32::try_from(length).unwrap_or(i32::MAX));
            self.emit(IrStmtKind::Assume { condition: binary(Ir::Eq, I32, found, length) });
        }
        Some(value)
    }
}
