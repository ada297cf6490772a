//! Reads expressions and constants.

use super::ReadError;
use super::lex::TokenKind;
use super::print_expr::component;
use super::read::Reader;
use super::words::{default_float, default_int};
use crate::{BinaryOp, Const, Expr, FloatType, IntType, Intrinsic, RegionId, Scalar, Type, UnaryOp};

impl Reader<'_> {
    pub(super) fn expr(&mut self, expected: Option<&Type>) -> Result<Expr, ReadError> {
        self.nested(|reader| match reader.peek() {
            TokenKind::Quoted(_) => reader.variable(),
            TokenKind::Word(word) => match (word.as_str(), reader.peek_second()) {
                ("true" | "false" | "null" | "null_text" | "nan" | "inf" | "map", _) => {
                    reader.constant(expected).map(Expr::Const)
                }
                ("global", _) => {
                    reader.skip();
                    reader.global_name().map(Expr::Global)
                }
                ("load", _) => {
                    reader.skip();
                    let (region, object, index) = reader.cell()?;
                    Ok(Expr::Load { region, object: Box::new(object), index: index.map(Box::new) })
                }
                (operator, TokenKind::Punct('(')) => {
                    reader.skip();
                    reader.operator(operator, expected)
                }
                _ => reader.variable(),
            },
            _ => reader.constant(expected).map(Expr::Const),
        })
    }

    fn variable(&mut self) -> Result<Expr, ReadError> {
        let (TokenKind::Quoted(name) | TokenKind::Word(name)) = self.peek() else {
            return Err(self.error("a name should stand here"));
        };
        match self.local_names.get(name) {
            // Through `name`, because a word that is reserved is no name.
            Some(local) => {
                let local = *local;
                self.name().map(|_| Expr::Local(local))
            }
            None => self.global_name().map(Expr::Global),
        }
    }

    /// `Point.x(object)` or `int[](object, index)`.
    pub(super) fn cell(&mut self) -> Result<(RegionId, Expr, Option<Expr>), ReadError> {
        let region = self.region_name()?;
        self.expect('(')?;
        let object = self.expr(None)?;
        let mut index = None;
        if self.take_punct(',') {
            let ty = self.draft.regions.get(region.index()).and_then(|region| region.index).map(Type::Int);
            index = Some(self.expr(ty.as_ref())?);
        }
        self.expect(')')?;
        Ok((region, object, index))
    }

    /// An operator with its operands. The name has its types after dots.
    fn operator(&mut self, name: &str, expected: Option<&Type>) -> Result<Expr, ReadError> {
        let parts: Vec<&str> = name.split('.').collect();
        let scalars: Vec<Option<Scalar>> = parts[1..].iter().map(|part| Scalar::named(part)).collect();
        let unary = UnaryOp::ALL.into_iter().find(|op| op.name() == parts[0]);
        let binary = |name: &str| BinaryOp::ALL.into_iter().find(|op| op.name() == name);
        match (&parts[..], &scalars[..]) {
            (["if"], _) => {
                let [condition, then, otherwise] = self.operands([None, expected, expected])?;
                Ok(Expr::If { condition, then, otherwise })
            }
            (["same_ref"], _) => self.operands([None; 2]).map(|[lhs, rhs]| Expr::SameRef { lhs, rhs }),
            (["same_text"], _) => self.operands([None; 2]).map(|[lhs, rhs]| Expr::SameText { lhs, rhs }),
            (["same_map"], _) => self.operands([None; 2]).map(|[lhs, rhs]| Expr::SameMap { lhs, rhs }),
            (["select"], _) => self.operands([None; 2]).map(|[map, key]| Expr::Select { map, key }),
            (["update"], _) => {
                let (key_type, value_type) = match expected {
                    Some(Type::Map(key, value)) => (Some(&**key), Some(&**value)),
                    _ => (None, None),
                };
                let [map, key, value] = self.operands([expected, key_type, value_type])?;
                Ok(Expr::Update { map, key, value })
            }
            (["has_shape"], _) => self.has_shape(),
            (["record"], _) => self.arguments(|position| component(expected, position)).map(Expr::Record),
            (["get", index], _) => match index.parse() {
                Ok(index) => self.operands([None]).map(|[record]| Expr::Get { record, index }),
                Err(_) => Err(self.error_before(format!("{index} is no component"))),
            },
            (["length", _], [Some(Scalar::Int(ty))]) => {
                self.operands([None]).map(|[object]| Expr::Length { object, ty: *ty })
            }
            (["convert", ..], [Some(from), Some(to)]) => {
                let [arg] = self.operands([Some(&Type::from(*from))])?;
                Ok(Expr::Convert { from: *from, to: *to, arg })
            }
            (["overflows", op, _], [_, Some(Scalar::Int(ty))]) if binary(op).is_some() => {
                let [lhs, rhs] = self.operands([Some(&Type::Int(*ty)); 2])?;
                Ok(Expr::Overflows { op: binary(op).expect("checked before"), ty: *ty, lhs, rhs })
            }
            (["fits", ..], [Some(Scalar::Float(from)), Some(Scalar::Int(to))]) => {
                let [arg] = self.operands([Some(&Type::Float(*from))])?;
                Ok(Expr::Fits { arg, from: *from, to: *to })
            }
            _ => self.typed_operator(name, &parts, &scalars, unary, binary(parts[0])),
        }
    }

    /// Operators and intrinsics that have one type, or none (which means booleans for operators).
    fn typed_operator(
        &mut self,
        name: &str,
        parts: &[&str],
        scalars: &[Option<Scalar>],
        unary: Option<UnaryOp>,
        binary: Option<BinaryOp>,
    ) -> Result<Expr, ReadError> {
        let parameter = match scalars {
            [] => None,
            // Booleans are written without their type.
            [Some(scalar)] if *scalar != Scalar::Bool => Some(*scalar),
            _ => return Err(self.error_before(format!("there is no operator `{name}`"))),
        };
        let ty = parameter.unwrap_or(Scalar::Bool);
        let operand = Type::from(ty);
        if let Some(op) = unary {
            let [arg] = self.operands([Some(&operand)])?;
            Ok(Expr::Unary { op, ty, arg })
        } else if let Some(op) = binary {
            let [lhs, rhs] = self.operands([Some(&operand); 2])?;
            Ok(Expr::Binary { op, ty, lhs, rhs })
        } else if let Some(function) = Intrinsic::named(parts[0], parameter) {
            let params = function.signature().params;
            let args = self.arguments(|position| params.get(position))?;
            Ok(Expr::Intrinsic { function, args })
        } else {
            Err(self.error_before(format!("there is no operator `{name}`")))
        }
    }

    /// As many operands as there are expected types.
    fn operands<const N: usize>(
        &mut self,
        expected: [Option<&Type>; N],
    ) -> Result<[Box<Expr>; N], ReadError> {
        let operands = self.arguments(|position| expected.get(position).copied().flatten())?;
        let count = operands.len();
        let boxes: Vec<Box<Expr>> = operands.into_iter().map(Box::new).collect();
        boxes.try_into().map_err(|_| self.error_before(format!("{N} operands should be here, not {count}")))
    }

    /// `(expression, ...)`
    pub(super) fn arguments<'e>(
        &mut self,
        expected: impl Fn(usize) -> Option<&'e Type>,
    ) -> Result<Vec<Expr>, ReadError> {
        self.expect('(')?;
        let mut args = Vec::new();
        while !self.take_punct(')') {
            if !args.is_empty() {
                self.expect(',')?;
            }
            args.push(self.expr(expected(args.len()))?);
        }
        Ok(args)
    }

    fn has_shape(&mut self) -> Result<Expr, ReadError> {
        self.expect('(')?;
        let object = Box::new(self.expr(None)?);
        let mut shapes = Vec::new();
        while self.take_punct(',') {
            shapes.push(self.shape_name()?);
        }
        self.expect(')')?;
        Ok(Expr::HasShape { object, shapes })
    }

    pub(super) fn constant(&mut self, expected: Option<&Type>) -> Result<Const, ReadError> {
        self.nested(|reader| match reader.peek() {
            TokenKind::Text(units) => {
                reader.skip();
                Ok(Const::Text(units.clone()))
            }
            TokenKind::Number(number) => {
                reader.skip();
                reader.number(number, expected)
            }
            TokenKind::Punct('-') => {
                reader.skip();
                match reader.take_word("inf") {
                    true => reader.float(f64::NEG_INFINITY, f32::NEG_INFINITY, expected),
                    false => Err(reader.error("a number should stand here")),
                }
            }
            TokenKind::Punct('&') => {
                reader.skip();
                reader.static_name().map(Const::Static)
            }
            TokenKind::Punct('(') => {
                reader.skip();
                let mut fields = Vec::new();
                while !reader.take_punct(')') {
                    if !fields.is_empty() {
                        reader.expect(',')?;
                    }
                    fields.push(reader.constant(component(expected, fields.len()))?);
                }
                Ok(Const::Record(fields))
            }
            TokenKind::Word(word) => reader.constant_word(word, expected),
            _ => Err(reader.error("a value should stand here")),
        })
    }

    fn constant_word(&mut self, word: &str, expected: Option<&Type>) -> Result<Const, ReadError> {
        if !["true", "false", "null", "null_text", "nan", "inf", "map"].contains(&word) {
            return Err(self.error("a constant should stand here"));
        }
        self.skip();
        match word {
            "true" => Ok(Const::Bool(true)),
            "false" => Ok(Const::Bool(false)),
            "null" => Ok(Const::Null),
            "null_text" => Ok(Const::NullText),
            "nan" => self.float(f64::NAN, f32::NAN, expected),
            "inf" => self.float(f64::INFINITY, f32::INFINITY, expected),
            _ => {
                let value_type = match expected {
                    Some(Type::Map(_, value)) => Some(&**value),
                    _ => None,
                };
                self.expect('(')?;
                let key = self.ty()?;
                self.expect_arrow()?;
                let value = self.constant(value_type)?;
                self.expect(')')?;
                Ok(Const::Map(key, Box::new(value)))
            }
        }
    }

    /// The rest of a numeric literal: its type, where it is not the expected one.
    fn number(&mut self, number: &str, expected: Option<&Type>) -> Result<Const, ReadError> {
        let misfit = |ty: &str| format!("{number} is not a number of type {ty}");
        if !number.contains(['.', 'e']) {
            let ty = self.int_suffix(default_int(expected))?;
            let value = number.parse().ok().filter(|value| ty.contains(*value));
            return value
                .map(|value| Const::Int(ty, value))
                .ok_or_else(|| self.error_before(misfit(ty.name())));
        }
        let (Ok(double), Ok(single)) = (number.parse::<f64>(), number.parse::<f32>()) else {
            return Err(self.error_before(misfit("f64")));
        };
        let value = self.float(double, single, expected)?;
        let (is_finite, ty) = match &value {
            Const::F32(_) => (single.is_finite(), "f32"),
            _ => (double.is_finite(), "f64"),
        };
        if is_finite { Ok(value) } else { Err(self.error_before(misfit(ty))) }
    }

    fn int_suffix(&mut self, default: IntType) -> Result<IntType, ReadError> {
        match self.suffix()? {
            None => Ok(default),
            Some(Scalar::Int(ty)) => Ok(ty),
            Some(_) => Err(self.error_before("the type of this number should be an integer type")),
        }
    }

    fn float(&mut self, double: f64, single: f32, expected: Option<&Type>) -> Result<Const, ReadError> {
        let ty = match self.suffix()? {
            None => default_float(expected),
            Some(Scalar::Float(ty)) => ty,
            Some(_) => return Err(self.error_before("the type of this number should be a float type")),
        };
        Ok(match ty {
            FloatType::F32 => Const::f32(single),
            FloatType::F64 => Const::f64(double),
        })
    }

    fn suffix(&mut self) -> Result<Option<Scalar>, ReadError> {
        if !self.take_punct(':') {
            return Ok(None);
        }
        match self.peek() {
            TokenKind::Word(word) if Scalar::named(word).is_some() => {
                self.skip();
                Ok(Scalar::named(word))
            }
            _ => Err(self.error("a scalar type should stand here")),
        }
    }
}
