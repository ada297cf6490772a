//! Declarations inside functions.

use ir::{Expr, LocalId, StmtKind, Type};
use lang_c::ast;
use lang_c::span::Node;

use super::declare::{Specifiers, is_plain};
use super::file_scope::{declared_name, is_typedef};
use super::names::Symbol;
use super::place::{Place, PlaceKind};
use super::prototypes::has_assembler_name;
use super::variables::Variable;
use super::{Lowered, Lowerer};
use crate::build;
use crate::types::CType;

/// A span that marks the statement which makes a variable fresh; see `assigned.rs`.
pub(crate) const FRESH: u32 = u32::MAX;

/// Variables with at most this many scalars may be declared where a jump leads back.
const MOST_LEAVES_AGAIN: usize = 64;

impl<'a> Lowerer<'a> {
    /// Lowers a declaration; a gap in it becomes a statement and costs the names it declares.
    pub(crate) fn lower_declaration(&mut self, node: &'a Node<ast::Declaration>) {
        self.body.span = Some(self.span(node.span));
        let checked = self.check_attributes(node.span, is_typedef(&node.node));
        let checked = checked.and_then(|()| self.declared_cleanup(node));
        let specifiers = |cleanup| Ok((self.specifiers(&node.node.specifiers, node.span)?, cleanup));
        let (specifiers, cleanup) = match checked.and_then(specifiers) {
            Ok(both) => both,
            Err(gap) => {
                for declarator in &node.node.declarators {
                    if let Some(name) = declared_name(&declarator.node.declarator) {
                        self.bind(name, Symbol::Other(gap.what.clone()));
                    }
                }
                let gap = self.lost(gap, node.span);
                self.body.out.push(gap);
                return;
            }
        };
        for declarator in &node.node.declarators {
            let start = self.body.out.len();
            let mut declared = self.declare_in_function(&specifiers, declarator, node.span);
            if let (Ok(()), Some((key, variable))) = (&declared, &cleanup) {
                declared = self.note_cleanup(key.clone(), variable, node.span);
            }
            if let Err(gap) = declared {
                if let Some(name) = declared_name(&declarator.node.declarator) {
                    self.bind(name, Symbol::Other(gap.what.clone()));
                }
                self.body.out.truncate(start);
                let gap = self.lost(gap, declarator.span);
                self.body.out.push(gap);
            }
        }
    }

    fn declare_in_function(
        &mut self,
        specifiers: &Specifiers,
        node: &'a Node<ast::InitDeclarator>,
        declaration: lang_c::span::Span,
    ) -> Lowered<()> {
        // Nobody else knows where a variable is whose address is never taken.
        let is_known =
            declared_name(&node.node.declarator).is_some_and(|name| self.body.addressed.contains(name));
        let automatic = specifiers.storage.is_none() && is_plain(&node.node.declarator) && !is_known;
        let base = if automatic { &specifiers.plain } else { &specifiers.ty };
        let (name, ty) = self.declarator(&node.node.declarator, base.clone())?;
        let Some(name) = name else { return Ok(()) };
        let ty = match (&ty, node.node.initializer.as_ref().map(|initializer| &initializer.node)) {
            (CType::Other(word), Some(ast::Initializer::Expression(value))) if &**word == "__auto_type" => {
                match self.type_of(value)?.decayed() {
                    CType::Bits(_) => self.other_type("bit-field"),
                    ty => ty,
                }
            }
            (CType::Volatile(plain), _) if automatic && !matches!(**plain, CType::Record(_)) => {
                (**plain).clone()
            }
            _ => ty,
        };
        if has_assembler_name(&node.node.declarator) {
            return self.gap(format!("`{name}`, which has a place in assembly"), node.span);
        }
        match (&specifiers.storage, &ty) {
            (Some(ast::StorageClassSpecifier::Typedef), _) => {
                let constant = self.is_constant(&node.node.declarator, specifiers.constant);
                self.declare_typedef(&name, ty, constant);
                Ok(())
            }
            (Some(ast::StorageClassSpecifier::Extern), _) | (_, CType::Function(_)) => {
                let blocks = std::mem::take(&mut self.blocks);
                let result = self.declare_external(specifiers, node, declaration);
                self.blocks = blocks;
                // The name may be hidden by a local of an enclosing block.
                if let Some(symbol) = self.file_scopes[self.unit].names.get(&name).cloned() {
                    self.bind(&name, symbol);
                }
                result
            }
            (Some(ast::StorageClassSpecifier::Static), _) => {
                let constant = self.is_constant(&node.node.declarator, specifiers.constant);
                let unique = format!("{}.{name}", self.body.name);
                let index = self.new_variable(Variable {
                    name: unique,
                    ty,
                    constant,
                    private: true,
                    defined: true,
                    initial: Vec::new(),
                    initializer: None,
                    has_two_types: false,
                    storage: None,
                });
                self.bind(&name, Symbol::Variable(index));
                match &node.node.initializer {
                    Some(initializer) => self.initialize_static(index, initializer),
                    None => Ok(()),
                }
            }
            _ => {
                let constant = self.is_constant(&node.node.declarator, specifiers.constant);
                self.declare_automatic(&name, ty, node.node.initializer.as_ref(), constant)
            }
        }
    }

    fn declare_automatic(
        &mut self,
        name: &str,
        ty: CType,
        initializer: Option<&'a Node<ast::Initializer>>,
        constant: bool,
    ) -> Lowered<()> {
        match ty.innermost() {
            CType::Other(what) => return self.gap_here(format!("the type `{what}`")),
            CType::Void => return self.gap_here("a variable of type void"),
            _ => {}
        }
        if ty.is_scalar() && !self.body.addressed.contains(name) {
            return self.declare_plain(name, ty, initializer);
        }
        let Some(initializer) = initializer else {
            let shape = self.shape_of(&ty);
            let object = self.new_object_of_shape(name, &ty, shape, true)?;
            self.note_skipped(object, &ty, true)?;
            self.bind(name, Symbol::Object(object, ty));
            self.assume(format!("cells of `{name}` that were never written read as 0"));
            return Ok(());
        };
        // The initialiser may name the variable itself, so that it is bound first.
        let sized = self.initializer_parts(&ty, initializer)?.0;
        let shape = if constant { self.constant_shape_of(&sized) } else { self.shape_of(&sized) };
        let object = self.new_object_of_shape(name, &sized, shape, false)?;
        self.note_skipped(object, &sized, false)?;
        self.bind(name, Symbol::Object(object, sized.clone()));
        let (_, parts) = self.initializer_parts(&ty, initializer)?;
        self.store_parts(&Place::object(Expr::Local(object), sized), parts)
    }

    /// A jump may skip the statement that made an object, but not the object. One that leads back keeps it; then the
    /// declaration only gives it its cells again.
    fn note_skipped(&mut self, object: LocalId, ty: &CType, is_unwritten: bool) -> Lowered<()> {
        if self.body.skipped.is_none() {
            return Ok(());
        }
        let Some(made) = self.body.out.last().cloned() else { return Ok(()) };
        if self.body.goes_back {
            let leaves = self.records.leaves(ty);
            if leaves.len() > MOST_LEAVES_AGAIN {
                return self.gap_here("a large variable whose declaration a jump passes again");
            }
            self.body.out.pop();
            for leaf in leaves {
                let region = self.region(&leaf.ty);
                let ty = self.program.region(region).value.clone();
                let is_one_cell = !self.records.bytes || leaf.ty.is_pointer();
                let cells = if is_one_cell { 1 } else { self.records.size(&leaf.ty).unwrap_or(1) };
                for cell in leaf.cell..leaf.cell + cells {
                    let value = if is_unwritten { unwritten(&ty) } else { super::tables::zero_of(&ty) };
                    let index = Some(build::i64(cell));
                    self.emit(StmtKind::Store { region, object: Expr::Local(object), index, value });
                }
            }
        }
        self.body.skipped.get_or_insert_default().push(made);
        Ok(())
    }

    fn declare_plain(
        &mut self,
        name: &str,
        ty: CType,
        initializer: Option<&'a Node<ast::Initializer>>,
    ) -> Lowered<()> {
        let ir_type = self.value_type(&ty);
        let local = self.named_local(name, ir_type.clone());
        self.bind(name, Symbol::Local(local, ty.clone()));
        let expr = match initializer.map(|initializer| &initializer.node) {
            None => {
                self.make_fresh(local, &ir_type);
                return Ok(());
            }
            Some(ast::Initializer::Expression(expr)) => expr,
            Some(ast::Initializer::List(items)) => {
                match items.first().map(|item| &item.node.initializer.node) {
                    Some(ast::Initializer::Expression(expr)) => expr,
                    _ => return self.gap_here("a scalar with a list as its initialiser"),
                }
            }
        };
        let value = self.lower_converted(expr, &ty)?;
        self.store(&Place { kind: PlaceKind::Local(local), ty, bits: None }, value)
    }

    /// A variable without initialiser holds zero each time its declaration is reached. The statement is removed
    /// again when the variable is always assigned before it is read.
    fn make_fresh(&mut self, local: LocalId, ty: &Type) {
        self.body.uninitialised.push(local);
        let mut span = self.here();
        span.end_line = FRESH;
        let name = self.body.locals[local.index()].name.clone();
        let kind = StmtKind::Assign { local, value: unwritten_variable(&name, ty) };
        self.body.out.push(ir::Stmt { kind, span });
    }

    /// An object for a variable whose cells are all written, and the local that refers to it.
    pub(crate) fn new_object(&mut self, name: &str, ty: &CType) -> Lowered<LocalId> {
        let shape = self.shape_of(ty);
        self.new_object_of_shape(name, ty, shape, false)
    }

    fn new_object_of_shape(
        &mut self,
        name: &str,
        ty: &CType,
        shape: ir::ShapeId,
        unwritten: bool,
    ) -> Lowered<LocalId> {
        let Some(cells) = self.records.cells(ty).filter(|_| self.records.size(ty).is_some()) else {
            return self.gap_here(format!("`{name}`, whose size is not known"));
        };
        let local = self.named_local(name, Type::Ref(ir::Target::Shape(shape)));
        self.emit(StmtKind::New { local, shape, length: Some(build::i64(cells)), unwritten });
        Ok(local)
    }
}

/// What a variable holds that nothing was assigned to: zero, on which no difference rests. A pointer is any one, which goes
/// by the variable's name.
fn unwritten_variable(name: &str, ty: &Type) -> Expr {
    let Type::Record(types) = ty else { return unwritten(ty) };
    let [Type::Ref(_), Type::Int(ir::IntType::I64)] = types[..] else { return unwritten(ty) };
    let number = || build::i64(u64::from(fnv(name)));
    let object = vec![build::null(), number()];
    let offset = vec![build::i64(0), number()];
    Expr::Record(vec![
        Expr::Intrinsic { function: ir::Intrinsic::UnwrittenRef, args: object },
        Expr::Intrinsic { function: ir::Intrinsic::UnwrittenOffset, args: offset },
    ])
}

/// A number for a name, the same on every machine.
fn fnv(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// What a cell holds that nothing was written to.
fn unwritten(ty: &Type) -> Expr {
    let zero = super::tables::zero_of(ty);
    let function = match ty {
        Type::Int(ty) => ir::Intrinsic::UnwrittenInt(*ty),
        Type::Float(ty) => ir::Intrinsic::UnwrittenFloat(*ty),
        // A pointer: the null pointer, a place in which is not known.
        Type::Record(types) => {
            let parts = types.iter().map(unwritten).collect();
            return Expr::Record(parts);
        }
        Type::Bool | Type::Text | Type::Ref(_) | Type::Map(..) => return zero,
    };
    Expr::Intrinsic { function, args: vec![zero] }
}
