//! What a program does with the fields of its classes: which are assigned, which are read, and which arrays in them
//! are only read.
//!
//! Names are resolved. An array is followed through variables, parameters of methods that nothing overrides, and other
//! fields; it is shared as soon as it goes where it is not followed. Over-approximating: what is not said to be
//! assigned, read or shared is not.

use std::collections::{BTreeMap, BTreeSet};

use super::given::{Given, unassigned};
use super::stable::path;
use crate::classes::{Classes, MethodKind};
use crate::syntax::{BinaryOp, ClassKind, Expr, ExprKind, Member, Stmt, StmtKind, Switch, TypeRef, Unit};
use crate::types::{ClassId, FieldId, MethodId, Ty};

/// What may hold an array: a field, or all variables of one name in a body of code.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Holder {
    Field(FieldId),
    Local(Place, String),
}

/// A body of code: of a method, or one of the initialisers of a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    Method(MethodId),
    Initialiser(ClassId, usize),
}

/// Where the value of an expression goes.
#[derive(Clone, Debug)]
enum Sink {
    /// Nobody looks at it: it is a statement.
    Nowhere,
    /// Nothing is done with an array but to look at it.
    Looked,
    Into(Vec<Holder>),
    Anywhere,
}

#[derive(Default)]
pub(crate) struct FieldUses {
    assigned: BTreeSet<FieldId>,
    read: BTreeSet<FieldId>,
    shared: BTreeSet<Holder>,
    flows: BTreeMap<Holder, BTreeSet<Holder>>,
    given: BTreeMap<FieldId, Vec<Given>>,
}

impl FieldUses {
    /// With `outside`, what static blocks do with the static fields of their own class does not count.
    pub(crate) fn of(units: &[Unit], table: &Classes<'_>, outside: bool) -> FieldUses {
        let mut uses = FieldUses::default();
        for (index, class) in table.classes.iter().enumerate().filter(|(_, class)| !class.is_library) {
            let class_id = ClassId(index);
            for constant in &class.decl.constants {
                let mut walk = Walk::new(&mut uses, table, class_id, Place::Initialiser(class_id, 0));
                constant.args.iter().for_each(|arg| walk.expr(arg, &Sink::Anywhere));
            }
            for (place, member) in class.decl.members.iter().enumerate() {
                let mut walk = Walk::new(&mut uses, table, class_id, Place::Initialiser(class_id, place));
                match member {
                    Member::Field(field) => walk.initialiser(&field.name, field.init.as_ref()),
                    Member::Initializer { is_static, body } => {
                        walk.in_own_block = outside && *is_static;
                        walk.body(body);
                    }
                    Member::Method(_) | Member::Class(_) => {}
                }
            }
        }
        for (index, method) in table.methods.iter().enumerate() {
            if let (MethodKind::Declared(decl), false) = (method.kind, table.class(method.class).is_library) {
                let mut walk = Walk::new(&mut uses, table, method.class, Place::Method(MethodId(index)));
                for param in &decl.params {
                    walk.declare(&param.name, &param.ty);
                    walk.enter(&param.name);
                }
                let body = decl.body.as_deref().unwrap_or_default();
                let names = unassigned(decl.params.iter().map(|param| param.name.as_str()), body);
                walk.params = names.into_iter().map(str::to_owned).collect();
                walk.body(body);
            }
        }
        for unit in units {
            uses.lose(unit, table);
        }
        for (index, field) in table.fields.iter().enumerate() {
            if !field.is_private {
                uses.shared.insert(Holder::Field(FieldId(index)));
            }
        }
        uses
    }

    /// Whether a field is assigned after its declaration. Only asked of private ones.
    pub(crate) fn assigns(&self, field: FieldId) -> bool {
        self.assigned.contains(&field)
    }

    /// All that the program puts into a field. Only asked of those that nobody else can assign.
    pub(crate) fn given(&self, field: FieldId) -> &[Given] {
        self.given.get(&field).map_or(&[], Vec::as_slice)
    }

    fn give(&mut self, field: FieldId, given: Given) {
        self.given.entry(field).or_default().push(given);
    }

    /// Whether anybody looks at what a field holds. Only asked of private ones.
    pub(crate) fn reads(&self, field: FieldId) -> bool {
        self.read.contains(&field)
    }

    /// Whether the elements of the array in a private field are only read, and nobody else gets hold of it.
    pub(crate) fn keeps(&self, field: FieldId) -> bool {
        let mut seen = BTreeSet::from([Holder::Field(field)]);
        let mut open = vec![Holder::Field(field)];
        while let Some(holder) = open.pop() {
            if self.shared.contains(&holder) {
                return false;
            }
            for next in self.flows.get(&holder).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        true
    }

    /// Code that was not read may do anything with the fields that it can name.
    fn lose(&mut self, unit: &Unit, table: &Classes<'_>) {
        for (index, field) in table.fields.iter().enumerate() {
            let mut top = field.class;
            while let Some(outer) = table.class(top).outer {
                top = outer;
            }
            let is_here = unit.classes.iter().any(|class| std::ptr::eq(class, table.class(top).decl));
            if is_here && unit.lost_names.contains(&field.name) {
                self.lose_field(FieldId(index));
            }
        }
    }

    fn lose_field(&mut self, field: FieldId) {
        self.assigned.insert(field);
        self.give(field, Given::Other);
        self.read.insert(field);
        self.shared.insert(Holder::Field(field));
    }
}

/// Goes through a body of code.
pub(super) struct Walk<'u, 't, 'a> {
    uses: &'u mut FieldUses,
    pub(super) table: &'t Classes<'a>,
    pub(super) class: ClassId,
    place: Place,
    /// The variables, with the dimensions of those that are arrays; none if that is not known.
    pub(super) locals: BTreeMap<String, Option<usize>>,
    /// The parameters that are never assigned, and those of them that are not null from here on.
    pub(super) params: BTreeSet<String>,
    pub(super) not_null: BTreeSet<String>,
    /// Those that are surely in scope, by block. Others may be: a pattern declares where its test succeeds.
    scopes: Vec<BTreeSet<String>>,
    in_own_block: bool,
}

impl<'u, 't, 'a> Walk<'u, 't, 'a> {
    fn new(uses: &'u mut FieldUses, table: &'t Classes<'a>, class: ClassId, place: Place) -> Self {
        Walk {
            uses,
            table,
            class,
            place,
            locals: BTreeMap::new(),
            params: BTreeSet::new(),
            not_null: BTreeSet::new(),
            scopes: vec![BTreeSet::new()],
            in_own_block: false,
        }
    }

    /// A variable; one of the same name elsewhere in the body is taken for the same.
    fn declare(&mut self, name: &str, ty: &TypeRef) {
        let dimensions = dimensions(ty);
        let known = self.locals.entry(name.to_owned()).or_insert(dimensions);
        if *known != dimensions {
            *known = None;
        }
    }

    /// From here to the end of the block a name means a variable.
    fn enter(&mut self, name: &str) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned());
        }
    }

    fn in_block(&mut self, walk: impl FnOnce(&mut Self)) {
        self.scopes.push(BTreeSet::new());
        walk(self);
        self.scopes.pop();
    }

    fn initialiser(&mut self, name: &str, init: Option<&Expr>) {
        let fields = &self.table.class(self.class).fields;
        let field = fields.iter().copied().find(|id| self.table.field(*id).name == name);
        let (Some(field), Some(init)) = (field, init) else { return };
        self.expr(init, &Sink::Into(vec![Holder::Field(field)]));
        let given = self.given(init);
        self.uses.give(field, given);
        // What another field does with the array counts for this one, too.
        for (source, _) in self.arrays(init) {
            self.uses.flows.entry(Holder::Field(field)).or_default().insert(source);
        }
    }

    fn body(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            stmt.for_each_stmt(&mut |stmt| match &stmt.kind {
                StmtKind::Local { ty, name, .. } | StmtKind::ForEach { ty, name, .. } => {
                    self.declare(name, ty);
                }
                StmtKind::Try { catches, .. } => {
                    catches.iter().for_each(|clause| self.declare(&clause.name, &TypeRef::Void));
                }
                _ => {}
            });
            stmt.for_each_expr(&mut |expr| match &expr.kind {
                ExprKind::InstanceOf { ty, name: Some(name), .. } => self.declare(name, ty),
                ExprKind::Switch(switch) => {
                    switch.groups.iter().flat_map(|group| &group.body).for_each(|stmt| {
                        stmt.for_each_stmt(&mut |stmt| {
                            if let StmtKind::Local { ty, name, .. } | StmtKind::ForEach { ty, name, .. } =
                                &stmt.kind
                            {
                                self.declare(name, ty);
                            }
                        });
                    });
                }
                _ => {}
            });
        }
        for stmt in stmts {
            self.stmt(stmt);
            self.learn_not_null(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Local { name, init, .. } => {
                // The variable is in scope in its own initialiser (JLS 6.3).
                self.enter(name);
                let local = Holder::Local(self.place, name.clone());
                init.iter().for_each(|init| self.expr(init, &Sink::Into(vec![local.clone()])));
            }
            StmtKind::Block(body) => self.in_block(|walk| body.iter().for_each(|stmt| walk.stmt(stmt))),
            StmtKind::Try { body, catches, finally } => {
                self.in_block(|walk| body.iter().for_each(|stmt| walk.stmt(stmt)));
                for clause in catches {
                    self.in_block(|walk| {
                        walk.enter(&clause.name);
                        clause.body.iter().for_each(|stmt| walk.stmt(stmt));
                    });
                }
                if let Some(finally) = finally {
                    self.in_block(|walk| finally.iter().for_each(|stmt| walk.stmt(stmt)));
                }
            }
            StmtKind::Expr(expr) => self.expr(expr, &Sink::Nowhere),
            StmtKind::For { init, condition, update, body } => self.in_block(|walk| {
                init.iter().for_each(|stmt| walk.stmt(stmt));
                condition.iter().for_each(|condition| walk.expr(condition, &Sink::Anywhere));
                update.iter().for_each(|update| walk.expr(update, &Sink::Nowhere));
                walk.stmt(body);
            }),
            StmtKind::ForEach { name, value, body, .. } => {
                let has_rows = self.arrays(value).iter().any(|(_, left)| *left != Some(1));
                let row = Sink::Into(vec![Holder::Local(self.place, name.clone())]);
                self.expr(value, if has_rows { &row } else { &Sink::Looked });
                self.in_block(|walk| {
                    walk.enter(name);
                    walk.stmt(body);
                });
            }
            StmtKind::Switch(switch) => self.switch(switch),
            _ => {
                let (mut stmts, mut exprs) = (Vec::new(), Vec::new());
                stmt.for_each_part(&mut |stmt| stmts.push(stmt), &mut |expr| exprs.push(expr));
                exprs.into_iter().for_each(|expr| self.expr(expr, &Sink::Anywhere));
                stmts.into_iter().for_each(|stmt| self.stmt(stmt));
            }
        }
    }

    fn switch(&mut self, switch: &Switch) {
        self.expr(&switch.subject, &Sink::Anywhere);
        self.scopes.push(BTreeSet::new());
        for group in &switch.groups {
            if group.arrow {
                self.scopes.pop();
                self.scopes.push(BTreeSet::new());
            }
            group.labels.iter().for_each(|label| self.expr(label, &Sink::Anywhere));
            for stmt in &group.body {
                match &stmt.kind {
                    // It may be the value of the switch.
                    StmtKind::Expr(value) if group.is_value => self.expr(value, &Sink::Anywhere),
                    _ => self.stmt(stmt),
                }
            }
        }
        self.scopes.pop();
    }

    fn expr(&mut self, expr: &Expr, sink: &Sink) {
        match &expr.kind {
            ExprKind::Literal(_)
            | ExprKind::This
            | ExprKind::OuterThis(_)
            | ExprKind::Super
            | ExprKind::Unsupported(_) => {}
            ExprKind::Name(_) => self.read(expr, sink),
            ExprKind::Field { object, .. } => {
                self.read(expr, sink);
                self.expr(object, &Sink::Looked);
            }
            ExprKind::Index { array, index } => {
                self.expr(index, &Sink::Anywhere);
                let is_row = !self.arrays(expr).is_empty();
                self.expr(array, if is_row { sink } else { &Sink::Looked });
            }
            ExprKind::Assign { lhs, rhs } => {
                let given = self.given(rhs);
                let holders = self.write(lhs, sink, &given);
                let into = if holders.is_empty() { Sink::Anywhere } else { Sink::Into(holders) };
                self.expr(rhs, &into);
                self.send(rhs, sink);
            }
            ExprKind::Compound { lhs, rhs, .. } => {
                self.write(lhs, sink, &Given::Other);
                self.expr(rhs, &Sink::Anywhere);
            }
            ExprKind::Update { arg, .. } => {
                self.write(arg, sink, &Given::Other);
            }
            ExprKind::Binary { op: BinaryOp::Eq | BinaryOp::Ne, lhs, rhs } => {
                self.expr(lhs, &Sink::Looked);
                self.expr(rhs, &Sink::Looked);
            }
            ExprKind::Binary { lhs, rhs, .. } => {
                self.expr(lhs, &Sink::Anywhere);
                self.expr(rhs, &Sink::Anywhere);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(condition, &Sink::Anywhere);
                self.expr(then, sink);
                self.expr(otherwise, sink);
            }
            ExprKind::Cast { arg, .. } => self.expr(arg, sink),
            ExprKind::Unary { arg, .. } | ExprKind::InstanceOf { arg, .. } => {
                self.expr(arg, &Sink::Anywhere);
            }
            ExprKind::Call { target, name, args } => self.call(target.as_deref(), name, args),
            ExprKind::New { args: parts, .. }
            | ExprKind::NewArray { dims: parts, .. }
            | ExprKind::ArrayInit { elements: parts, .. } => {
                parts.iter().for_each(|part| self.expr(part, &Sink::Anywhere));
            }
            ExprKind::Switch(switch) => self.switch(switch),
        }
    }

    fn call(&mut self, target: Option<&Expr>, name: &str, args: &[Expr]) {
        if let Some(target) = target {
            let is_copied =
                name == "clone" && self.arrays(target).iter().all(|(_, dimensions)| *dimensions == Some(1));
            self.expr(target, if is_copied { &Sink::Looked } else { &Sink::Anywhere });
        }
        let params = self.parameters(target, name, args.len());
        let only_looks = self.is_reader(target, name);
        for (index, arg) in args.iter().enumerate() {
            let is_flat = self.arrays(arg).iter().all(|(_, dimensions)| *dimensions == Some(1));
            let sink = match &params {
                Some(params) => Sink::Into(params.iter().map(|params| params[index].clone()).collect()),
                None if is_flat && only_looks => Sink::Looked,
                None => Sink::Anywhere,
            };
            self.expr(arg, &sink);
        }
    }

    /// The parameters of the methods that a call may mean, if it means no others.
    fn parameters(&self, target: Option<&Expr>, name: &str, count: usize) -> Option<Vec<Vec<Holder>>> {
        let mut class = match target {
            None | Some(Expr { kind: ExprKind::This, .. }) => self.class,
            Some(target) => self.class_named(target)?,
        };
        let own = |class: ClassId| -> Vec<MethodId> {
            let methods = self.table.class(class).methods.iter().copied();
            methods.filter(|id| self.table.method(*id).name == name).collect()
        };
        let mut methods = own(class);
        // A simple name means the methods of the innermost class that has some.
        while methods.is_empty() && target.is_none() {
            let info = self.table.class(class);
            if info.superclass.is_some_and(|it| it != self.table.object) || info.has_unknown_parent {
                return None;
            }
            class = info.outer?;
            methods = own(class);
        }
        let info = self.table.class(class);
        if info.is_library {
            // Its methods are not walked through.
            return None;
        }
        let inherits = info.has_unknown_parent
            || !info.interfaces.is_empty()
            || info.superclass.is_some_and(|it| it != self.table.object);
        let mut params = Vec::new();
        for id in methods {
            let method = self.table.method(id);
            let MethodKind::Declared(decl) = method.kind else { return None };
            let is_fixed = decl.modifiers.is_private || decl.modifiers.is_static || decl.modifiers.is_final;
            if !is_fixed || method.varargs || (inherits && !decl.modifiers.is_private) {
                return None;
            }
            if decl.params.len() == count {
                let local = |name: &str| Holder::Local(Place::Method(id), name.to_owned());
                params.push(decl.params.iter().map(|param| local(&param.name)).collect());
            }
        }
        (!params.is_empty()).then_some(params)
    }

    /// Whether a method of the library only reads the array that it is given.
    fn is_reader(&self, target: Option<&Expr>, name: &str) -> bool {
        let owner = target.and_then(|target| self.class_named(target)).map(|id| self.table.class(id));
        owner.is_some_and(|owner| owner.is_library && owner.decl.name == "Arrays")
            && matches!(name, "toString" | "equals" | "hashCode" | "binarySearch" | "copyOf" | "copyOfRange")
    }

    /// A variable or field is read.
    fn read(&mut self, expr: &Expr, sink: &Sink) {
        for field in self.fields(expr) {
            self.uses.read.insert(field);
        }
        self.send(expr, sink);
    }

    /// The arrays that an expression may be go somewhere.
    fn send(&mut self, expr: &Expr, sink: &Sink) {
        for (holder, _) in self.arrays(expr) {
            // A run of the static block tells who leads to its array in the end.
            if matches!(&holder, Holder::Field(field) if self.is_own(*field)) {
                continue;
            }
            match sink {
                Sink::Nowhere | Sink::Looked => {}
                Sink::Into(holders) => {
                    self.uses.flows.entry(holder).or_default().extend(holders.iter().cloned());
                }
                Sink::Anywhere => self.share(holder),
            }
        }
    }

    fn share(&mut self, holder: Holder) {
        let is_own = match &holder {
            Holder::Field(field) => self.is_own(*field),
            Holder::Local(..) => false,
        };
        if !is_own {
            self.uses.shared.insert(holder);
        }
    }

    /// Whether this is a static block of the class of a static field, which does not count.
    fn is_own(&self, field: FieldId) -> bool {
        let field = self.table.field(field);
        self.in_own_block && field.is_static && field.class == self.class
    }

    /// A place is written; gives the variables that it is.
    fn write(&mut self, place: &Expr, sink: &Sink, given: &Given) -> Vec<Holder> {
        match &place.kind {
            ExprKind::Index { array, index } => {
                self.expr(index, &Sink::Anywhere);
                self.expr(array, &Sink::Looked);
                for (holder, _) in self.arrays(array) {
                    self.share(holder);
                }
                Vec::new()
            }
            ExprKind::Name(_) | ExprKind::Field { .. } => {
                let fields = self.fields(place);
                let is_plain = match &place.kind {
                    ExprKind::Field { object, .. } => {
                        self.expr(object, &Sink::Looked);
                        matches!(object.kind, ExprKind::This) || self.class_named(object).is_some()
                    }
                    _ => true,
                };
                for field in &fields {
                    self.uses.give(*field, given.clone());
                    if !self.is_own(*field) {
                        self.uses.assigned.insert(*field);
                    }
                    if !is_plain || !matches!(sink, Sink::Nowhere) {
                        self.uses.read.insert(*field);
                    }
                }
                let local = match &place.kind {
                    ExprKind::Name(name) if self.locals.contains_key(name) => {
                        Some(Holder::Local(self.place, name.clone()))
                    }
                    _ => None,
                };
                fields.into_iter().map(Holder::Field).chain(local).collect()
            }
            _ => {
                self.expr(place, &Sink::Anywhere);
                Vec::new()
            }
        }
    }

    /// What holds the arrays that an expression may be, with the dimensions of these.
    fn arrays(&self, expr: &Expr) -> Vec<(Holder, Option<usize>)> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let local = self.locals.get(name).filter(|dimensions| **dimensions != Some(0));
                let local = local.map(|known| (Holder::Local(self.place, name.clone()), *known));
                self.field_arrays(expr).into_iter().chain(local).collect()
            }
            ExprKind::Field { .. } => self.field_arrays(expr),
            ExprKind::Index { array, .. } => {
                let rows =
                    self.arrays(array).into_iter().map(|(holder, left)| (holder, left.map(|it| it - 1)));
                rows.filter(|(_, left)| *left != Some(0)).collect()
            }
            ExprKind::Assign { rhs: arg, .. } | ExprKind::Cast { arg, .. } => self.arrays(arg),
            ExprKind::Conditional { then, otherwise, .. } => {
                self.arrays(then).into_iter().chain(self.arrays(otherwise)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn field_arrays(&self, expr: &Expr) -> Vec<(Holder, Option<usize>)> {
        let dimensions = |id: FieldId| match &self.table.field(id).ty {
            ty @ Ty::Array(_) => Some(Some(ty.dimensions())),
            Ty::Primitive(_) | Ty::Boxed(_) | Ty::Text => None,
            _ => Some(None),
        };
        let fields = self.fields(expr).into_iter();
        fields.filter_map(|id| dimensions(id).map(|known| (Holder::Field(id), known))).collect()
    }

    /// The fields that a name may mean.
    fn fields(&self, expr: &Expr) -> Vec<FieldId> {
        match &expr.kind {
            ExprKind::Name(name) if self.scopes.iter().any(|scope| scope.contains(name)) => Vec::new(),
            ExprKind::Name(name) => {
                self.table.field_in_scope(self.class, name).map(|(id, _)| id).into_iter().collect()
            }
            ExprKind::Field { object, name } => {
                let owner = match &object.kind {
                    ExprKind::This => Some(self.class),
                    _ => self.class_named(object),
                };
                if let Some(owner) = owner
                    && let Some(field) = self.table.find_field(owner, name)
                {
                    return vec![field];
                }
                let all = self.table.fields.iter().enumerate();
                all.filter(|(_, field)| field.name == *name).map(|(index, _)| FieldId(index)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The class that an expression names; none where it may name a variable.
    fn class_named(&self, expr: &Expr) -> Option<ClassId> {
        let path = path(expr)?;
        let first = path.first()?;
        let is_variable =
            self.locals.contains_key(first) || self.table.field_in_scope(self.class, first).is_some();
        if is_variable { None } else { self.table.resolve_path(&path, Some(self.class)) }
    }
}

/// The dimensions of an array type; none where arrays may hide behind a name.
fn dimensions(ty: &TypeRef) -> Option<usize> {
    match ty {
        TypeRef::Array(element) => dimensions(element).map(|inner| inner + 1),
        TypeRef::Primitive(_) | TypeRef::Void => Some(0),
        TypeRef::Named(path, _) if path.last().is_some_and(|name| name == "String") => Some(0),
        TypeRef::Named(..) | TypeRef::Var => None,
    }
}

/// Whether fields of a class may be left out where nobody reads them.
pub(crate) fn may_leave_out(table: &Classes<'_>, uses: &FieldUses, id: FieldId) -> bool {
    let field = table.field(id);
    let class = table.class(field.class);
    let starts_plain = field.init.is_none_or(|init| matches!(init.kind, ExprKind::Literal(_)));
    field.is_private
        && !field.is_final
        && field.decl.is_some()
        && class.decl.kind == ClassKind::Class
        && !class.is_library
        && matches!(field.ty, Ty::Primitive(_))
        && starts_plain
        && !uses.reads(id)
}
