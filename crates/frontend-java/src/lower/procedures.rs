//! The procedures of a program: which there are, and their names and parameters.

use ir::{Local, ProcId, Procedure, Span};

use super::Lowering;
use crate::classes::MethodKind;
use crate::syntax::{ClassKind, Member};
use crate::types::{ClassId, FieldId, MethodId, Ty};

impl<'a> Lowering<'a> {
    /// All methods and constructors of the program, in source order; those of the library come when used.
    pub(super) fn declare_user_procedures(&mut self) {
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
                    self.proc_of(id);
                }
            }
        }
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
        self.queue.push_back(id);
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
