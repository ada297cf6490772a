//! What is compared of a constructor: what a caller sees of the object that it makes.
//!
//! ```text
//! proc `A.<init>`(this: ref A, x: i32) -> ref A { made = new A  call `A.<construct>`(made, x)  return made }
//! ```
//!
//! The object of a constructor is new: its fields are zero, nothing leads to it, and it is gone when the constructor
//! fails, unless it was handed on (JLS 12.5, 15.9.4). The code of the constructor itself, `<construct>`, could be given
//! any object. Exact: `this` only says of which class the new object is, the constructor's own or one below it.

use ir::{Const, Expr, Local, LocalId, ProcId, Procedure, Stmt, StmtKind};

use super::Lowering;
use super::body::not;
use crate::syntax::ClassKind;
use crate::types::{ClassId, MethodId, Ty};

impl Lowering<'_> {
    /// The procedure that makes an object with a constructor, which gets this id; nothing for constructors of enums and
    /// of the library, and where no object can be made.
    pub(super) fn maker(
        &mut self,
        id: MethodId,
        constructor: ProcId,
        params: &[Local],
        name: &str,
    ) -> Option<Procedure> {
        let method = self.table.method(id);
        let class = self.table.class(method.class);
        if method.name != "<init>" || class.is_library || class.decl.kind == ClassKind::Enum {
            return None;
        }
        let classes = self.possible_classes(method.class);
        let this = Expr::Local(LocalId(0));
        let made = LocalId::from_index(params.len());
        let mut locals = params.to_vec();
        locals.push(Local { name: "$made".to_owned(), ty: params.first()?.ty.clone() });
        let is_null = Expr::SameRef { lhs: Box::new(this), rhs: Box::new(Expr::Const(Const::Null)) };
        let mut body = vec![nowhere(StmtKind::Assume { condition: not(is_null) })];
        body.extend(self.new_object(&classes, made)?);
        let args = (0..params.len()).map(|index| if index == 0 { made } else { LocalId::from_index(index) });
        let args = args.map(Expr::Local).collect();
        body.push(nowhere(StmtKind::Call { local: None, callee: constructor, args }));
        body.push(nowhere(StmtKind::Return(Some(Expr::Local(made)))));
        Some(Procedure {
            name: name.to_owned(),
            short_name: "<init>".to_owned(),
            params: params.len(),
            result: locals.last().map(|local| local.ty.clone()),
            locals,
            body: Some(body),
            external: ir::External::default(),
            span: ir::Span::NOWHERE,
            assumptions: Vec::new(),
        })
    }

    /// Makes an object of the class of `this`, which is one of these.
    fn new_object(&mut self, classes: &[ClassId], made: LocalId) -> Option<Vec<Stmt>> {
        let (class, others) = classes.split_first()?;
        let shape = self.shape_of(&Ty::Class(*class));
        let new = vec![nowhere(StmtKind::New { local: made, shape, length: None, unwritten: false })];
        if others.is_empty() {
            return Some(new);
        }
        let condition = Expr::HasShape { object: Box::new(Expr::Local(LocalId(0))), shapes: vec![shape] };
        let otherwise = self.new_object(others, made)?;
        Some(vec![nowhere(StmtKind::If { condition, then: new, otherwise })])
    }
}

fn nowhere(kind: StmtKind) -> Stmt {
    Stmt { kind, span: ir::Span::NOWHERE }
}
