//! Reads the text form: the passes, the declarations and what all parts of the reader share.
//!
//! Things may be used before they are declared, so the text is read three times: for the names, for the types
//! (which use names), and for everything (literals take their type from where they stand). The first two passes
//! skip what is in braces.

use std::collections::HashMap;

use super::lex::{Token, TokenKind, tokens};
use crate::{
    Access, Cells, ErrorId, External, FileId, Global, GlobalId, Language, Layout, Local, LocalId, ProcId,
    Procedure, Program, Region, RegionId, Scalar, Shape, ShapeId, Span, StaticId, StaticObject, Target, Type,
};

/// Why a text is not a program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ReadError {
    pub line: u32,
    pub column: u32,
    /// A lower-case fragment.
    pub message: String,
}

/// More static cells than this are not read, so that a few bytes cannot ask for all memory.
const MAX_CELLS: usize = 1 << 24;

/// Reads a program. It need not be valid, but all names in it are declared.
pub fn read_program(text: &str) -> Result<Program, ReadError> {
    let tokens = tokens(text)?;
    let nothing = Program::new(Language::Java);
    let named = Reader::new(&tokens, &nothing, false).program()?;
    let typed = Reader::new(&tokens, &named, false).program()?;
    Reader::new(&tokens, &typed, true).program()
}

/// One pass over the tokens.
pub(super) struct Reader<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) position: usize,
    /// What the pass before found: the declarations of everything that names stand for.
    pub(super) draft: &'t Program,
    names: Names,
    /// Whether names must be declared: in the last pass.
    pub(super) is_last: bool,
    pub(super) depth: usize,
    cells: usize,
    pub(super) locals: Vec<Local>,
    pub(super) local_names: HashMap<String, LocalId>,
    pub(super) result: Option<Type>,
}

/// Where the names of a program stand in its tables; of equal names the first.
#[derive(Default)]
struct Names {
    procedures: HashMap<String, usize>,
    globals: HashMap<String, usize>,
    regions: HashMap<String, usize>,
    shapes: HashMap<String, usize>,
    statics: HashMap<String, usize>,
    errors: HashMap<String, usize>,
}

impl Names {
    fn of(program: &Program) -> Names {
        fn table<'a>(names: impl Iterator<Item = &'a String>) -> HashMap<String, usize> {
            let mut table = HashMap::new();
            for (position, name) in names.enumerate() {
                table.entry(name.clone()).or_insert(position);
            }
            table
        }
        Names {
            procedures: table(program.procedures.iter().map(|it| &it.name)),
            globals: table(program.globals.iter().map(|it| &it.name)),
            regions: table(program.regions.iter().map(|it| &it.name)),
            shapes: table(program.shapes.iter().map(|it| &it.name)),
            statics: table(program.statics.iter().map(|it| &it.name)),
            errors: table(program.errors.iter()),
        }
    }
}

impl<'t> Reader<'t> {
    fn new(tokens: &'t [Token], draft: &'t Program, is_last: bool) -> Reader<'t> {
        Reader {
            tokens,
            position: 0,
            draft,
            names: Names::of(draft),
            is_last,
            depth: 0,
            cells: 0,
            locals: Vec::new(),
            local_names: HashMap::new(),
            result: None,
        }
    }

    fn program(mut self) -> Result<Program, ReadError> {
        self.expect_word("program")?;
        let Some(language) = Language::ALL.into_iter().find(|language| self.take_word(language.name()))
        else {
            return Err(self.error("a language should follow: java or c"));
        };
        let mut program = Program::new(language);
        if self.take_word("carrying") {
            program.carried = self.ty()?;
        }
        while self.peek() != &TokenKind::End {
            self.declaration(&mut program)?;
        }
        Ok(program)
    }

    fn declaration(&mut self, program: &mut Program) -> Result<(), ReadError> {
        let private = self.take_word("private");
        let fixed = self.take_word("fixed");
        if fixed && !self.at_word("global") {
            return Err(self.error("a global should follow"));
        }
        let can_be_private = ["const", "global", "static", "region"].iter().any(|word| self.at_word(word));
        if private && !fixed && !can_be_private {
            return Err(self.error("a global, static object or region should follow"));
        }
        if self.take_word("file") {
            program.files.push(self.string()?);
        } else if self.take_word("error") {
            let name = self.declared("error", |names| &names.errors, program.errors.len())?;
            program.errors.push(name);
        } else if self.take_word("region") {
            let name = self.declared("region", |names| &names.regions, program.regions.len())?;
            let region = self.region(name, private)?;
            program.regions.push(region);
        } else if self.at_words("abstract", "shape")
            || self.at_words("closed", "shape")
            || self.at_word("shape")
        {
            let is_abstract = self.take_word("abstract");
            let closed = self.take_word("closed");
            self.expect_word("shape")?;
            let name = self.declared("shape", |names| &names.shapes, program.shapes.len())?;
            let shape = self.shape(name, is_abstract, closed)?;
            program.shapes.push(shape);
        } else if self.at_words("const", "global") || self.at_word("global") {
            let constant = self.take_word("const");
            self.expect_word("global")?;
            let name = self.declared("global", |names| &names.globals, program.globals.len())?;
            self.expect(':')?;
            let ty = self.ty()?;
            self.expect('=')?;
            let initial = self.constant(Some(&ty))?;
            program.globals.push(Global { name, ty, initial, constant, private, fixed });
        } else if self.at_words("const", "static") || self.at_word("static") {
            let constant = self.take_word("const");
            self.expect_word("static")?;
            let name = self.declared("static", |names| &names.statics, program.statics.len())?;
            let object = self.static_object(name, constant, private)?;
            program.statics.push(object);
        } else {
            let procedure = self.procedure(program.procedures.len())?;
            program.procedures.push(procedure);
        }
        Ok(())
    }

    fn region(&mut self, name: String, private: bool) -> Result<Region, ReadError> {
        self.expect(':')?;
        let first = self.ty()?;
        if !self.take(&TokenKind::Arrow) {
            return Ok(Region { name, index: None, value: first, private });
        }
        match first {
            Type::Int(index) => Ok(Region { name, index: Some(index), value: self.ty()?, private }),
            _ => Err(self.error("the index of a region should be an integer")),
        }
    }

    fn shape(&mut self, name: String, is_abstract: bool, closed: bool) -> Result<Shape, ReadError> {
        self.expect(':')?;
        let indexed = self.take_word("indexed");
        if !indexed {
            self.expect_word("fields")?;
        }
        self.expect('(')?;
        let mut regions = Vec::new();
        while !self.take_punct(')') {
            if !regions.is_empty() {
                self.expect(',')?;
            }
            regions.push(self.region_name()?);
        }
        let mut ancestors = Vec::new();
        let mut layout = Layout::default();
        let mut more = self.take_punct('<');
        while more {
            let ancestor = self.shape_name()?;
            ancestors.push(ancestor);
            if self.take_word("at") {
                layout.places.push((ancestor, self.in_parentheses(Self::integer)?));
            }
            more = self.take_punct(',');
        }
        if self.take_word("of") {
            layout.scalars = self.in_parentheses(|this| {
                let Some(scalar) = this.ty()?.scalar() else {
                    return Err(this.error("a number's type should be here"));
                };
                Ok((this.integer()?, scalar))
            })?;
        }
        if self.take_word("lonely") {
            layout.lonely = self.in_parentheses(Self::integer)?;
        }
        if self.take_word("matched") {
            layout.matched = self.in_parentheses(Self::string)?;
        }
        let cells = if indexed { Cells::Indexed(regions) } else { Cells::Fields(regions) };
        Ok(Shape { name, cells, ancestors, is_abstract, closed, layout })
    }

    fn in_parentheses<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, ReadError>,
    ) -> Result<Vec<T>, ReadError> {
        self.expect('(')?;
        let mut items = Vec::new();
        while !self.take_punct(')') {
            if !items.is_empty() {
                self.expect(',')?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn static_object(
        &mut self,
        name: String,
        constant: bool,
        private: bool,
    ) -> Result<StaticObject, ReadError> {
        self.expect(':')?;
        let shape = self.shape_name()?;
        let mut length = None;
        if self.take_punct('(') {
            length = Some(self.integer()?);
            self.expect(')')?;
        }
        self.expect('=')?;
        let mut cells = Vec::new();
        if self.is_last {
            self.expect('{')?;
            while !self.take_punct('}') {
                if !cells.is_empty() {
                    self.expect(',')?;
                }
                let value = self.constant(self.draft.cell_type(shape, cells.len()))?;
                let count: usize = if self.take_punct('*') { self.integer()? } else { 1 };
                self.cells = self.cells.saturating_add(count);
                if self.cells > MAX_CELLS {
                    return Err(self.error(format!("there are more than {MAX_CELLS} static cells")));
                }
                if count == 0 {
                    return Err(self.error("a cell should be there at least once"));
                }
                cells.extend(std::iter::repeat_n(value, count));
            }
        } else {
            self.skip_braces()?;
        }
        Ok(StaticObject { name, shape, length, cells, constant, private })
    }

    fn procedure(&mut self, position: usize) -> Result<Procedure, ReadError> {
        let mut assumptions = Vec::new();
        while self.take_word("assuming") {
            assumptions.push(self.string()?);
        }
        let is_extern = self.take_word("extern");
        let external = if is_extern { self.external() } else { External::default() };
        if !self.take_word("proc") {
            return Err(self.error("a declaration should start here"));
        }
        let name = self.declared("procedure", |names| &names.procedures, position)?;
        let short_name = if self.take_word("as") { self.name()? } else { name.clone() };
        self.locals.clear();
        self.local_names.clear();
        self.expect('(')?;
        while !self.take_punct(')') {
            if !self.locals.is_empty() {
                self.expect(',')?;
            }
            self.local()?;
        }
        let params = self.locals.len();
        let result = if self.take(&TokenKind::Arrow) { Some(self.ty()?) } else { None };
        self.result = result.clone();
        let span = self.span()?;
        let body = match (is_extern, self.is_last) {
            (true, _) => None,
            (false, true) => Some(self.body()?),
            (false, false) => {
                self.skip_braces()?;
                Some(Vec::new())
            }
        };
        let locals = std::mem::take(&mut self.locals);
        Ok(Procedure { name, short_name, params, locals, result, body, external, span, assumptions })
    }

    /// `library pure`, what stands between `extern` and `proc`.
    fn external(&mut self) -> External {
        let library = self.take_word("library");
        let found = Access::ALL
            .into_iter()
            .find(|access| *access != Access::Writes && self.take_word(super::words::access_word(*access)));
        External { access: found.unwrap_or_default(), library }
    }

    /// `name: type`, a parameter or local variable.
    pub(super) fn local(&mut self) -> Result<(), ReadError> {
        let name = self.name()?;
        let id = LocalId::from_index(self.locals.len());
        if self.local_names.insert(name.clone(), id).is_some() {
            return Err(self.error_before(format!("there is already a local `{name}`")));
        }
        self.expect(':')?;
        let ty = self.ty()?;
        self.locals.push(Local { name, ty });
        Ok(())
    }

    pub(super) fn ty(&mut self) -> Result<Type, ReadError> {
        self.nested(|reader| {
            if reader.take_punct('(') {
                let mut fields = Vec::new();
                while !reader.take_punct(')') {
                    if !fields.is_empty() {
                        reader.expect(',')?;
                    }
                    fields.push(reader.ty()?);
                }
                Ok(Type::Record(fields))
            } else if reader.take_word("text") {
                Ok(Type::Text)
            } else if reader.take_word("ref") {
                let any = reader.take_word("any");
                Ok(Type::Ref(if any { Target::Any } else { Target::Shape(reader.shape_name()?) }))
            } else if reader.take_word("map") {
                reader.expect('(')?;
                let key = reader.ty()?;
                reader.expect_arrow()?;
                let value = reader.ty()?;
                reader.expect(')')?;
                Ok(Type::Map(Box::new(key), Box::new(value)))
            } else if let TokenKind::Word(word) = reader.peek()
                && let Some(scalar) = Scalar::named(word)
            {
                reader.position += 1;
                Ok(Type::from(scalar))
            } else {
                Err(reader.error("a type should stand here"))
            }
        })
    }

    /// The place after an `@`, or nowhere: `[file:]line:column-[line:]column`.
    pub(super) fn span(&mut self) -> Result<Span, ReadError> {
        let TokenKind::Span(text) = self.peek() else {
            return Ok(Span::NOWHERE);
        };
        let numbers =
            |text: &str| text.split(':').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>();
        let halves = text.split_once('-').and_then(|(from, to)| numbers(from).zip(numbers(to)));
        let (file, line, column, to) = match halves {
            Some((from, to)) => match from[..] {
                [line, column] => (0, line, column, to),
                [file, line, column] if file != 0 => (file, line, column, to),
                _ => return Err(self.error("a place should look like @[file:]line:column-[line:]column")),
            },
            None => return Err(self.error("a place should look like @[file:]line:column-[line:]column")),
        };
        let (end_line, end_column) = match to[..] {
            [end_column] => (line, end_column),
            [end_line, end_column] => (end_line, end_column),
            _ => return Err(self.error("a place should end with [line:]column")),
        };
        self.position += 1;
        Ok(Span { file: FileId(file), line, column, end_line, end_column })
    }

    /// Skips from an opening brace to its closing one.
    fn skip_braces(&mut self) -> Result<(), ReadError> {
        self.expect('{')?;
        let mut open = 1_usize;
        while open > 0 {
            match self.peek() {
                TokenKind::Punct('{') => open += 1,
                TokenKind::Punct('}') => open -= 1,
                TokenKind::End => return Err(self.error("a } should follow")),
                _ => {}
            }
            self.position += 1;
        }
        Ok(())
    }

    /// A name that a declaration gives to the entry at a position of its table.
    fn declared(
        &mut self,
        what: &str,
        table: fn(&Names) -> &HashMap<String, usize>,
        position: usize,
    ) -> Result<String, ReadError> {
        let name = self.name()?;
        if self.is_last && table(&self.names).get(&name) != Some(&position) {
            return Err(self.error_before(format!("there is already a {what} `{name}`")));
        }
        Ok(name)
    }

    /// The position of a name that is used. Until the last pass it may be unknown.
    fn used(&mut self, what: &str, table: fn(&Names) -> &HashMap<String, usize>) -> Result<usize, ReadError> {
        let name = self.name()?;
        match table(&self.names).get(&name) {
            Some(position) => Ok(*position),
            None if !self.is_last => Ok(0),
            None => Err(self.error_before(format!("there is no {what} `{name}`"))),
        }
    }

    pub(super) fn procedure_name(&mut self) -> Result<ProcId, ReadError> {
        self.used("procedure", |names| &names.procedures).map(ProcId::from_index)
    }

    pub(super) fn global_name(&mut self) -> Result<GlobalId, ReadError> {
        self.used("local or global", |names| &names.globals).map(GlobalId::from_index)
    }

    pub(super) fn region_name(&mut self) -> Result<RegionId, ReadError> {
        self.used("region", |names| &names.regions).map(RegionId::from_index)
    }

    pub(super) fn shape_name(&mut self) -> Result<ShapeId, ReadError> {
        self.used("shape", |names| &names.shapes).map(ShapeId::from_index)
    }

    pub(super) fn static_name(&mut self) -> Result<StaticId, ReadError> {
        self.used("static", |names| &names.statics).map(StaticId::from_index)
    }

    pub(super) fn error_name(&mut self) -> Result<ErrorId, ReadError> {
        self.used("error", |names| &names.errors).map(ErrorId::from_index)
    }
}
