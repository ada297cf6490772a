//! Declaration specifiers and declarators: from C's inside-out syntax to types.

use std::rc::Rc;

use ir::{FloatType, IntType};
use lang_c::ast;
use lang_c::span::{Node, Span};

use super::names::Symbol;
use super::{Lowered, Lowerer};
use crate::dialect::BUILTIN_TYPES;
use crate::types::{CType, FunctionType};

/// What the specifiers of a declaration say.
pub(crate) struct Specifiers {
    pub(crate) ty: CType,
    /// The type without `volatile`, for variables that only their function sees.
    pub(crate) plain: CType,
    pub(crate) constant: bool,
    pub(crate) storage: Option<ast::StorageClassSpecifier>,
    /// A function that does not come back.
    pub(crate) no_return: bool,
}

/// The words of a type such as `unsigned long int`, counted.
#[derive(Default)]
struct Words {
    long: u8,
    short: bool,
    signed: bool,
    unsigned: bool,
    base: Option<CType>,
    complex: bool,
}

impl<'a> Lowerer<'a> {
    pub(crate) fn specifiers(
        &mut self,
        specifiers: &'a [Node<ast::DeclarationSpecifier>],
        span: Span,
    ) -> Lowered<Specifiers> {
        let mut words = Words::default();
        let mut constant = false;
        let mut storage = None;
        let (mut no_return, mut volatile) = (false, false);
        for specifier in specifiers {
            match &specifier.node {
                ast::DeclarationSpecifier::StorageClass(class) => storage = Some(class.node.clone()),
                ast::DeclarationSpecifier::TypeSpecifier(ty) => constant |= self.type_word(ty, &mut words)?,
                ast::DeclarationSpecifier::TypeQualifier(qualifier) => {
                    constant |= qualifier.node == ast::TypeQualifier::Const;
                    volatile |= qualifier.node == ast::TypeQualifier::Volatile;
                }
                ast::DeclarationSpecifier::Function(function) => {
                    no_return |= function.node == ast::FunctionSpecifier::Noreturn;
                }
                ast::DeclarationSpecifier::Extension(_) | ast::DeclarationSpecifier::Alignment(_) => {}
            }
        }
        let ty = self.type_of_words(words, span)?;
        let plain = self.type_in_mode(ty, span);
        let ty = if volatile { self.volatile_type(&plain) } else { plain.clone() };
        Ok(Specifiers { ty, plain, constant, storage, no_return })
    }

    pub(crate) fn qualified_type(
        &mut self,
        specifiers: &'a [Node<ast::SpecifierQualifier>],
        span: Span,
    ) -> Lowered<(CType, bool)> {
        let mut words = Words::default();
        let (mut constant, mut volatile) = (false, false);
        for specifier in specifiers {
            match &specifier.node {
                ast::SpecifierQualifier::TypeSpecifier(ty) => constant |= self.type_word(ty, &mut words)?,
                ast::SpecifierQualifier::TypeQualifier(qualifier) => {
                    constant |= qualifier.node == ast::TypeQualifier::Const;
                    volatile |= qualifier.node == ast::TypeQualifier::Volatile;
                }
                ast::SpecifierQualifier::Extension(_) => {}
            }
        }
        let ty = self.type_of_words(words, span)?;
        Ok((if volatile { self.volatile_type(&ty) } else { ty }, constant))
    }

    /// The type of memory that others look at and change. An access to a pointer there is not modelled.
    pub(crate) fn volatile_type(&self, ty: &CType) -> CType {
        match ty {
            CType::Void | CType::Function(_) | CType::Other(_) | CType::Volatile(_) => ty.clone(),
            CType::Bool | CType::Int(_) | CType::Float(_) | CType::Record(_) => {
                CType::Volatile(Rc::new(ty.clone()))
            }
            CType::Array(element, length) => CType::Array(Rc::new(self.volatile_type(element)), *length),
            _ => self.other_type(&format!("volatile {}", self.element_name(ty))),
        }
    }

    pub(crate) fn type_name(&mut self, node: &'a Node<ast::TypeName>) -> Lowered<CType> {
        self.check_attributes(node.span, false)?;
        let (base, _) = self.qualified_type(&node.node.specifiers, node.span)?;
        match &node.node.declarator {
            Some(declarator) => Ok(self.declarator(declarator, base)?.1),
            None => Ok(base),
        }
    }

    /// Takes one word in; whether it makes the object constant (a typedef of a `const` type).
    fn type_word(&mut self, node: &'a Node<ast::TypeSpecifier>, words: &mut Words) -> Lowered<bool> {
        use ast::TypeSpecifier as Word;
        let base = match &node.node {
            Word::Void => CType::Void,
            Word::Char => CType::CHAR,
            Word::Int => CType::INT,
            Word::Float => CType::Float(FloatType::F32),
            Word::Double => CType::DOUBLE,
            Word::Bool => CType::Bool,
            Word::Short => {
                words.short = true;
                return Ok(false);
            }
            Word::Long => {
                words.long += 1;
                return Ok(false);
            }
            Word::Signed => {
                words.signed = true;
                return Ok(false);
            }
            Word::Unsigned => {
                words.unsigned = true;
                return Ok(false);
            }
            Word::Complex => {
                words.complex = true;
                return Ok(false);
            }
            Word::Atomic(ty) => self.type_name(ty)?,
            Word::Struct(record) => self.record_type(record)?,
            Word::Enum(node) => self.enum_type(node)?,
            Word::TypedefName(name) if BUILTIN_TYPES.contains(&name.node.name.as_str()) => {
                self.other_type(&name.node.name)
            }
            Word::TypedefName(name) => match self.lookup(&name.node.name) {
                Some(Symbol::Typedef(ty, constant)) => {
                    let constant = *constant;
                    words.base = Some(ty.clone());
                    return Ok(constant);
                }
                _ => self.other_type(&name.node.name),
            },
            Word::TypeOf(node) => match &node.node {
                ast::TypeOf::Type(name) => self.type_name(name)?,
                ast::TypeOf::Expression(expr) => match self.type_of(expr)? {
                    CType::Bits(_) => self.other_type("bit-field"),
                    ty => ty,
                },
            },
            Word::TS18661Float(ty) => match (&ty.format, ty.width) {
                (ast::TS18661FloatFormat::BinaryInterchange, 32) => CType::Float(FloatType::F32),
                (ast::TS18661FloatFormat::BinaryInterchange, 64)
                | (ast::TS18661FloatFormat::BinaryExtended, 32) => CType::DOUBLE,
                (ast::TS18661FloatFormat::BinaryInterchange | ast::TS18661FloatFormat::BinaryExtended, _) => {
                    CType::LongDouble
                }
                _ => self.other_type("decimal floats"),
            },
        };
        words.base = Some(base);
        Ok(false)
    }

    fn type_of_words(&self, words: Words, span: Span) -> Lowered<CType> {
        if words.complex {
            return Ok(self.other_type("_Complex"));
        }
        let int = |width| CType::Int(IntType { width, signed: !words.unsigned });
        Ok(match words.base {
            Some(CType::Int(IntType { width: 8, .. })) if words.signed || words.unsigned => int(8),
            None | Some(CType::INT) if words.short => int(16),
            None | Some(CType::INT) if words.long > 0 => int(64),
            None | Some(CType::INT) if words.signed || words.unsigned => int(32),
            Some(CType::DOUBLE) if words.long > 0 => CType::LongDouble,
            Some(CType::Int(IntType { width: 128, .. })) => return self.gap("128-bit integers", span),
            Some(base) => base,
            // Implicit int, as C had it before 1999.
            None => CType::INT,
        })
    }

    /// The name and type that a declarator gives to a base type.
    pub(crate) fn declarator(
        &mut self,
        node: &'a Node<ast::Declarator>,
        base: CType,
    ) -> Lowered<(Option<String>, CType)> {
        let mut ty = base;
        let mut suffixes = Vec::new();
        // Pointers bind before arrays and functions, which apply from the right.
        for derived in &node.node.derived {
            match &derived.node {
                ast::DerivedDeclarator::Pointer(qualifiers) => {
                    ty = CType::pointer_to(ty);
                    let volatile = |qualifier: &Node<ast::PointerQualifier>| {
                        matches!(&qualifier.node, ast::PointerQualifier::TypeQualifier(qualifier)
                            if qualifier.node == ast::TypeQualifier::Volatile)
                    };
                    if qualifiers.iter().any(volatile) {
                        ty = self.volatile_type(&ty);
                    }
                }
                ast::DerivedDeclarator::Block(_) => ty = self.other_type("block"),
                _ => suffixes.push(derived),
            }
        }
        for derived in suffixes.into_iter().rev() {
            ty = self.derived_type(derived, ty)?;
        }
        match &node.node.kind.node {
            ast::DeclaratorKind::Abstract => Ok((None, ty)),
            ast::DeclaratorKind::Identifier(name) => Ok((Some(name.node.name.clone()), ty)),
            ast::DeclaratorKind::Declarator(inner) => self.declarator(inner, ty),
        }
    }

    fn derived_type(&mut self, node: &'a Node<ast::DerivedDeclarator>, ty: CType) -> Lowered<CType> {
        match &node.node {
            ast::DerivedDeclarator::Array(array) => {
                let length = match &array.node.size {
                    ast::ArraySize::Unknown => None,
                    ast::ArraySize::VariableUnknown => return Ok(self.other_type("variable-length array")),
                    ast::ArraySize::VariableExpression(size) | ast::ArraySize::StaticExpression(size) => {
                        match self.constant_int(size) {
                            Ok(length) => match u64::try_from(length) {
                                Ok(length) => Some(length),
                                Err(_) => return self.gap("an array of negative length", node.span),
                            },
                            Err(_) => return Ok(self.other_type("variable-length array")),
                        }
                    }
                };
                Ok(CType::Array(Rc::new(ty), length))
            }
            ast::DerivedDeclarator::Function(function) => {
                let variadic = function.node.ellipsis == ast::Ellipsis::Some;
                let mut params = Vec::new();
                for parameter in &function.node.parameters {
                    params.push(self.parameter(parameter)?.1);
                }
                let prototyped = !params.is_empty();
                if matches!(params.as_slice(), [CType::Void]) {
                    params.clear();
                }
                Ok(CType::Function(Rc::new(FunctionType {
                    params,
                    result: ty.without_volatile().clone(),
                    variadic,
                    prototyped,
                })))
            }
            ast::DerivedDeclarator::KRFunction(names) => {
                let params = vec![CType::INT; names.len()];
                let function = FunctionType {
                    params,
                    result: ty.without_volatile().clone(),
                    variadic: false,
                    prototyped: false,
                };
                Ok(CType::Function(Rc::new(function)))
            }
            ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_) => Ok(ty),
        }
    }

    /// The name and type of a parameter; arrays and functions are pointers there.
    pub(crate) fn parameter(
        &mut self,
        node: &'a Node<ast::ParameterDeclaration>,
    ) -> Lowered<(Option<String>, CType)> {
        let specifiers = self.specifiers(&node.node.specifiers, node.span)?;
        let (name, ty) = match &node.node.declarator {
            Some(declarator) if is_plain(declarator) => self.declarator(declarator, specifiers.plain)?,
            Some(declarator) => self.declarator(declarator, specifiers.ty)?,
            None => (None, specifiers.plain),
        };
        Ok((name, ty.decayed()))
    }

    /// Whether a declarator makes the declared object itself constant: `*const p`, or a constant base
    /// without a pointer around it.
    pub(crate) fn is_constant(&self, node: &Node<ast::Declarator>, base_constant: bool) -> bool {
        let pointer = node.node.derived.iter().rev().find_map(|derived| match &derived.node {
            ast::DerivedDeclarator::Pointer(qualifiers) => Some(qualifiers),
            _ => None,
        });
        match pointer {
            Some(qualifiers) => qualifiers.iter().any(|qualifier| {
                matches!(&qualifier.node, ast::PointerQualifier::TypeQualifier(qualifier)
                    if qualifier.node == ast::TypeQualifier::Const)
            }),
            None => match &node.node.kind.node {
                // `int (*p)[3]`: the inner declarator says what the object is.
                ast::DeclaratorKind::Declarator(inner) if !inner.node.derived.is_empty() => {
                    self.is_constant(inner, base_constant)
                }
                _ => base_constant,
            },
        }
    }
}

/// A declarator that only gives a name to the base type.
pub(crate) fn is_plain(node: &Node<ast::Declarator>) -> bool {
    node.node.derived.is_empty()
        && match &node.node.kind.node {
            ast::DeclaratorKind::Declarator(inner) => is_plain(inner),
            _ => true,
        }
}
