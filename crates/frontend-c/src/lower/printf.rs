//! Output: `printf` and its like on the standard output and the standard error output. Formats are constant; what is not exact is a gap.

use ir::{Const, Expr, FloatType, IntType, Intrinsic, Scalar, StmtKind, Stream};
use lang_c::ast;
use lang_c::span::Node;

use super::{Lowered, Lowerer, Value};
use crate::types::CType;
use crate::{build, literals};

/// One conversion of a format, such as `%-8.3lf`.
#[derive(Default, Debug, PartialEq)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: Option<Amount>,
    precision: Option<Amount>,
    length: String,
    kind: char,
}

#[derive(Debug, PartialEq, Clone, Copy)]
enum Amount {
    Fixed(i64),
    /// The next argument.
    Argument,
}

#[derive(Debug, PartialEq)]
enum Piece {
    Text(Vec<u16>),
    Conversion(Conversion),
}

impl<'a> Lowerer<'a> {
    /// Lowers a call that writes to a standard stream; none if it is another function.
    pub(crate) fn lower_output(
        &mut self,
        name: &str,
        node: &'a Node<ast::CallExpression>,
        wanted: bool,
    ) -> Lowered<Option<Value>> {
        let args = node.node.arguments.as_slice();
        let int = |expr| Ok(Some(Value { expr, ty: CType::INT }));
        match (name, args) {
            ("putchar" | "putchar_unlocked", [char]) => self.print_char(Stream::Output, char).map(Some),
            ("putc" | "fputc" | "putc_unlocked", [char, stream]) => match standard_stream(stream) {
                Some(stream) => self.print_char(stream, char).map(Some),
                None => Ok(None),
            },
            ("puts", [string]) => {
                let text = self.text_of_string(string)?;
                let newline = Expr::Const(Const::text("\n"));
                let line = concat(text, newline);
                let line = if wanted { self.save(line, &CType::Text) } else { line };
                self.emit(StmtKind::Print { stream: Stream::Output, text: line.clone() });
                int(length_of(line))
            }
            ("fputs" | "fputs_unlocked", [string, stream]) => match standard_stream(stream) {
                Some(stream) => {
                    let text = self.text_of_string(string)?;
                    self.emit(StmtKind::Print { stream, text });
                    int(build::int(IntType::I32, 1))
                }
                None => Ok(None),
            },
            ("printf", [format, rest @ ..]) => {
                self.print_format(Stream::Output, format, rest, wanted).map(Some)
            }
            ("fprintf", [stream, format, rest @ ..]) => match standard_stream(stream) {
                Some(stream) => self.print_format(stream, format, rest, wanted).map(Some),
                None => Ok(None),
            },
            ("sprintf", [to, format, rest @ ..]) => self.print_to_memory(to, None, format, rest).map(Some),
            ("snprintf", [to, size, format, rest @ ..]) => {
                self.print_to_memory(to, Some(size), format, rest).map(Some)
            }
            // Nothing waits in the error output.
            ("fflush", [stream]) if standard_stream(stream) == Some(Stream::Error) => {
                int(build::int(IntType::I32, 0))
            }
            // An event among what is written: whoever looks on, or a crash, tells where it stands.
            ("fflush", [stream]) if standard_stream(stream) == Some(Stream::Output) => {
                let external = ir::External { access: ir::Access::Streams, library: true };
                let callee = self.unknown_procedure("fflush", external, &CType::INT, &[]);
                Ok(Some(self.emit_call(callee, Vec::new(), CType::INT, wanted)))
            }
            ("fwrite", [.., stream]) if standard_stream(stream).is_some() => {
                self.gap("fwrite to a standard stream", node.span)
            }
            _ => Ok(None),
        }
    }

    fn print_char(&mut self, stream: Stream, node: &'a Node<ast::Expression>) -> Lowered<Value> {
        let value = self.lower_converted(node, &CType::INT)?;
        let value = self.once(value);
        let unit = self.code_unit(value)?;
        let text = Expr::Intrinsic { function: Intrinsic::TextOfChar, args: vec![unit.clone()] };
        self.emit(StmtKind::Print { stream, text });
        let expr = build::convert(Scalar::Int(IntType::U16), Scalar::Int(IntType::I32), unit, false);
        Ok(Value { expr, ty: CType::INT })
    }

    /// The text of a string in memory.
    fn text_of_string(&mut self, node: &'a Node<ast::Expression>) -> Lowered<Expr> {
        if let ast::Expression::StringLiteral(literal) = &node.node
            && let Ok(bytes) = literals::string(&literal.node)
        {
            let units = bytes.iter().take_while(|byte| **byte != 0).map(|byte| u16::from(*byte)).collect();
            return Ok(Expr::Const(Const::Text(units)));
        }
        let pointer = self.lower_converted(node, &CType::pointer_to(CType::CHAR))?;
        let all = Value { expr: build::int(IntType::I64, -1), ty: CType::LONG };
        self.model_text("__text_of", vec![pointer, all])
    }

    fn model_text(&mut self, name: &str, args: Vec<Value>) -> Lowered<Expr> {
        let key = format!("model {name}");
        let value = self.call_function(&key, name, args, true, lang_c::span::Span::none())?;
        Ok(value.expr)
    }

    fn print_format(
        &mut self,
        stream: Stream,
        format: &'a Node<ast::Expression>,
        args: &'a [Node<ast::Expression>],
        wanted: bool,
    ) -> Lowered<Value> {
        let text = self.formatted(format, args)?;
        let text = if wanted { self.save(text, &CType::Text) } else { text };
        if text != Expr::Const(Const::text("")) {
            self.emit(StmtKind::Print { stream, text: text.clone() });
        }
        Ok(Value { expr: length_of(text), ty: CType::INT })
    }

    /// `sprintf` and `snprintf`: the same text, into memory.
    fn print_to_memory(
        &mut self,
        to: &'a Node<ast::Expression>,
        size: Option<&'a Node<ast::Expression>>,
        format: &'a Node<ast::Expression>,
        args: &'a [Node<ast::Expression>],
    ) -> Lowered<Value> {
        let to = self.lower_converted(to, &CType::pointer_to(CType::CHAR))?;
        let start = self.body.out.len();
        let size = match size {
            Some(size) => self.lower_converted(size, &CType::SIZE)?,
            None => Value { expr: build::int(IntType::U64, i128::from(i64::MAX)), ty: CType::SIZE },
        };
        let to = self.keep(to, start);
        let start = self.body.out.len();
        self.body.printed.clear();
        let text = self.formatted(format, args)?;
        let (to, size) = (self.keep(to, start), self.keep(size, start));
        // The text is complete before its first character is written.
        let text = Value { expr: self.save(text, &CType::Text), ty: CType::Text };
        let (to, size) = (self.once(to), self.once(size));
        let span = format.span;
        for (string, most) in std::mem::take(&mut self.body.printed) {
            let args = vec![to.clone(), size.clone(), text.clone(), string, most];
            self.call_function("model __text_apart", "__text_apart", args, false, span)?;
        }
        self.call_function("model __write_text", "__write_text", vec![to, size, text], true, span)
    }

    fn formatted(
        &mut self,
        format: &'a Node<ast::Expression>,
        args: &'a [Node<ast::Expression>],
    ) -> Lowered<Expr> {
        let ast::Expression::StringLiteral(literal) = &format.node else {
            return self.gap("a format that is not a string literal", format.span);
        };
        let pieces = match literals::string(&literal.node).and_then(|bytes| parse_format(&bytes)) {
            Ok(pieces) => pieces,
            Err(what) => return self.gap(what, format.span),
        };
        let values = self.format_arguments(args)?;
        let mut values = values.into_iter();
        let mut text: Option<Expr> = None;
        for piece in pieces {
            let next = match piece {
                Piece::Text(units) => Expr::Const(Const::Text(units)),
                Piece::Conversion(conversion) => self.converted_text(&conversion, &mut values)?,
            };
            text = Some(match text {
                Some(before) => concat(before, next),
                None => next,
            });
        }
        Ok(text.unwrap_or_else(|| Expr::Const(Const::text(""))))
    }

    /// The arguments after the format, evaluated before anything is printed.
    fn format_arguments(&mut self, args: &'a [Node<ast::Expression>]) -> Lowered<Vec<Value>> {
        self.arguments(args, None)
    }

    fn converted_text(
        &mut self,
        conversion: &Conversion,
        values: &mut impl Iterator<Item = Value>,
    ) -> Lowered<Expr> {
        let width = self.amount(conversion.width, values)?;
        let precision = self.amount(conversion.precision, values)?;
        let Some(value) = values.next() else { return self.gap_here("a format with too few arguments") };
        let text = match conversion.kind {
            'd' | 'i' => self.text_of_int(conversion, value, true, precision.as_ref())?,
            'u' | 'x' | 'X' | 'o' => self.text_of_int(conversion, value, false, precision.as_ref())?,
            'c' if conversion.length.is_empty() => {
                let unit = self.code_unit(value)?;
                Expr::Intrinsic { function: Intrinsic::TextOfChar, args: vec![unit] }
            }
            's' if conversion.length.is_empty() => {
                let pointer = self.convert(value, &CType::pointer_to(CType::CHAR))?;
                let max = precision.clone().unwrap_or_else(|| build::int(IntType::I64, -1));
                let [pointer, max] =
                    [pointer, Value { expr: max, ty: CType::LONG }].map(|value| self.once(value));
                self.body.printed.push((pointer.clone(), max.clone()));
                self.model_text("__text_of", vec![pointer, max])?
            }
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' => self.text_of_float(conversion, value, precision)?,
            other => return self.gap_here(format!("the format `%{other}`")),
        };
        let Some(width) = width else { return Ok(text) };
        let zero = conversion.zero && !matches!(conversion.kind, 'c' | 's');
        // A precision turns zeros off for integers.
        let zero = zero
            && (conversion.precision.is_none()
                || matches!(conversion.kind, 'f' | 'F' | 'e' | 'E' | 'g' | 'G'));
        let flag = |set: bool| Value { expr: build::int(IntType::I32, i128::from(set)), ty: CType::INT };
        let text = Value { expr: text, ty: CType::Text };
        let width = Value { expr: width, ty: CType::LONG };
        self.model_text("__pad", vec![text, width, flag(conversion.left), flag(zero)])
    }

    /// A width or precision as i64.
    fn amount(
        &mut self,
        amount: Option<Amount>,
        values: &mut impl Iterator<Item = Value>,
    ) -> Lowered<Option<Expr>> {
        match amount {
            None => Ok(None),
            Some(Amount::Fixed(number)) => Ok(Some(build::int(IntType::I64, i128::from(number)))),
            Some(Amount::Argument) => match values.next() {
                Some(value) => Ok(Some(self.convert(value, &CType::LONG)?.expr)),
                None => self.gap_here("a format with too few arguments"),
            },
        }
    }

    fn text_of_int(
        &mut self,
        conversion: &Conversion,
        value: Value,
        signed: bool,
        precision: Option<&Expr>,
    ) -> Lowered<Expr> {
        let (passed, width) = match conversion.length.as_str() {
            "" => (32, 32),
            "h" => (32, 16),
            "hh" => (32, 8),
            "l" | "ll" | "z" | "j" | "t" => (64, 64),
            other => return self.gap_here(format!("the length `{other}` in a format")),
        };
        match &value.ty {
            CType::Int(ty) if ty.width == passed => {}
            _ => return self.gap_here("a format that does not fit its argument"),
        }
        let ty = IntType { width, signed };
        let value = self.convert(value, &CType::Int(ty))?;
        let function = match conversion.kind {
            'x' | 'X' => Intrinsic::TextHex(ty),
            'o' => Intrinsic::TextOctal(ty),
            _ => Intrinsic::TextOfInt(ty),
        };
        if conversion.alternate && conversion.kind != 'u' && !signed {
            return self.gap_here("the flag `#` in a format");
        }
        let mut text = Expr::Intrinsic { function, args: vec![value.expr] };
        if let Some(precision) = precision {
            let digits = Value { expr: precision.clone(), ty: CType::LONG };
            text = self.model_text("__digits", vec![Value { expr: text, ty: CType::Text }, digits])?;
        }
        self.with_case_and_sign(conversion, text, signed)
    }

    fn text_of_float(
        &mut self,
        conversion: &Conversion,
        value: Value,
        precision: Option<Expr>,
    ) -> Lowered<Expr> {
        if !conversion.length.is_empty() && conversion.length != "l" || conversion.alternate {
            return self.gap_here("a format of `long double` or with the flag `#`");
        }
        if value.ty != CType::DOUBLE {
            return self.gap_here("a format that does not fit its argument");
        }
        let six = build::int(IntType::I32, 6);
        let digits = match precision {
            None => six,
            Some(precision) => {
                let long = Scalar::Int(IntType::I64);
                let short = build::convert(long, Scalar::Int(IntType::I32), precision.clone(), false);
                // A negative precision counts as none.
                build::if_else(build::lt(IntType::I64, precision, build::i64(0)), six, short)
            }
        };
        let float = FloatType::F64;
        let function = match conversion.kind {
            'f' | 'F' => Intrinsic::TextFixed(float),
            'e' | 'E' => Intrinsic::TextExponent(float),
            _ => Intrinsic::TextGeneral(float),
        };
        self.assume(super::bytes::ONE_NAN.to_owned());
        let text = Expr::Intrinsic { function, args: vec![value.expr, digits] };
        self.with_case_and_sign(conversion, text, true)
    }

    fn with_case_and_sign(&mut self, conversion: &Conversion, text: Expr, signed: bool) -> Lowered<Expr> {
        let mut text = text;
        if matches!(conversion.kind, 'X' | 'F' | 'E' | 'G') {
            text = self.model_text("__upper", vec![Value { expr: text, ty: CType::Text }])?;
        }
        if signed && (conversion.plus || conversion.space) {
            let sign = if conversion.plus { b'+' } else { b' ' };
            let sign = Value { expr: build::int(IntType::I32, i128::from(sign)), ty: CType::INT };
            text = self.model_text("__with_sign", vec![Value { expr: text, ty: CType::Text }, sign])?;
        }
        Ok(text)
    }
}

/// The stream of this name, if it is one of the two that are always open for writing.
fn standard_stream(node: &Node<ast::Expression>) -> Option<Stream> {
    let ast::Expression::Identifier(name) = &node.node else { return None };
    match name.node.name.as_str() {
        "stdout" => Some(Stream::Output),
        "stderr" => Some(Stream::Error),
        _ => None,
    }
}

fn concat(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Const(Const::Text(mut a)), Expr::Const(Const::Text(b))) => {
            a.extend(b);
            Expr::Const(Const::Text(a))
        }
        (a, b) => Expr::Intrinsic { function: Intrinsic::TextConcat, args: vec![a, b] },
    }
}

fn length_of(text: Expr) -> Expr {
    match &text {
        Expr::Const(Const::Text(units)) => build::int(IntType::I32, units.len() as i128),
        _ => Expr::Intrinsic { function: Intrinsic::TextLength, args: vec![text] },
    }
}

fn parse_format(bytes: &[u8]) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut rest = bytes.iter().copied().take_while(|byte| *byte != 0).peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            text.push(u16::from(byte));
            continue;
        }
        let conversion = parse_conversion(&mut rest)?;
        if conversion.kind == '%' {
            text.push(u16::from(b'%'));
            continue;
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(Piece::Conversion(conversion));
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

fn parse_conversion(rest: &mut std::iter::Peekable<impl Iterator<Item = u8>>) -> Result<Conversion, String> {
    let mut conversion = Conversion::default();
    while let Some(flag) = rest.next_if(|byte| b"-+ #0".contains(byte)) {
        match flag {
            b'-' => conversion.left = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.space = true,
            b'#' => conversion.alternate = true,
            _ => conversion.zero = true,
        }
    }
    conversion.width = parse_amount(rest);
    if rest.next_if_eq(&b'.').is_some() {
        conversion.precision = Some(parse_amount(rest).unwrap_or(Amount::Fixed(0)));
    }
    while let Some(length) = rest.next_if(|byte| b"hlzjtL".contains(byte)) {
        conversion.length.push(char::from(length));
    }
    conversion.kind = rest.next().map(char::from).ok_or("a format that ends within a conversion")?;
    Ok(conversion)
}

fn parse_amount(rest: &mut std::iter::Peekable<impl Iterator<Item = u8>>) -> Option<Amount> {
    if rest.next_if_eq(&b'*').is_some() {
        return Some(Amount::Argument);
    }
    let mut number = None;
    while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
        let value: i64 = number.unwrap_or(0);
        number = Some((value * 10 + i64::from(digit - b'0')).min(1 << 20));
    }
    number.map(Amount::Fixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_taken_apart() {
        let pieces = parse_format(b"a%%b%-08.3lld").unwrap();
        assert_eq!(pieces[0], Piece::Text("a%b".encode_utf16().collect()));
        let Piece::Conversion(conversion) = &pieces[1] else { panic!("a conversion should follow") };
        assert!(conversion.left && conversion.zero);
        assert_eq!(
            (conversion.width, conversion.precision),
            (Some(Amount::Fixed(8)), Some(Amount::Fixed(3)))
        );
        assert_eq!((conversion.length.as_str(), conversion.kind), ("ll", 'd'));
        assert!(parse_format(b"%").is_err());
    }
}
