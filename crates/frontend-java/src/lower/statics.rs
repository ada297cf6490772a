//! Static fields: which are constants, which are inputs, which are tables; and how constants are evaluated.
//!
//! A static field that may change is a global, and an input. One that cannot change is put in the place of its use:
//! floating-point arithmetic in it stays an operation. Tables are objects that exist before the program starts.
//! Over-approximating for mutable state (any value), exact for constants; what is neither is unsupported.

use ir::{Const, Expr as IrExpr, Global, GlobalId, StaticId, StaticObject};

use super::body::{Binding, Body, Value};
use crate::syntax::{Expr, ExprKind};
use crate::types::{ClassId, FieldId, Ty};

/// How deep constants may refer to constants.
const MAX_CONSTANT_DEPTH: usize = 16;

/// Tables with more cells than this are not written out.
const MAX_CELLS: usize = 100_000;

#[derive(Clone, Debug)]
pub(crate) enum StaticField<'a> {
    /// The initialiser is evaluated, in its class, where the field is read.
    Inline(ClassId, &'a Expr),
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
        let never_assigned = field.is_private && !self.cx.uses.assigns(&name);
        if self.cx.table.class(class).is_library {
            return match init {
                Some(init) => StaticField::Inline(class, init),
                None => StaticField::Unsupported(format!("the field `{name}` of the library")),
            };
        }
        if !field.is_final && !never_assigned {
            return StaticField::Global(self.global(id));
        }
        match (&ty, init) {
            (Ty::Primitive(_) | Ty::Boxed(_) | Ty::Text, Some(init)) if self.is_stable(init, class, 0) => {
                StaticField::Inline(class, init)
            }
            (Ty::Array(_), Some(init)) => {
                let full_name = self.qualified(class, &name);
                let constant = self.cx.uses.only_reads_elements(&name, dimensions(&ty));
                match self.table_object(&full_name, &ty, init, class, constant) {
                    Some(object) => StaticField::Object(object),
                    None => StaticField::Unsupported(format!("the contents of the constant `{name}`")),
                }
            }
            (Ty::Class(object), Some(Expr { kind: ExprKind::New { .. }, .. })) => {
                self.mutable_object(id, *object)
            }
            _ => StaticField::Unsupported(format!("the value of the constant `{name}`")),
        }
    }

    /// `Class.field`, or only the name for fields outside of any class.
    fn qualified(&self, class: ClassId, name: &str) -> String {
        match self.cx.table.class(class).name.as_str() {
            "" => name.to_owned(),
            class => format!("{class}.{name}"),
        }
    }

    fn global(&mut self, id: FieldId) -> GlobalId {
        let field = self.cx.table.field(id);
        let (class, name, ty, init) = (field.class, field.name.clone(), field.ty.clone(), field.init);
        let ir_type = self.cx.ir_type(&ty);
        let zero = Const::zero(&ir_type);
        let initial = match init {
            Some(init) if matches!(ty, Ty::Primitive(_) | Ty::Text) => {
                self.evaluate(init, class, &ty, Vec::new()).unwrap_or(zero)
            }
            _ => zero,
        };
        let name = self.qualified(class, &name);
        self.cx.program.globals.push(Global { name, ty: ir_type, initial, constant: false });
        GlobalId::from_index(self.cx.program.globals.len() - 1)
    }

    /// A static final object whose fields may all change: its cells are inputs.
    fn mutable_object(&mut self, id: FieldId, class: ClassId) -> StaticField<'a> {
        let name = self.cx.table.field(id).name.clone();
        let fields = self.cx.instance_fields(class);
        let fixed = fields.iter().any(|field| {
            let field = self.cx.table.field(*field);
            field.is_final || (field.is_private && !self.cx.uses.assigns(&field.name) && field.decl.is_some())
        });
        let is_library = self.cx.table.class(class).is_library;
        if (fixed && !is_library) || self.cx.table.is_exception(class) {
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
        self.cx.program.statics.push(StaticObject { name, shape, length: None, cells, constant: false });
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
        self.cx.program.statics.push(StaticObject { name: name.to_owned(), shape, length, cells, constant });
        Some(StaticId::from_index(self.cx.program.statics.len() - 1))
    }

    /// The value of an initialiser in its class, as an expression at this place.
    pub(super) fn inline_constant(&mut self, class: ClassId, init: &'a Expr, ty: &Ty) -> Value {
        if self.inline_depth >= MAX_CONSTANT_DEPTH {
            return self.unsupported("constants that refer to each other too deeply");
        }
        self.in_class(class, Vec::new(), |body| body.expr_of_type(init, ty))
    }

    /// The constant that an expression of a class is, if it is one.
    pub(super) fn evaluate(
        &mut self,
        expr: &'a Expr,
        class: ClassId,
        ty: &Ty,
        params: Vec<(String, Binding)>,
    ) -> Option<Const> {
        if self.inline_depth >= MAX_CONSTANT_DEPTH {
            return None;
        }
        let (locals, temps) = (self.locals.len(), self.next_temp);
        let (value, block) =
            self.in_block(|body| body.in_class(class, params, |body| body.expr_of_type(expr, ty)));
        self.locals.truncate(locals);
        self.next_temp = temps;
        match value.expr {
            IrExpr::Const(value) if block.is_empty() => Some(value),
            _ => None,
        }
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

    /// Whether an initialiser has the same value whenever it is evaluated: it only uses literals, operators,
    /// functions of the library, and other such constants.
    fn is_stable(&self, expr: &Expr, class: ClassId, depth: usize) -> bool {
        if depth > MAX_CONSTANT_DEPTH {
            return false;
        }
        match &expr.kind {
            ExprKind::Literal(_) => true,
            ExprKind::Name(name) => self.stable_field(class, name, depth),
            ExprKind::Field { object, name } => match &object.kind {
                ExprKind::Name(owner) => {
                    let owner = self.cx.table.resolve_path(std::slice::from_ref(owner), Some(class));
                    owner.is_some_and(|owner| {
                        self.cx.table.find_field(owner, name).is_some()
                            && self.stable_field(owner, name, depth)
                    })
                }
                _ => false,
            },
            ExprKind::Unary { arg, .. } | ExprKind::Cast { arg, .. } => self.is_stable(arg, class, depth),
            ExprKind::Binary { lhs, rhs, .. } => {
                self.is_stable(lhs, class, depth) && self.is_stable(rhs, class, depth)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().all(|part| self.is_stable(part, class, depth))
            }
            ExprKind::Call { target: Some(target), name, args } => {
                let ExprKind::Name(owner) = &target.kind else { return false };
                let owner = self.cx.table.resolve_path(std::slice::from_ref(owner), Some(class));
                owner.is_some_and(|owner| self.cx.table.class(owner).is_library)
                    && !matches!(name.as_str(), "random" | "nanoTime" | "currentTimeMillis")
                    && args.iter().all(|arg| self.is_stable(arg, class, depth))
            }
            _ => false,
        }
    }

    fn stable_field(&self, class: ClassId, name: &str, depth: usize) -> bool {
        let mut scope = Some(class);
        while let Some(id) = scope {
            if let Some(field) = self.cx.table.find_field(id, name) {
                let field = self.cx.table.field(field);
                if self.cx.table.class(field.class).is_library {
                    return field.is_static;
                }
                let fixed = field.is_final || (field.is_private && !self.cx.uses.assigns(name));
                return field.is_static
                    && fixed
                    && matches!(field.ty, Ty::Primitive(_) | Ty::Boxed(_) | Ty::Text)
                    && field.init.is_some_and(|init| self.is_stable(init, field.class, depth + 1));
            }
            scope = self.cx.table.class(id).outer;
        }
        false
    }
}

fn dimensions(ty: &Ty) -> usize {
    match ty {
        Ty::Array(element) => 1 + dimensions(element),
        _ => 0,
    }
}
