//! Functions of libc and the compiler that are lowered in place: ends of the program, bits, texts for the models.

use ir::{BinaryOp, Const, Expr, FloatType, IntType, Intrinsic, Scalar, StmtKind};
use lang_c::ast;
use lang_c::span::Node;

use super::mathematics::math_name;
use super::{Lowered, Lowerer, Value};
use crate::build;
use crate::types::CType;

/// Functions that no unknown function can stand for, since they do not return, or return twice.
const JUMPS: [&str; 3] = ["longjmp", "setjmp", "_setjmp"];

type Call<'a> = Node<ast::CallExpression>;

impl<'a> Lowerer<'a> {
    /// The type of a call of a function that no header declares.
    pub(crate) fn builtin_type(&mut self, call: &'a Call<'a>) -> CType {
        let ast::Expression::Identifier(name) = &call.node.callee.node else { return CType::INT };
        let name = name.node.name.trim_start_matches("__builtin_");
        if self.is_model() && name.starts_with("__text_") && !matches!(name, "__text_length" | "__text_at") {
            return CType::Text;
        }
        match name {
            "expect" => CType::LONG,
            "inf" | "huge_val" | "nan" => CType::DOUBLE,
            "inff" | "huge_valf" | "nanf" => CType::Float(FloatType::F32),
            "malloc" | "calloc" | "realloc" | "alloca" | "memcpy" | "memset" | "memmove" | "mempcpy" => {
                CType::pointer_to(CType::Void)
            }
            "strlen" | "__object_length" => CType::SIZE,
            "bswap32" => CType::UNSIGNED,
            "bswap64" => CType::SIZE,
            _ => match math_name(name) {
                Some((_, float)) => CType::Float(float),
                None => CType::INT,
            },
        }
    }

    /// Notes what a model takes from glibc where the standard leaves it open.
    pub(crate) fn assume_library(&mut self, name: &str) {
        if self.is_model() {
            return;
        }
        match name {
            "isalnum" | "isalpha" | "isblank" | "iscntrl" | "isdigit" | "isgraph" | "islower" | "isprint"
            | "ispunct" | "isspace" | "isupper" | "isxdigit" | "tolower" | "toupper" => {
                self.assume(ir::CHARACTER_TABLES);
            }
            "strcmp" | "strncmp" | "memcmp" | "strcasecmp" | "strncasecmp" | "strcoll" => {
                self.assume(format!(
                    "`{name}` gives the difference of the first bytes that differ, as glibc has it"
                ));
            }
            _ => {}
        }
    }

    /// Whether the model of this name may be called for the user's function of the same name.
    pub(crate) fn model_is_plain(&self, name: &str) -> bool {
        !name.starts_with("__")
    }

    /// Lowers a call of a function that is known here; none if it is not.
    pub(crate) fn lower_builtin(
        &mut self,
        name: &str,
        node: &'a Call<'a>,
        wanted: bool,
    ) -> Lowered<Option<Value>> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let args = node.node.arguments.as_slice();
        if let Some(value) = self.lower_mathematics(plain, args)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.lower_output(plain, node, wanted)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.lower_memory_call(plain, node)? {
            return Ok(Some(value));
        }
        if self.is_model()
            && let Some(value) = self.lower_model_call(name, args)?
        {
            return Ok(Some(value));
        }
        if let Some(value) = self.lower_bits(plain, args)? {
            return Ok(Some(value));
        }
        match plain {
            "__assert_fail" | "__assert" => {
                self.assume(ir::ASSERTIONS_IN_C);
                self.throw("assertion failed")
            }
            "__overlapping_copy" if self.is_model() => self.throw("overlapping copy"),
            "abort" => self.throw("abort"),
            "exit" | "_exit" | "_Exit" | "quick_exit" => self.lower_exit(plain, args)?,
            "unreachable" => self.throw("unreachable code"),
            "trap" => self.throw("trap"),
            "__errno_location" => return Ok(Some(self.errno_address())),
            "expect" => {
                let [value, rest @ ..] = args else { return Ok(None) };
                let value = self.lower_converted(value, &CType::LONG)?;
                for effect in rest {
                    self.lower_effect(effect)?;
                }
                return Ok(Some(value));
            }
            "constant_p" => return Ok(Some(Value { expr: build::int(IntType::I32, 0), ty: CType::INT })),
            _ if JUMPS.contains(&plain) => {
                return self.gap(format!("`{plain}`, which jumps out of functions"), node.span);
            }
            // The compiler's own name for a function of libc.
            _ if plain != name => return self.lower_prefixed(plain, node, wanted),
            _ => return Ok(None),
        }
        Ok(Some(Value { expr: build::int(IntType::I32, 0), ty: CType::Void }))
    }

    fn lower_prefixed(&mut self, plain: &str, node: &'a Call<'a>, wanted: bool) -> Lowered<Option<Value>> {
        let key = format!("model {plain}");
        let Some(ty) = self.functions.get(&key).map(|function| function.ty.clone()) else {
            return self.gap(format!("the builtin `{plain}`"), node.span);
        };
        let args = self.arguments(&node.node.arguments, Some(&ty))?;
        self.call_function(&key, plain, args, wanted, node.span).map(Some)
    }

    pub(crate) fn throw(&mut self, error: &str) {
        let error = self.error(error);
        self.emit(StmtKind::Throw { error, message: None });
    }

    /// The status is part of the error's name; one that is not constant is shown to the outside world first.
    fn lower_exit(&mut self, name: &str, args: &'a [Node<ast::Expression>]) -> Lowered<()> {
        let [status] = args else { return self.gap_here("a call of exit without a status") };
        // The others do not write out what is buffered, nor call the same functions before the end.
        let name = if name == "_Exit" { "_exit" } else { name };
        let status = self.lower_converted(status, &CType::INT)?;
        match build::constant_int(&status.expr) {
            Some(status) => self.throw(&format!("{name}({status})")),
            None => {
                let span = lang_c::span::Span::none();
                let function = self.functions.entry(name.to_owned()).or_insert_with(|| super::Function {
                    ty: super::FunctionType {
                        params: vec![CType::INT],
                        result: CType::Void,
                        variadic: false,
                        prototyped: true,
                    }
                    .into(),
                    definition: None,
                    proc: None,
                    user: false,
                    lost: None,
                    private: false,
                    external: ir::External::default(),
                });
                function.external = ir::External { access: ir::Access::World, library: false };
                self.call_function(name, name, vec![status], false, span)?;
                self.throw(name);
            }
        }
        Ok(())
    }

    /// All arguments, converted to one type.
    pub(crate) fn arguments_as(
        &mut self,
        args: &'a [Node<ast::Expression>],
        ty: &CType,
    ) -> Lowered<Vec<Value>> {
        let function = super::FunctionType {
            params: vec![ty.clone(); args.len()],
            result: CType::Void,
            variadic: false,
            prototyped: true,
        };
        self.arguments(args, Some(&function))
    }

    /// `__builtin_popcount` and its like.
    fn lower_bits(&mut self, name: &str, args: &'a [Node<ast::Expression>]) -> Lowered<Option<Value>> {
        let long = name.ends_with("l") && name != "parityl";
        let int = if long { IntType::U64 } else { IntType::U32 };
        let function = match name.trim_end_matches('l') {
            "popcount" => Intrinsic::CountOnes(int),
            "clz" => Intrinsic::LeadingZeros(int),
            "ctz" => Intrinsic::TrailingZeros(int),
            _ => return Ok(None),
        };
        let [arg] = args else { return Ok(None) };
        let value = self.lower_converted(arg, &CType::Int(int))?;
        let value = self.once(value);
        if !matches!(function, Intrinsic::CountOnes(_)) {
            let zero = build::eq(Scalar::Int(int), value.expr.clone(), build::int(int, 0));
            self.check(build::not(zero), "undefined bit count");
        }
        let expr = Expr::Intrinsic { function, args: vec![value.expr] };
        let expr = build::convert(Scalar::Int(int), Scalar::Int(IntType::I32), expr, false);
        Ok(Some(Value { expr, ty: CType::INT }))
    }

    /// What only the models call: texts, and questions about objects.
    fn lower_model_call(&mut self, name: &str, args: &'a [Node<ast::Expression>]) -> Lowered<Option<Value>> {
        let int_type = Scalar::Int(IntType::I32);
        let text = |expr| Ok(Some(Value { expr, ty: CType::Text }));
        let mut values = Vec::new();
        for arg in args {
            let value = self.lower_expr(arg)?;
            values.push(match &value.ty {
                CType::Int(_) if name != "__text_char" => self.convert(value, &CType::INT)?,
                _ => value,
            });
        }
        let exprs: Vec<Expr> = values.iter().map(|value| value.expr.clone()).collect();
        match (name, values.as_slice()) {
            ("__text_empty", []) => text(Expr::Const(Const::text(""))),
            ("__text_cat", [_, _]) => text(Expr::Intrinsic { function: Intrinsic::TextConcat, args: exprs }),
            ("__text_slice", [_, _, _]) => {
                // Not to be moved before the test that its bounds are right.
                let slice = Expr::Intrinsic { function: Intrinsic::TextSlice, args: exprs };
                text(self.save(slice, &CType::Text))
            }
            ("__text_char", [char]) => {
                let unit = self.code_unit(char.clone())?;
                text(Expr::Intrinsic { function: Intrinsic::TextOfChar, args: vec![unit] })
            }
            ("__out_of_range", []) => {
                self.set_out_of_range();
                Ok(Some(Value { expr: build::int(IntType::I32, 0), ty: CType::Void }))
            }
            ("__any_of_sign", [_]) => {
                let expr = Expr::Intrinsic { function: Intrinsic::AnyOfSign, args: exprs };
                Ok(Some(Value { expr, ty: CType::INT }))
            }
            ("__any_nonzero", [_]) => {
                let expr = Expr::Intrinsic { function: Intrinsic::AnyNonzero, args: exprs };
                Ok(Some(Value { expr, ty: CType::INT }))
            }
            ("__text_length", [_]) => {
                let expr = Expr::Intrinsic { function: Intrinsic::TextLength, args: exprs };
                Ok(Some(Value { expr, ty: CType::INT }))
            }
            ("__text_at", [_, _]) => {
                let expr = Expr::Intrinsic { function: Intrinsic::TextAt, args: exprs };
                let expr = build::convert(Scalar::Int(IntType::U16), int_type, expr, false);
                Ok(Some(Value { expr: self.save(expr, &CType::INT), ty: CType::INT }))
            }
            ("__same_object", [a, b]) => {
                let same = build::same_ref(build::get(a.expr.clone(), 0), build::get(b.expr.clone(), 0));
                Ok(Some(self.int_of_condition(same)))
            }
            ("__object_length", [pointer]) => {
                let CType::Pointer(pointee) = &pointer.ty else { return Ok(None) };
                let (Some(size), Some(cells)) = (self.records.size(pointee), self.records.cells(pointee))
                else {
                    return self.gap_here("memory of a type that is not known");
                };
                let long = IntType::I64;
                let mut bytes = build::length(build::get(pointer.expr.clone(), 0));
                if !self.records.bytes {
                    let count =
                        build::binary(BinaryOp::Div, Scalar::Int(long), bytes, build::i64(cells), false);
                    bytes = build::mul(long, count, build::i64(size));
                }
                let expr = build::convert(Scalar::Int(long), Scalar::Int(IntType::U64), bytes, false);
                Ok(Some(Value { expr, ty: CType::SIZE }))
            }
            _ => Ok(None),
        }
    }

    /// A character as the byte that is printed.
    pub(crate) fn code_unit(&mut self, value: Value) -> Lowered<Expr> {
        let byte = self.convert(value, &CType::Int(IntType::U8))?;
        Ok(build::convert(Scalar::Int(IntType::U8), Scalar::Int(IntType::U16), byte.expr, false))
    }
}
