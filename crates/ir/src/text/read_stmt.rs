//! Reads statements.

use super::ReadError;
use super::lex::TokenKind;
use super::read::Reader;
use crate::{Block, Catch, CatchKind, LabelId, LocalId, Span, Stmt, StmtKind, Stream, Type};

impl Reader<'_> {
    /// The body of a procedure: variables, then statements.
    pub(super) fn body(&mut self) -> Result<Block, ReadError> {
        self.expect('{')?;
        while self.take_word("var") {
            self.local()?;
        }
        self.rest_of_block()
    }

    fn block(&mut self) -> Result<Block, ReadError> {
        self.expect('{')?;
        self.rest_of_block()
    }

    fn rest_of_block(&mut self) -> Result<Block, ReadError> {
        let mut block = Vec::new();
        while !self.take_punct('}') {
            block.push(self.stmt()?);
        }
        Ok(block)
    }

    fn stmt(&mut self) -> Result<Stmt, ReadError> {
        self.nested(|reader| match reader.peek() {
            TokenKind::Word(word) => match word.as_str() {
                "if" => reader.branches(),
                "loop" => {
                    let (label, span, body) = reader.labelled()?;
                    Ok(Stmt { kind: StmtKind::Loop { label, body }, span })
                }
                "scope" => {
                    let (label, span, body) = reader.labelled()?;
                    Ok(Stmt { kind: StmtKind::Scope { label, body }, span })
                }
                "try" => reader.try_stmt(),
                word => {
                    let kind = reader.simple(word)?;
                    Ok(Stmt { kind, span: reader.span()? })
                }
            },
            TokenKind::Quoted(_) => {
                let kind = reader.assignment(false)?;
                Ok(Stmt { kind, span: reader.span()? })
            }
            _ => Err(reader.error("a statement should start here")),
        })
    }

    fn branches(&mut self) -> Result<Stmt, ReadError> {
        self.skip();
        let condition = self.expr(None)?;
        let span = self.span()?;
        let then = self.block()?;
        let otherwise = match self.take_word("else") {
            false => Vec::new(),
            true if self.at_word("if") => vec![self.nested(Self::branches)?],
            true => self.block()?,
        };
        Ok(Stmt { kind: StmtKind::If { condition, then, otherwise }, span })
    }

    fn labelled(&mut self) -> Result<(LabelId, Span, Block), ReadError> {
        self.skip();
        Ok((self.label()?, self.span()?, self.block()?))
    }

    fn try_stmt(&mut self) -> Result<Stmt, ReadError> {
        self.skip();
        let span = self.span()?;
        let body = self.block()?;
        let mut catches = Vec::new();
        while self.take_word("catch") {
            catches.push(self.catch()?);
        }
        Ok(Stmt { kind: StmtKind::Try { body, catches }, span })
    }

    fn catch(&mut self) -> Result<Catch, ReadError> {
        let kind = if self.take_word("any") {
            CatchKind::Any
        } else {
            let mut errors = Vec::new();
            while !self.at_word("as") && self.peek() != &TokenKind::Punct('{') {
                if !errors.is_empty() {
                    self.expect(',')?;
                }
                errors.push(self.error_name()?);
            }
            CatchKind::Errors(errors)
        };
        let message = if self.take_word("as") { Some(self.local_name()?) } else { None };
        Ok(Catch { kind, message, body: self.block()? })
    }

    /// A statement without blocks in it, up to its span.
    fn simple(&mut self, word: &str) -> Result<StmtKind, ReadError> {
        if !is_statement_word(word) {
            return self.assignment(false);
        }
        self.skip();
        match word {
            "global" => self.assignment(true),
            "store" => {
                let (region, object, index) = self.cell()?;
                self.expect('=')?;
                let value_type = self.draft.regions.get(region.index()).map(|region| &region.value);
                Ok(StmtKind::Store { region, object, index, value: self.expr(value_type)? })
            }
            "free" => Ok(StmtKind::Free { object: self.expr(None)? }),
            "break" => self.label().map(StmtKind::Break),
            "continue" => self.label().map(StmtKind::Continue),
            "return" => {
                let ends = matches!(self.peek(), TokenKind::Punct('}') | TokenKind::Span(_));
                if ends || !self.same_line() {
                    return Ok(StmtKind::Return(None));
                }
                let result = self.result.clone();
                Ok(StmtKind::Return(Some(self.expr(result.as_ref())?)))
            }
            "call" => self.call(None),
            "throw" => {
                let error = self.error_name()?;
                let mut message = None;
                if self.take_punct('(') {
                    message = Some(self.expr(None)?);
                    self.expect(')')?;
                }
                Ok(StmtKind::Throw { error, message })
            }
            "check" | "assert" => {
                let condition = self.expr(None)?;
                if !self.take_word("else") {
                    return Err(self.error("`else` and an error should stand here"));
                }
                let error = self.error_name()?;
                Ok(match word {
                    "check" => StmtKind::Check { condition, error },
                    _ => StmtKind::Assert { condition, error },
                })
            }
            "assume" => Ok(StmtKind::Assume { condition: self.expr(None)? }),
            "print" => Ok(StmtKind::Print { stream: Stream::Output, text: self.expr(None)? }),
            "print_error" => Ok(StmtKind::Print { stream: Stream::Error, text: self.expr(None)? }),
            _ => Ok(StmtKind::Unsupported { what: self.string()? }),
        }
    }

    /// `local = expression`, `local = new …`, `local = call …` or `global = expression`.
    fn assignment(&mut self, must_be_global: bool) -> Result<StmtKind, ReadError> {
        let local = match self.peek() {
            TokenKind::Quoted(name) | TokenKind::Word(name) if !must_be_global => {
                self.local_names.get(name).copied()
            }
            _ => None,
        };
        let Some(local) = local else {
            let global = self.global_name()?;
            self.expect('=')?;
            let ty = self.draft.globals.get(global.index()).map(|global| &global.ty);
            return Ok(StmtKind::AssignGlobal { global, value: self.expr(ty)? });
        };
        self.name()?;
        self.expect('=')?;
        if self.take_word("call") {
            self.call(Some(local))
        } else if let Some(unwritten) = self.take_new() {
            let shape = self.shape_name()?;
            let mut length = None;
            if self.take_punct('(') {
                let ty = self.draft.length_type(shape).map(Type::Int);
                length = Some(self.expr(ty.as_ref())?);
                self.expect(')')?;
            }
            Ok(StmtKind::New { local, shape, length, unwritten })
        } else {
            let ty = self.locals[local.index()].ty.clone();
            Ok(StmtKind::Assign { local, value: self.expr(Some(&ty))? })
        }
    }

    /// Whether an object is made, and whether its cells are unwritten.
    fn take_new(&mut self) -> Option<bool> {
        let unwritten = self.take_word("new_unwritten");
        (unwritten || self.take_word("new")).then_some(unwritten)
    }

    fn call(&mut self, local: Option<LocalId>) -> Result<StmtKind, ReadError> {
        let callee = self.procedure_name()?;
        let params = self.draft.procedures.get(callee.index()).map_or(&[][..], |procedure| &procedure.locals);
        let args = self.arguments(|position| params.get(position).map(|local| &local.ty))?;
        Ok(StmtKind::Call { local, callee, args })
    }

    fn label(&mut self) -> Result<LabelId, ReadError> {
        if let TokenKind::Word(word) = self.peek()
            && let Some(number) = word.strip_prefix('L').and_then(|number| number.parse().ok())
        {
            self.skip();
            return Ok(LabelId(number));
        }
        Err(self.error("a label such as L0 should stand here"))
    }

    fn local_name(&mut self) -> Result<LocalId, ReadError> {
        let name = self.name()?;
        let local = self.local_names.get(&name).copied();
        local.ok_or_else(|| self.error_before(format!("there is no local `{name}`")))
    }
}

fn is_statement_word(word: &str) -> bool {
    [
        "global",
        "store",
        "free",
        "break",
        "continue",
        "return",
        "call",
        "throw",
        "check",
        "assert",
        "assume",
        "print",
        "print_error",
        "unsupported",
    ]
    .contains(&word)
}
