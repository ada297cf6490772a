//! The procedures of a program: which there are, and their names and parameters.

use std::collections::BTreeSet;

use ir::{Local, ProcId, Procedure, Span};

use super::{Known, Lowering};
use crate::choice::Choice;
use crate::classes::MethodKind;
use crate::syntax::{ClassKind, Member, Unit};
use crate::types::{ClassId, FieldId, MethodId, Ty};

/// After so many methods of a large program, others are not read.
const MAX_READ: usize = 400;

impl<'a> Lowering<'a> {
    /// All methods and constructors of the program, in source order; those of the library come when used.
    /// Only those that are chosen are asked for.
    pub(super) fn declare_user_procedures(&mut self, units: &[Unit], known: &Known<'_>) {
        for index in 0..self.table.classes.len() {
            let class = &self.table.classes[index];
            if class.is_library {
                continue;
            }
            // Objects of a class below another may be inputs where no code names it.
            let has_parents = class.superclass != Some(self.table.object)
                || !class.interfaces.is_empty()
                || self.table.may_be_foreign(ClassId(index));
            if has_parents && !self.table.is_abstract(ClassId(index)) {
                self.shape_of(&Ty::Class(ClassId(index)));
            }
            let class = &self.table.classes[index];
            let members = class.constructors.iter().chain(&class.methods).chain(&class.inherited);
            let members: Vec<MethodId> = members.copied().collect();
            let is_enum = class.decl.kind == ClassKind::Enum;
            for id in members {
                let method = self.table.method(id);
                let is_constructor = method.name == "<init>";
                let has_source = match method.kind {
                    MethodKind::Declared(decl) => decl.body.is_some(),
                    MethodKind::StaticInitialiser
                    | MethodKind::InitialValue(_)
                    | MethodKind::Constants
                    | MethodKind::ConstantSources
                    | MethodKind::Outside
                    | MethodKind::Parents
                    | MethodKind::Inherited(_) => true,
                    // A constructor that nobody wrote does something where there is something to initialise, and
                    // may go with one that somebody wrote.
                    MethodKind::DefaultConstructor => {
                        let initialises =
                            method.params.is_empty() && self.initialises_objects(ClassId(index));
                        !is_enum && (initialises || self.table.is_written_in(&self.other, id))
                    }
                    MethodKind::Accessor(_) | MethodKind::RecordEquals => {
                        self.table.is_written_in(&self.other, id)
                    }
                };
                // Enum constants are made before the program starts.
                if has_source && !method.is_abstract && !(is_constructor && is_enum) {
                    self.declare(id);
                    match self.is_chosen(id, units, known) {
                        true => {
                            self.proc_of(id);
                        }
                        false => self.left_out.push(id),
                    }
                }
            }
        }
    }

    /// Whether a method of a large program is not worth reading, because much was read already.
    pub(super) fn is_far(&self, id: MethodId) -> bool {
        let method = self.table.method(id);
        self.is_partial
            && !self.table.class(method.class).is_library
            && method.name != "<init>"
            && self.queued.len() > MAX_READ
            && !self.queued.contains(&id)
    }

    /// Whether somebody asks for a method.
    fn is_chosen(&self, id: MethodId, units: &[Unit], known: &Known<'_>) -> bool {
        let method = self.table.method(id);
        let class = self.table.class(method.class);
        // What only comparisons ask for, and conditions.
        let is_always =
            matches!(method.kind, MethodKind::Inherited(_) | MethodKind::Outside | MethodKind::Parents)
                || method.name.starts_with("<condition ");
        match (&known.choice, known.changed) {
            _ if is_always => true,
            (Choice::All, _) | (Choice::Affected, None) => true,
            (Choice::Affected, Some(changed)) if changed.are_small() => true,
            (Choice::Named(asked), _) => Choice::names(asked, &class.decl.name, &method.name),
            (Choice::Affected, Some(changed)) => match method.kind {
                MethodKind::Declared(decl) => !changed.leaves_out(units, &decl.span),
                _ => changed.has_class(&class.decl.name),
            },
        }
    }

    /// Asks for what classes do at the start whose static fields are used; says whether there was any left.
    pub(super) fn ask_for_start_up(&mut self) -> bool {
        let mut classes: BTreeSet<ClassId> = self.first_uses.keys().copied().collect();
        classes.extend(self.statics.keys().map(|field| self.table.field(*field).class));
        let methods = classes.into_iter().flat_map(|class| self.table.class(class).methods.clone());
        let methods: Vec<MethodId> = methods
            .filter(|id| {
                let method = self.table.method(*id);
                let is_start_up = matches!(
                    method.kind,
                    MethodKind::StaticInitialiser | MethodKind::InitialValue(_) | MethodKind::Constants
                );
                is_start_up && method.proc.is_some() && !self.queued.contains(id)
            })
            .collect();
        for id in &methods {
            self.proc_of(*id);
        }
        !methods.is_empty()
    }

    /// Gives a body to what nobody asked for.
    pub(super) fn mark_unasked(&mut self) {
        let declared = self.table.methods.iter().enumerate();
        let unasked = declared.filter(|(index, _)| !self.queued.contains(&MethodId(*index)));
        let unasked: Vec<ProcId> = unasked.filter_map(|(_, method)| method.proc).collect();
        for proc in unasked {
            let procedure = &mut self.program.procedures[proc.index()];
            let what = "code that nobody asked for".to_owned();
            let kind = ir::StmtKind::Unsupported { what };
            procedure.body = Some(vec![ir::Stmt { kind, span: procedure.span }]);
        }
    }

    /// The names of the procedures that were not chosen.
    pub(super) fn names_left_out(&self) -> BTreeSet<String> {
        let procs = self.left_out.iter().filter_map(|id| self.table.method(*id).proc);
        let with_maker = procs.flat_map(|proc| {
            let is_construct = self.program.procedures[proc.index()].short_name == ir::CONSTRUCT;
            let maker = proc.index().checked_sub(1).filter(|_| is_construct);
            [Some(proc.index()), maker].into_iter().flatten()
        });
        with_maker.map(|index| self.program.procedures[index].name.clone()).collect()
    }

    /// Whether objects of a class have fields or initialisers of their own.
    fn initialises_objects(&self, class: ClassId) -> bool {
        let decl = self.table.class(class).decl;
        let is_field =
            |id: &FieldId| !self.table.field(*id).is_static && self.table.field(*id).decl.is_some();
        !decl.modifiers.is_abstract
            && (self.table.class(class).fields.iter().any(is_field)
                || decl.members.iter().any(|it| matches!(it, Member::Initializer { is_static: false, .. })))
    }

    /// The procedure of a method, declared and queued when it is asked for the first time.
    pub(crate) fn proc_of(&mut self, id: MethodId) -> ProcId {
        let proc = self.declare(id);
        if self.queued.insert(id) {
            self.queue.push_back(id);
        }
        proc
    }

    /// The procedure of a method, declared when it is asked for the first time.
    fn declare(&mut self, id: MethodId) -> ProcId {
        if let Some(proc) = self.table.method(id).proc {
            return proc;
        }
        let locals = self.parameters_of(id);
        let method = self.table.method(id);
        let result = method.result.clone();
        let span = match method.kind {
            MethodKind::Declared(decl) if !self.table.class(method.class).is_library => decl.span,
            _ if !self.table.class(method.class).is_library => self.table.class(method.class).decl.span,
            _ => Span::NOWHERE,
        };
        let mut short_name = method.name.clone();
        let mut name = self.unique_name(self.method_name(id));
        let result = (result != Ty::Void).then(|| self.ir_type(&result));
        let mut proc = ProcId::from_index(self.program.procedures.len());
        if let Some(mut maker) = self.maker(id, ProcId::from_index(proc.index() + 1), &locals, &name) {
            maker.span = span;
            self.program.procedures.push(maker);
            proc = ProcId::from_index(proc.index() + 1);
            name = self.unique_name(name.replacen("<init>", ir::CONSTRUCT, 1));
            short_name = ir::CONSTRUCT.to_owned();
        }
        self.table.methods[id.0].proc = Some(proc);
        self.program.procedures.push(Procedure {
            name,
            short_name,
            params: locals.len(),
            locals,
            result,
            body: None,
            external: ir::External::default(),
            span,
            assumptions: Vec::new(),
        });
        proc
    }

    fn unique_name(&mut self, name: String) -> String {
        let mut unique = name.clone();
        let mut number = 2;
        while !self.names.insert(unique.clone()) {
            unique = format!("{name}#{number}");
            number += 1;
        }
        unique
    }

    /// `Class.method`, with the parameter types where the class overloads the name.
    pub(crate) fn method_name(&self, id: MethodId) -> String {
        let method = self.table.method(id);
        let class = self.table.class(method.class);
        let siblings = if method.name == "<init>" { &class.constructors } else { &class.methods };
        let overloads = siblings
            .iter()
            .chain(&class.inherited)
            .filter(|other| self.table.method(**other).name == method.name)
            .count();
        let mut name = method.name.clone();
        if !class.name.is_empty() {
            name = format!("{}.{name}", class.name);
        }
        if overloads > 1 {
            let params: Vec<String> = method.params.iter().map(|ty| self.table.type_name(ty)).collect();
            name = format!("{name}({})", params.join(","));
        }
        name
    }

    fn parameters_of(&mut self, id: MethodId) -> Vec<Local> {
        let method = self.table.method(id);
        let class = method.class;
        let is_constructor = method.name == "<init>";
        let types = method.params.clone();
        let decl = self.table.class(class).decl;
        let names: Vec<String> = match method.kind {
            MethodKind::Declared(method) if !method.compact => {
                method.params.iter().map(|param| param.name.clone()).collect()
            }
            MethodKind::Inherited(target) => match self.table.method(target).kind {
                MethodKind::Declared(method) => {
                    method.params.iter().map(|param| param.name.clone()).collect()
                }
                _ => Vec::new(),
            },
            MethodKind::RecordEquals => vec!["other".to_owned()],
            _ => decl.components.iter().map(|param| param.name.clone()).collect(),
        };
        let mut locals = Vec::new();
        if !method.is_static {
            let this = self.table.this_type(class);
            locals.push(Local { name: "this".to_owned(), ty: self.ir_type(&this) });
        }
        if is_constructor
            && let (true, Some(outer)) = (self.table.class(class).is_inner, self.table.class(class).outer)
        {
            locals.push(Local { name: "$outer".to_owned(), ty: self.ir_type(&Ty::Class(outer)) });
        }
        for (name, ty) in names.into_iter().zip(types) {
            let ty = self.ir_type(&ty);
            locals.push(Local { name, ty });
        }
        locals
    }
}
