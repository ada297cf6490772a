//! Functions whose text is the same in both versions, with the text of everything that they name.
//!
//! Such a function is the same code whatever it contains, also what is not lowered.
//!
//! A *piece* is a declaration or definition at file scope, as a row of tokens after the preprocessor. A name is changed if
//! the pieces that declare it are not the same in both versions, or if one of them mentions a changed name.
//! Under-approximating: what is not in the set may be the same, too.

mod names;
mod pragmas;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use ir::Pair;
use lang_c::ast::{self, ExternalDeclaration};
use lang_c::visit::{self, Visit};

use self::names::Names;
use self::pragmas::Pragmas;
use self::text::{Text, words};
use super::file_scope::{declared_name, is_typedef};
use crate::parse::Unit;
use crate::tokens::tokens;

/// The names of the functions of both versions whose text did not change, nor that of anything that they name.
pub(crate) fn unchanged(units: Pair<&[Unit]>) -> BTreeSet<String> {
    let versions = units.map(Pieces::of);
    if versions.old.pragmas != versions.new.pragmas {
        return BTreeSet::new();
    }
    let mut changed = directly_changed(&versions);
    // The order of what runs around `main`, and of what the linker gathers, is that of the text.
    if versions.old.around_main_in_order != versions.new.around_main_in_order {
        changed.extend(versions.new.around_main.iter().cloned());
    }
    spread(&mut changed, &versions.new);
    // What runs before and after `main` is part of it, and it hands its variables to code that is not given.
    let around_main = |version: &Pieces| version.around_main.iter().any(|name| changed.contains(name));
    let is_variable =
        |name: &String| versions.old.variables.contains(name) || versions.new.variables.contains(name);
    let starts_otherwise = changed.iter().any(is_variable)
        && versions.new.pieces.values().any(|piece| piece.calls_back || piece.calls_pointers);
    if around_main(&versions.old) || around_main(&versions.new) || starts_otherwise {
        changed.insert("main".to_owned());
        spread(&mut changed, &versions.new);
    }
    // A call through a pointer may lead to any function whose address is taken, here or in files that are not given.
    let is_behind_pointers =
        |name: &&String| versions.new.addressed.contains(*name) || versions.new.open.contains(*name);
    if changed.iter().any(|name| is_behind_pointers(&name)) {
        let indirect = versions.new.pieces.values().filter(|piece| piece.calls_pointers);
        changed.extend(indirect.flat_map(|piece| piece.declares.iter().cloned()));
        spread(&mut changed, &versions.new);
    }
    // So may a call of code that is not given.
    if changed.iter().any(|name| versions.new.addressed.contains(name)) {
        let outside = versions.new.pieces.values().filter(|piece| piece.calls_back);
        changed.extend(outside.flat_map(|piece| piece.declares.iter().cloned()));
        spread(&mut changed, &versions.new);
    }
    // Code of libc calls what the program puts in the place of its functions.
    let takes_place =
        |name: &String| versions.new.defined.contains(name) && versions.new.system.contains(name);
    if changed.iter().any(takes_place) {
        let is_of_system = |piece: &&Piece| !piece.mentions.is_disjoint(&versions.new.system);
        let users = versions.new.pieces.values().filter(is_of_system);
        changed.extend(users.flat_map(|piece| piece.declares.iter().cloned()));
        spread(&mut changed, &versions.new);
    }
    let functions = versions.new.pieces.values().filter_map(|piece| piece.function.clone());
    functions.filter(|name| !changed.contains(name)).collect()
}

/// The names whose own pieces differ, or that several files define each for itself.
fn directly_changed(versions: &Pair<Pieces>) -> BTreeSet<String> {
    let (old, new) = (&versions.old.declared, &versions.new.declared);
    let names = old.keys().chain(new.keys());
    names
        .filter(|name| {
            let is_ambiguous = || versions.old.is_ambiguous(name) || versions.new.is_ambiguous(name);
            old.get(*name) != new.get(*name) || is_ambiguous()
        })
        .cloned()
        .collect()
}

/// Adds the names whose pieces mention a changed name.
fn spread(changed: &mut BTreeSet<String>, version: &Pieces) {
    loop {
        let before = changed.len();
        for piece in version.pieces.values() {
            if piece.mentions.iter().any(|name| changed.contains(name)) {
                changed.extend(piece.declares.iter().cloned());
            }
        }
        if changed.len() == before {
            return;
        }
    }
}

/// What the files of a version consist of.
#[derive(Default)]
struct Pieces {
    /// By their tokens.
    pieces: BTreeMap<String, Piece>,
    /// The tokens of the pieces that declare a name.
    declared: BTreeMap<String, BTreeSet<String>>,
    /// Each pragma with the tokens of the piece that follows it.
    pragmas: Vec<(String, String)>,
    /// The functions that are mentioned without being called.
    addressed: BTreeSet<String>,
    /// The functions that other files can name.
    open: BTreeSet<String>,
    /// What attributes place before the start of `main` or behind its end.
    around_main: BTreeSet<String>,
    /// The tokens of these, in their order.
    around_main_in_order: Vec<String>,
    /// The functions that it defines, and those that headers of the system announce.
    defined: BTreeSet<String>,
    system: BTreeSet<String>,
    /// What is no function and no type.
    variables: BTreeSet<String>,
    /// The files that have a variable of this name for themselves, or a function with one.
    own_state: BTreeMap<String, BTreeSet<usize>>,
    has_several_files: bool,
}

#[derive(Clone)]
struct Piece {
    declares: BTreeSet<String>,
    mentions: BTreeSet<String>,
    /// The function that it defines.
    function: Option<String>,
    /// It only says what is defined elsewhere.
    announces: bool,
    calls_pointers: bool,
    /// It calls code that is not given and may call functions of the program.
    calls_back: bool,
}

impl Pieces {
    fn of(units: &[Unit]) -> Pieces {
        let mut found = Pieces::default();
        let users: Vec<&Unit> = units.iter().filter(|unit| !unit.model).collect();
        found.has_several_files = users.len() > 1;
        let names = Names::of(&users);
        for (number, unit) in users.into_iter().enumerate() {
            found.add(number, unit, &names);
        }
        found.defined = names.defined;
        found.system = names.system;
        found
    }

    fn add(&mut self, number: usize, unit: &Unit, names: &Names) {
        let mut known = BTreeSet::new();
        let mut end = 0;
        let mut pragmas = Pragmas::default();
        let tokens_between =
            |from: usize, to: usize| tokens(unit.source.whole.get(from..to).unwrap_or("")).count();
        for external in &unit.tree.0 {
            // What the parser left out may declare all that it mentions, and it may belong to what follows.
            let mut between = Text::of(unit, end..external.span.start, &known, names);
            for (at, pragma) in unit.source.pragmas_in(end..external.span.start) {
                pragmas.add(pragma, tokens_between(end, at));
            }
            known.extend(between.mentions.iter().cloned());
            let declared = Declared::of(&external.node);
            known.extend(declared.names.iter().cloned());
            let mut text = Text::of(unit, external.span.start..external.span.end, &known, names);
            text.take_attributes(&between);
            for (at, pragma) in unit.source.pragmas_in(external.span.start.max(end)..external.span.end) {
                pragmas.add(pragma, tokens_between(external.span.start, at));
            }
            if text.has_own_state() && !declared.announces {
                for name in &declared.names {
                    self.own_state.entry(name.clone()).or_default().insert(number);
                }
            }
            if !between.tokens.is_empty() {
                between.tokens.push_str(&pragmas.text());
                let names = between.mentions.clone();
                self.insert(between, Declared { names, ..Declared::default() });
            }
            self.insert_pragmas(unit, end..external.span.end, &text);
            text.tokens.push_str(&pragmas.text());
            self.insert(text, declared);
            end = external.span.end.max(end);
        }
        let behind = Text::of(unit, end..unit.source.whole.len(), &known, names);
        self.insert_pragmas(unit, end..unit.source.whole.len(), &behind);
        if !behind.tokens.is_empty() {
            let declared = Declared { names: behind.mentions.clone(), ..Declared::default() };
            self.insert(behind, declared);
        }
    }

    /// A pragma may make names one (`#pragma weak f = g`), so it declares all that it mentions.
    fn insert_pragmas(&mut self, unit: &Unit, range: std::ops::Range<usize>, following: &Text) {
        for (_, pragma) in unit.source.pragmas_in(range) {
            self.pragmas.push((pragma.to_owned(), following.tokens.clone()));
            let mut text = Text::default();
            text.tokens.push_str(pragma);
            text.mentions.extend(words(pragma));
            let names = text.mentions.clone();
            self.insert(text, Declared { names, announces: true, ..Declared::default() });
        }
    }

    fn insert(&mut self, text: Text, mut declared: Declared) {
        // The names of the linker belong to the code that has them.
        declared.names.extend(text.linked);
        if text.is_around_main {
            self.around_main.extend(declared.names.iter().cloned());
            self.around_main_in_order.push(text.tokens.clone());
        }
        for name in &declared.names {
            self.declared.entry(name.clone()).or_default().insert(text.tokens.clone());
        }
        if declared.is_variable {
            self.variables.extend(declared.names.iter().cloned());
        }
        self.addressed.extend(text.addressed);
        self.open.extend(declared.function.clone().filter(|_| !declared.private));
        let piece = Piece {
            declares: declared.names,
            mentions: text.mentions,
            function: declared.function,
            announces: declared.announces,
            calls_pointers: text.calls_pointers,
            calls_back: text.calls_back,
        };
        self.pieces.insert(text.tokens, piece);
    }

    /// Whether several files may mean different things by a name.
    fn is_ambiguous(&self, name: &str) -> bool {
        let defining = |tokens: &&String| self.pieces.get(*tokens).is_none_or(|piece| !piece.announces);
        let has_several_states = self.own_state.get(name).is_some_and(|files| files.len() > 1);
        let has_several_texts =
            self.declared.get(name).is_some_and(|pieces| pieces.iter().filter(defining).count() > 1);
        self.has_several_files && (has_several_texts || has_several_states)
    }
}

/// What a declaration at file scope declares.
#[derive(Default)]
struct Declared {
    names: BTreeSet<String>,
    function: Option<String>,
    announces: bool,
    /// It is `static`.
    private: bool,
    is_variable: bool,
}

impl Declared {
    fn of(external: &ExternalDeclaration) -> Declared {
        let mut declared = Declared::default();
        match external {
            ExternalDeclaration::FunctionDefinition(definition) => {
                let definition = &definition.node;
                declared.function = declared_name(&definition.declarator).map(str::to_owned);
                declared.names.extend(declared.function.clone());
                declared.private = definition.specifiers.iter().any(|specifier| {
                    matches!(&specifier.node, ast::DeclarationSpecifier::StorageClass(class)
                        if class.node == ast::StorageClassSpecifier::Static)
                });
                for specifier in &definition.specifiers {
                    declared.visit_declaration_specifier(&specifier.node, &specifier.span);
                }
                declared.visit_declarator(&definition.declarator.node, &definition.declarator.span);
            }
            ExternalDeclaration::Declaration(declaration) => {
                declared.visit_declaration(&declaration.node, &declaration.span);
                declared.announces = announces(&declaration.node);
                declared.is_variable = !declared.announces
                    && !is_typedef(&declaration.node)
                    && !declaration.node.declarators.is_empty();
                let declarators = declaration.node.declarators.iter();
                declared.names.extend(
                    declarators.filter_map(|it| declared_name(&it.node.declarator).map(str::to_owned)),
                );
            }
            ExternalDeclaration::StaticAssert(_) => {}
        }
        declared
    }
}

impl<'ast> Visit<'ast> for Declared {
    fn visit_struct_type(&mut self, node: &'ast ast::StructType, span: &'ast lang_c::span::Span) {
        if let (Some(name), Some(_)) = (&node.identifier, &node.declarations) {
            self.names.insert(name.node.name.clone());
        }
        visit::visit_struct_type(self, node, span);
    }

    fn visit_enum_type(&mut self, node: &'ast ast::EnumType, span: &'ast lang_c::span::Span) {
        if let Some(name) = node.identifier.as_ref().filter(|_| !node.enumerators.is_empty()) {
            self.names.insert(name.node.name.clone());
        }
        self.names.extend(node.enumerators.iter().map(|it| it.node.identifier.node.name.clone()));
        visit::visit_enum_type(self, node, span);
    }
}

/// Whether a declaration only names what is defined elsewhere: with `extern`, or as a prototype.
fn announces(node: &ast::Declaration) -> bool {
    let is_extern = node.specifiers.iter().any(|specifier| {
        matches!(&specifier.node, ast::DeclarationSpecifier::StorageClass(class)
            if class.node == ast::StorageClassSpecifier::Extern)
    });
    let is_prototype = |it: &ast::InitDeclarator| {
        it.initializer.is_none()
            && matches!(it.declarator.node.kind.node, ast::DeclaratorKind::Identifier(_))
            && it
                .declarator
                .node
                .derived
                .iter()
                .any(|it| matches!(it.node, ast::DerivedDeclarator::Function(_)))
    };
    let declarators = || node.declarators.iter().map(|it| &it.node);
    !is_typedef(node)
        && !node.declarators.is_empty()
        && (is_extern && declarators().all(|it| it.initializer.is_none()) || declarators().all(is_prototype))
}
