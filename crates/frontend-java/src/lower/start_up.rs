//! What runs before the methods: static initialisers in the order of the text (JLS 12.4), and where `main` starts.
//!
//! A static initialiser is a procedure of its own, `T.<clinit>`, so that two versions of it can be compared. Exact for
//! what the class does itself; what depends on when another class of the program is initialised is unsupported.

use ir::{Cells, Const, Expr as IrExpr, GlobalId, StaticId, StmtKind as IrStmtKind};

use super::body::Body;
use super::first_use::FirstUse;
use super::statics::StaticField;
use crate::classes::MethodKind;
use crate::enum_sources::made_of;
use crate::syntax::{Expr, ExprKind, Member, MethodDecl, Stmt};
use crate::types::{ClassId, FieldId, MethodId, Ty};

/// Tables with more cells than this are not filled again where a class is initialised.
const MOST_CELLS: usize = 4096;

impl<'a> Body<'_, 'a> {
    /// The static fields get their values, and the static blocks run, in the order of the text.
    pub(super) fn static_initialiser(&mut self) {
        let class = self.class;
        // The constants are made before anything else; what is the same in both versions does the same.
        if self.is_enum(class) {
            let own = made_of(&self.cx.table, class);
            let name = &self.cx.table.class(class).name;
            let is_same = self.cx.other.made_of(name).is_none_or(|other| *other == own);
            if !own.constructors.is_empty() && !is_same {
                self.unsupported("what the constructors of an enum do");
            }
        }
        let fields = self.static_fields(class);
        for field in &fields {
            self.clear_static(*field);
        }
        // Nothing but the fields is there yet; those that are objects are made where their initialisers stand.
        let mut place = 0;
        for member in &self.cx.table.class(class).decl.members {
            match member {
                Member::Field(decl) if decl.modifiers.is_static => {
                    let named = fields.iter().find(|id| self.cx.table.field(**id).name == decl.name);
                    let Some(id) = named.copied() else { continue };
                    place =
                        self.cx.table.class(class).fields.iter().position(|it| *it == id).unwrap_or(place);
                    if let Some(init) = &decl.init {
                        self.at(decl.span, |body| body.initialise_static(id, init, place));
                    }
                    place += 1;
                }
                Member::Initializer { is_static: true, body: stmts } => {
                    if self.calls_too_early(class, place, &|body| {
                        stmts.iter().any(|stmt| body.stmt_runs_other_code(stmt, class))
                    }) {
                        self.unsupported(
                            "a static block that calls methods while constants are not there yet",
                        );
                    }
                    self.while_initialising((class, Some(place)), |body| {
                        body.in_scope(|body| body.stmts(stmts));
                    });
                }
                Member::Field(_) | Member::Initializer { .. } | Member::Method(_) | Member::Class(_) => {}
            }
        }
    }

    fn static_fields(&self, class: ClassId) -> Vec<FieldId> {
        let fields = self.cx.table.class(class).fields.iter().copied();
        fields.filter(|id| self.cx.table.field(*id).is_static && !self.cx.unread.contains(id)).collect()
    }

    /// What a static field holds before any initialiser ran; a table has the contents of its initialiser.
    fn clear_static(&mut self, id: FieldId) {
        if self.cx.table.field(id).ty.is_unknown() {
            return;
        }
        match self.static_field(id) {
            StaticField::Global(global) if self.cx.program.global(global).fixed => {}
            StaticField::Global(global) => {
                let ty = self.cx.table.field(id).ty.clone();
                let value = match (self.is_constant_initialiser(id), self.cx.table.field(id).init) {
                    (true, Some(init)) => self.inline_constant(id, init, &ty).expr,
                    _ => self.zero(&ty).expr,
                };
                self.emit(IrStmtKind::AssignGlobal { global, value });
            }
            StaticField::Object(object) => self.fill_table(object),
            StaticField::Inline(_) | StaticField::Unsupported(_) => {}
        }
    }

    /// Whether a final field of this version, a variable of the other one, starts with a constant.
    fn is_constant_initialiser(&self, id: FieldId) -> bool {
        let field = self.cx.table.field(id);
        let plain = matches!(field.ty, Ty::Primitive(_) | Ty::Text);
        let literal = field.init.is_some_and(|init| matches!(init.kind, ExprKind::Literal(_)));
        plain && (field.is_final && literal || self.is_compile_time_constant(id, 0))
    }

    /// Writes the initial contents of a table that is not constant.
    fn fill_table(&mut self, id: StaticId) {
        let object = self.cx.program.static_object(id).clone();
        if object.constant {
            return;
        }
        let Cells::Indexed(regions) = self.cx.program.shape(object.shape).cells.clone() else { return };
        if object.cells.len() > MOST_CELLS {
            self.unsupported(format!("a table of more than {MOST_CELLS} elements"));
            return;
        }
        for (index, cell) in object.cells.into_iter().enumerate() {
            if let Const::Static(row) = cell {
                self.fill_table(row);
            }
            let region = regions[index % regions.len()];
            let index = IrExpr::Const(Const::i32(i32::try_from(index).unwrap_or(i32::MAX)));
            let object = IrExpr::Const(Const::Static(id));
            let value = IrExpr::Const(cell);
            self.emit(IrStmtKind::Store { region, object, index: Some(index), value });
        }
    }

    fn initialise_static(&mut self, id: FieldId, init: &'a Expr, place: usize) {
        let (class, ty) = (self.class, self.cx.table.field(id).ty.clone());
        let name = self.cx.table.field(id).name.clone();
        if ty.is_unknown() {
            self.unsupported(format!("the initialiser of `{name}`"));
            return;
        }
        match self.static_field(id) {
            StaticField::Global(_) if self.is_constant_initialiser(id) => {}
            StaticField::Global(global) => self.initialise_global(global, class, &ty, init, place),
            StaticField::Unsupported(what) => {
                self.unsupported(what);
            }
            StaticField::Object(object) => self.construct_static(object, class, init, place),
            // The value stands where the field is read; here it may fail.
            StaticField::Inline(_) if self.is_constant_variable(id) => {}
            StaticField::Inline(_) => {
                self.while_initialising((class, Some(place)), |body| body.expr_of_type(init, &ty));
            }
        }
    }

    /// The constructor fills an object that is a constant; tables are there already.
    fn construct_static(&mut self, id: StaticId, class: ClassId, init: &'a Expr, place: usize) {
        let ExprKind::New { ty: made, args } = &init.kind else { return };
        let Some(made) = self.cx.table.resolve_class(made, Some(class)) else { return };
        let is_quiet = self.constructs_quietly(made, class, place)
            && !args.iter().any(|arg| self.runs_other_code(arg, class));
        if !is_quiet && self.calls_too_early(class, place, &|body| body.runs_other_code(init, class)) {
            self.unsupported("an initialiser that calls methods while constants are not there yet");
        }
        let object = IrExpr::Const(Const::Static(id));
        let shape = self.cx.program.static_object(id).shape;
        if let Cells::Fields(regions) = self.cx.program.shape(shape).cells.clone() {
            for region in regions {
                let value = IrExpr::Const(Const::zero(&self.cx.program.region(region).value));
                self.emit(IrStmtKind::Store { region, object: object.clone(), index: None, value });
            }
        }
        self.while_initialising((class, Some(place)), |body| {
            body.construct(made, args, Some(super::body::Value::new(object, Ty::Class(made))));
        });
    }

    fn initialise_global(&mut self, global: GlobalId, class: ClassId, ty: &Ty, init: &'a Expr, place: usize) {
        if self.calls_too_early(class, place, &|body| body.runs_other_code(init, class)) {
            self.unsupported("an initialiser that calls methods while constants are not there yet");
        }
        let value = self.while_initialising((class, Some(place)), |body| body.expr_of_type(init, ty));
        if self.cx.program.global(global).fixed {
            let name = self.cx.program.global(global).name.clone();
            self.show_initial_value(&name, value);
            return;
        }
        self.emit(IrStmtKind::AssignGlobal { global, value: value.expr });
    }

    /// Whether code of the program runs while a constant of the class, which methods take to be there, is not.
    fn calls_too_early(&mut self, class: ClassId, place: usize, calls: &dyn Fn(&Self) -> bool) -> bool {
        if !calls(self) {
            return false;
        }
        let fields = self.cx.table.class(class).fields.clone();
        fields.into_iter().skip(place).any(|id| {
            let field = self.cx.table.field(id);
            field.is_static
                && !field.ty.is_unknown()
                && !self.is_compile_time_constant(id, 0)
                && !matches!(self.static_field(id), StaticField::Global(_))
        })
    }

    /// Whether making an object calls nothing, and asks for no field that its class has not come to.
    fn constructs_quietly(&self, made: ClassId, class: ClassId, place: usize) -> bool {
        let fields = self.cx.table.class(class).fields.iter().skip(place).map(|id| self.cx.table.field(*id));
        let later: Vec<&str> =
            fields.filter(|field| field.is_static).map(|field| field.name.as_str()).collect();
        let mut quiet = true;
        let mut visit = |expr: &Expr| {
            quiet &= match &expr.kind {
                ExprKind::Call { .. } | ExprKind::New { .. } | ExprKind::Unsupported(_) => false,
                ExprKind::Name(name) | ExprKind::Field { name, .. } => !later.contains(&name.as_str()),
                _ => true,
            };
        };
        let mut next = Some(made);
        while let Some(id) = next {
            for member in &self.cx.table.class(id).decl.members {
                match member {
                    Member::Field(field) if !field.modifiers.is_static => {
                        field.init.iter().for_each(|init| init.for_each_expr(&mut visit));
                    }
                    Member::Initializer { is_static: false, body } => {
                        body.iter().for_each(|stmt| stmt.for_each_expr(&mut visit));
                    }
                    Member::Method(method) if method.name == "<init>" => {
                        method.body.iter().flatten().for_each(|stmt| stmt.for_each_expr(&mut visit));
                    }
                    Member::Field(_) | Member::Initializer { .. } | Member::Method(_) | Member::Class(_) => {}
                }
            }
            next = self.cx.table.class(id).superclass;
        }
        quiet
    }

    fn stmt_runs_other_code(&self, stmt: &Stmt, class: ClassId) -> bool {
        let mut runs = false;
        stmt.for_each_expr(&mut |expr| runs |= self.expr_runs_other_code(expr, class));
        runs
    }

    fn runs_other_code(&self, expr: &Expr, class: ClassId) -> bool {
        let mut runs = false;
        expr.for_each_expr(&mut |expr| runs |= self.expr_runs_other_code(expr, class));
        runs
    }

    fn expr_runs_other_code(&self, expr: &Expr, class: ClassId) -> bool {
        match &expr.kind {
            ExprKind::Call { target: None, .. } => true,
            ExprKind::Call { target: Some(target), .. } => {
                let owner = self.class_named(target, class);
                owner.is_none_or(|owner| !self.cx.table.class(owner).is_library)
            }
            ExprKind::New { ty, .. } => {
                let made = self.cx.table.resolve_class(ty, Some(class));
                made.is_none_or(|made| !self.cx.table.class(made).is_library)
            }
            _ => false,
        }
    }

    /// The value of a constant that other code can see.
    pub(super) fn initial_value(&mut self, field: FieldId) {
        let ty = self.cx.table.field(field).ty.clone();
        let value = match self.static_field(field) {
            StaticField::Inline(init) => self.inline_constant(field, init, &ty),
            // The static initialiser has it.
            StaticField::Global(_) | StaticField::Object(_) => self.zero(&ty),
            StaticField::Unsupported(what) => self.unsupported(what),
        };
        let value = self.convert(value, &ty);
        self.return_value(Some(value));
    }

    /// The names of an enum's constants, in order.
    pub(super) fn constant_names(&mut self) {
        let constants = self.cx.table.class(self.class).decl.constants.iter();
        let names: Vec<&str> = constants.map(|constant| constant.name.as_str()).collect();
        let text = Const::text(&names.join(", "));
        self.return_value(Some(super::body::Value::constant(text, Ty::Text)));
    }

    /// What the constants of an enum are made of, as it is written: nothing else of it is compared.
    pub(super) fn constant_sources(&mut self) {
        let sources = made_of(&self.cx.table, self.class);
        let name = self.cx.table.class(self.class).name.clone();
        if self.cx.other.made_of(&name).is_some_and(|other| *other != sources) {
            self.unsupported(format!("what the constants of `{name}` are made of, which changed,"));
        }
        self.return_value(Some(super::body::Value::constant(Const::text(&sources.constants), Ty::Text)));
    }

    /// Whether a method is where the program starts, and nothing else calls it.
    pub(super) fn is_entry(&self, decl: &MethodDecl) -> bool {
        let takes_texts = |param: &Ty| *param == Ty::array_of(Ty::Text);
        let method =
            self.cx.table.methods.iter().find(
                |method| matches!(method.kind, MethodKind::Declared(known) if std::ptr::eq(known, decl)),
            );
        decl.name == "main"
            && decl.modifiers.is_static
            && method.is_some_and(|method| {
                !self.cx.table.class(method.class).is_library
                    && method.result == Ty::Void
                    && matches!(method.params.as_slice(), [param] if takes_texts(param))
            })
            && !self.cx.uses.calls("main")
    }

    /// The classes are initialised before `main` runs. Which comes first does not matter where each only works on
    /// its own fields.
    pub(super) fn start_program(&mut self) {
        let own = self.class;
        let initialisers: Vec<(ClassId, MethodId)> = self
            .cx
            .table
            .methods
            .iter()
            .enumerate()
            .filter(|(_, method)| matches!(method.kind, MethodKind::StaticInitialiser))
            .map(|(index, method)| (method.class, MethodId(index)))
            .collect();
        for (class, initialiser) in initialisers.iter().filter(|(class, _)| *class != own) {
            let is_quiet = self.first_use(*class) == FirstUse::Quiet;
            if is_quiet && !self.has_variables(*class) {
                continue;
            }
            if is_quiet && self.initialises_quietly(*class) {
                self.call_method(*initialiser, None, Vec::new());
            } else {
                let name = self.cx.table.class(*class).name.clone();
                self.unsupported(format!(
                    "the moment at which the class `{name}` is initialised, before `main` or later,"
                ));
            }
        }
        if let Some((_, initialiser)) = initialisers.into_iter().find(|(class, _)| *class == own) {
            self.call_method(initialiser, None, Vec::new());
        }
    }

    fn has_variables(&mut self, class: ClassId) -> bool {
        let is_block = |member: &Member| matches!(member, Member::Initializer { is_static: true, .. });
        let has_blocks = self.cx.table.class(class).decl.members.iter().any(is_block);
        let fields = self.static_fields(class);
        has_blocks
            || fields.into_iter().any(|id| {
                !self.cx.table.field(id).ty.is_unknown()
                    && matches!(self.static_field(id), StaticField::Global(_) | StaticField::Object(_))
            })
    }

    /// Whether initialising a class does nothing that others could see, but for its own fields.
    fn initialises_quietly(&self, class: ClassId) -> bool {
        let is_call = |expr: &Expr| matches!(expr.kind, ExprKind::Call { .. } | ExprKind::New { .. });
        self.initialises_alone(class)
            && self.cx.table.class(class).decl.members.iter().all(|member| match member {
                Member::Initializer { is_static: true, body } => body.iter().all(|stmt| {
                    let mut calls = false;
                    stmt.for_each_expr(&mut |expr| calls |= is_call(expr));
                    !calls
                }),
                Member::Field(_) | Member::Initializer { .. } | Member::Method(_) | Member::Class(_) => true,
            })
    }
}
