//! Static fields: which are constants, which are inputs, which are tables; and how constants are evaluated.
//!
//! A static field that may change is a global, and an input. One that cannot change is put in the place of its use:
//! floating-point arithmetic in it stays an operation. Tables are objects that exist before the program starts.
//! Over-approximating for mutable state (any value), exact for constants; what is neither is unsupported.

use ir::{Const, Expr as IrExpr, Global, GlobalId, StaticId, StaticObject};

use super::body::{Binding, Body, Value};
use super::stable::When;
use crate::syntax::{Expr, ExprKind, Literal};
use crate::types::{ClassId, FieldId, Ty};

/// How deep constants may refer to constants.
pub(super) const MAX_CONSTANT_DEPTH: usize = 16;

/// Tables with more cells than this are not written out.
const MAX_CELLS: usize = 100_000;

#[derive(Clone, Debug)]
pub(crate) enum StaticField<'a> {
    /// The initialiser is evaluated, in its class, where the field is read.
    Inline(&'a Expr),
    Global(GlobalId),
    Object(StaticId),
    Unsupported(String),
}

impl<'a> Body<'_, 'a> {
    /// How a static field is represented, decided when it is first used.
    pub(super) fn static_field(&mut self, id: FieldId) -> StaticField<'a> {
        if let Some(known) = self.cx.statics.get(&id) {
            return known.clone();
        }
        let decided = self.decide_static_field(id);
        self.cx.statics.insert(id, decided.clone());
        decided
    }

    fn decide_static_field(&mut self, id: FieldId) -> StaticField<'a> {
        let field = self.cx.table.field(id);
        let (class, name, ty, init) = (field.class, field.name.clone(), field.ty.clone(), field.init);
        let never_assigned = field.is_private && !self.cx.field_uses.assigns(id);
        if self.cx.table.class(class).is_library {
            return match init {
                Some(init) => StaticField::Inline(init),
                None => StaticField::Unsupported(format!("the field `{name}` of the library")),
            };
        }
        let is_variable = !field.is_final && !never_assigned;
        if is_variable
            || (!matches!(ty, Ty::Array(_)) && self.cx.forced.contains(&self.qualified(class, &name)))
        {
            return StaticField::Global(self.global(id));
        }
        // What only the static initialiser knows is found by running it.
        let full_name = self.qualified(class, &name);
        let settles = !self.cx.unsettled.contains(&full_name);
        let when = When::field(&self.cx.table, id);
        if ty.is_foreign() {
            let global = self.global(id);
            // Nothing changes what its initialiser gave it.
            self.cx.program.globals[global.index()].fixed = init.is_some();
            return StaticField::Global(global);
        }
        let is_plain = matches!(ty, Ty::Primitive(_) | Ty::Boxed(_) | Ty::Text);
        if settles && is_plain && self.cx.foreign_facts.settled.contains(&full_name) {
            return StaticField::Global(self.global(id));
        }
        match (&ty, init) {
            (Ty::Primitive(_) | Ty::Boxed(_) | Ty::Text, Some(init)) if self.is_stable(init, &when, 0) => {
                StaticField::Inline(init)
            }
            (Ty::Array(_), Some(init)) => {
                if let Some(table) = self.same_table(init, &when, &full_name) {
                    return StaticField::Object(table);
                }
                if !self.is_stable_table(init, &when) {
                    return match settles {
                        true => StaticField::Global(self.global(id)),
                        false => StaticField::Unsupported(format!("the contents of the constant `{name}`")),
                    };
                }
                // Others may write to what they can reach: only private arrays that are just read stay the same.
                let constant = self.cx.table.field(id).is_private
                    && !self.cx.forced.contains(&full_name)
                    && self.cx.field_uses.keeps(id);
                let place = when.place();
                let object = self.while_initialising(place, |body| {
                    body.table_object(&full_name, &ty, init, class, constant)
                });
                match object {
                    Some(object) => {
                        if settles && !constant {
                            self.cx.program.start_up_only.insert(full_name);
                        }
                        StaticField::Object(object)
                    }
                    None => StaticField::Unsupported(format!("the contents of the constant `{name}`")),
                }
            }
            (Ty::Class(_), Some(init @ Expr { kind: ExprKind::Literal(Literal::Null), .. })) => {
                StaticField::Inline(init)
            }
            (Ty::Class(declared), Some(Expr { kind: ExprKind::New { ty: made, .. }, .. })) => {
                // The object is of the class that is made, whatever the field is declared as.
                match self.cx.table.resolve_class(made, Some(class)) {
                    Some(made) if self.cx.table.is_subclass(made, *declared) => self.mutable_object(id, made),
                    _ => StaticField::Unsupported(format!("the object in the constant `{name}`")),
                }
            }
            (Ty::Primitive(_) | Ty::Boxed(_) | Ty::Text | Ty::Array(_), _) if settles => {
                // The other version must find its value in the same way.
                self.cx.foreign_found.settled.insert(full_name);
                StaticField::Global(self.global(id))
            }
            (Ty::Class(declared), _) if settles && self.is_enum(*declared) => {
                StaticField::Global(self.global(id))
            }
            _ => StaticField::Unsupported(format!("the value of the constant `{name}`")),
        }
    }

    /// The constant table that another field of the class holds, which is this one's as well.
    fn same_table(&mut self, init: &Expr, when: &When<'_>, name: &str) -> Option<StaticId> {
        let (class, _) = when.place();
        let other = match &init.kind {
            ExprKind::Name(other) => self.cx.table.field_in_scope(class, other)?.0,
            ExprKind::Field { object, name: other } => {
                let owner = self.class_named(object, class)?;
                self.cx.table.find_field(owner, other)?
            }
            _ => return None,
        };
        let own = When::field(&self.cx.table, other).place();
        let is_before = own.0 == class && own.1 < when.place().1;
        if !is_before || !self.cx.table.field(other).is_static || self.cx.forced.contains(name) {
            return None;
        }
        match self.static_field(other) {
            StaticField::Object(id) => Some(id).filter(|id| self.cx.program.static_object(*id).constant),
            StaticField::Inline(_) | StaticField::Global(_) | StaticField::Unsupported(_) => None,
        }
    }

    pub(super) fn qualified(&self, class: ClassId, name: &str) -> String {
        self.cx.table.qualified(class, name)
    }

    fn global(&mut self, id: FieldId) -> GlobalId {
        let field = self.cx.table.field(id);
        let (class, name, ty, init) = (field.class, field.name.clone(), field.ty.clone(), field.init);
        let ir_type = self.cx.ir_type(&ty);
        let zero = Const::zero(&ir_type);
        let initial = match init {
            Some(init) if matches!(ty, Ty::Primitive(_) | Ty::Boxed(_) | Ty::Text) => {
                self.evaluate(init, class, &ty, Vec::new()).unwrap_or(zero)
            }
            _ => zero,
        };
        let name = self.qualified(class, &name);
        // Its own initialiser may have asked for it.
        if let Some(known) = self.cx.program.globals.iter().position(|global| global.name == name) {
            return GlobalId::from_index(known);
        }
        let private = self.cx.table.field(id).is_private;
        if !self.cx.unsettled.contains(&name) {
            self.cx.program.start_up_only.insert(name.clone());
        }
        self.cx.program.globals.push(Global {
            name,
            ty: ir_type,
            initial,
            constant: false,
            private,
            fixed: false,
        });
        GlobalId::from_index(self.cx.program.globals.len() - 1)
    }

    /// A static final object whose fields may all change: its cells are inputs.
    fn mutable_object(&mut self, id: FieldId, class: ClassId) -> StaticField<'a> {
        let name = self.cx.table.field(id).name.clone();
        let fields = self.cx.instance_fields(class);
        let fixed = fields.iter().any(|id| {
            let field = self.cx.table.field(*id);
            field.is_final || (field.is_private && !self.cx.field_uses.assigns(*id) && field.decl.is_some())
        });
        let is_library = self.cx.table.class(class).is_library;
        let is_unknown = self.cx.table.is_abstract(class)
            || self.cx.table.is_value_class(class)
            || self.cx.table.has_unknown_ancestor(class);
        if (fixed && !is_library) || is_unknown || self.cx.table.is_exception(class) {
            return StaticField::Unsupported(format!("the object in the constant `{name}`"));
        }
        let owner = self.cx.table.field(id).class;
        let shape = self.cx.shape_of(&Ty::Class(class));
        let cells = fields
            .into_iter()
            .map(|field| {
                let ty = self.cx.table.field(field).ty.clone();
                Const::zero(&self.cx.ir_type(&ty))
            })
            .collect();
        let name = self.qualified(owner, &name);
        self.cx.program.statics.push(StaticObject {
            name,
            shape,
            length: None,
            cells,
            constant: false,
            private: false,
        });
        StaticField::Object(StaticId::from_index(self.cx.program.statics.len() - 1))
    }

    /// The object of a table from its initialiser, with one object for each row.
    fn table_object(
        &mut self,
        name: &str,
        ty: &Ty,
        init: &'a Expr,
        class: ClassId,
        constant: bool,
    ) -> Option<StaticId> {
        let Ty::Array(element) = ty else { return None };
        let cells = match &init.kind {
            ExprKind::ArrayInit { elements, .. } => {
                let mut cells = Vec::new();
                for (index, value) in elements.iter().enumerate() {
                    let is_array =
                        matches!(value.kind, ExprKind::ArrayInit { .. } | ExprKind::NewArray { .. });
                    let cell = if is_array {
                        let row = format!("{name}[{index}]");
                        Const::Static(self.table_object(&row, element, value, class, constant)?)
                    } else {
                        self.evaluate(value, class, element, Vec::new())?
                    };
                    cells.push(cell);
                }
                cells
            }
            ExprKind::NewArray { dims, .. } => {
                let lengths: Option<Vec<usize>> =
                    dims.iter().map(|dim| self.constant_length(dim, class)).collect();
                return self.zero_table(name, ty, &lengths?, constant);
            }
            _ => return None,
        };
        self.push_table(name, ty, cells, constant)
    }

    fn constant_length(&mut self, dim: &'a Expr, class: ClassId) -> Option<usize> {
        match self.evaluate(dim, class, &Ty::INT, Vec::new()) {
            Some(Const::Int(_, value)) => usize::try_from(value).ok().filter(|length| *length <= MAX_CELLS),
            _ => None,
        }
    }

    fn zero_table(&mut self, name: &str, ty: &Ty, lengths: &[usize], constant: bool) -> Option<StaticId> {
        let (length, rest) = lengths.split_first()?;
        let Ty::Array(element) = ty else { return None };
        let mut cells = Vec::new();
        for index in 0..*length {
            let cell = if rest.is_empty() {
                Const::zero(&self.cx.ir_type(element))
            } else {
                Const::Static(self.zero_table(&format!("{name}[{index}]"), element, rest, constant)?)
            };
            cells.push(cell);
        }
        self.push_table(name, ty, cells, constant)
    }

    fn push_table(&mut self, name: &str, ty: &Ty, cells: Vec<Const>, constant: bool) -> Option<StaticId> {
        let total: usize = self.cx.program.statics.iter().map(|object| object.cells.len()).sum();
        if total + cells.len() > MAX_CELLS {
            return None;
        }
        let shape = self.cx.shape_of(ty);
        let length = Some(i64::try_from(cells.len()).ok()?);
        self.cx.program.statics.push(StaticObject {
            name: name.to_owned(),
            shape,
            length,
            cells,
            constant,
            private: false,
        });
        Some(StaticId::from_index(self.cx.program.statics.len() - 1))
    }

    /// The value that the initialiser of a field gave it, as an expression at this place.
    pub(super) fn inline_constant(&mut self, field: FieldId, init: &'a Expr, ty: &Ty) -> Value {
        if self.inline_depth >= MAX_CONSTANT_DEPTH {
            return self.unsupported("constants that refer to each other too deeply");
        }
        let class = self.cx.table.field(field).class;
        let when = When::field(&self.cx.table, field).place();
        self.while_initialising(when, |body| {
            body.in_class(class, Vec::new(), |body| body.expr_of_type(init, ty))
        })
    }

    /// Lowers something as it is evaluated while a class is being initialised.
    pub(super) fn while_initialising<T>(
        &mut self,
        place: (ClassId, Option<usize>),
        lower: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.initialising.replace(place);
        let result = lower(self);
        self.initialising = outer;
        result
    }

    /// The constant that an expression of a class is, if it is one.
    pub(super) fn evaluate(
        &mut self,
        expr: &'a Expr,
        class: ClassId,
        ty: &Ty,
        params: Vec<(String, Binding)>,
    ) -> Option<Const> {
        match self.evaluate_alone(expr, class, ty, params)? {
            IrExpr::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The expression of constants that an expression of a class is, if it is one.
    pub(super) fn evaluate_pure(
        &mut self,
        expr: &'a Expr,
        class: ClassId,
        ty: &Ty,
        params: Vec<(String, Binding)>,
    ) -> Option<IrExpr> {
        self.evaluate_alone(expr, class, ty, params).filter(is_pure)
    }

    /// The value of an expression of a class, if it needs no statements.
    fn evaluate_alone(
        &mut self,
        expr: &'a Expr,
        class: ClassId,
        ty: &Ty,
        params: Vec<(String, Binding)>,
    ) -> Option<IrExpr> {
        if self.inline_depth >= MAX_CONSTANT_DEPTH {
            return None;
        }
        let (locals, temps) = (self.locals.len(), self.next_temp);
        let (value, block) =
            self.in_block(|body| body.in_class(class, params, |body| body.expr_of_type(expr, ty)));
        self.locals.truncate(locals);
        self.next_temp = temps;
        block.is_empty().then_some(value.expr)
    }

    /// Lowers something as if it stood in another class, outside of any method.
    fn in_class<T>(
        &mut self,
        class: ClassId,
        params: Vec<(String, Binding)>,
        lower: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let scopes = std::mem::replace(&mut self.scopes, vec![params]);
        let this = self.this.take();
        let old_class = std::mem::replace(&mut self.class, class);
        let frozen = std::mem::replace(&mut self.frozen_span, true);
        self.inline_depth += 1;
        let result = lower(self);
        self.inline_depth -= 1;
        self.frozen_span = frozen;
        self.class = old_class;
        self.this = this;
        self.scopes = scopes;
        result
    }
}

/// Whether an expression only speaks of constants.
pub(super) fn is_pure(expr: &IrExpr) -> bool {
    let mut pure = true;
    ir::for_each_subexpr(expr, &mut |part| {
        pure &= !matches!(
            part,
            IrExpr::Local(_)
                | IrExpr::Global(_)
                | IrExpr::Load { .. }
                | IrExpr::Length { .. }
                | IrExpr::HasShape { .. }
        );
    });
    pure
}
