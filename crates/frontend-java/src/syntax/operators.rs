//! Operators by Java's own precedences (JLS 15.15-15.24).
//!
//! The grammar gets some of them wrong: it reads `(int) x++` as `((int) x)++` and `(a) - b * c` as a cast of `-b`.
//! So the operators of an expression are laid out in a row again and read anew; what stands between them is kept.

use tree_sitter::Node;

use super::parse::Reader;
use super::{BinaryOp, Expr, ExprKind, TypeRef, UnaryOp};

/// How many operators may follow each other. More than this would nest too deep for the stages after.
const MAX_ROW: usize = 700;

/// One piece of an expression that is laid out in a row.
enum Piece<'t> {
    Operand(Node<'t>),
    /// An operator sign, unary or binary.
    Sign(&'t str),
    /// `(type)` before an operand.
    Cast(Node<'t>),
    /// `instanceof type name`.
    InstanceOf(Node<'t>),
}

/// What is still to be laid out: a part, or the right side of an `instanceof` whose left side came before.
enum Open<'t> {
    Node(Node<'t>),
    InstanceOf(Node<'t>),
}

/// Whether a node is an operator expression, whose shape is not to be trusted.
pub(super) fn is_operator(kind: &str) -> bool {
    matches!(
        kind,
        "binary_expression"
            | "unary_expression"
            | "cast_expression"
            | "update_expression"
            | "instanceof_expression"
    )
}

impl<'a> Reader<'a> {
    pub(super) fn operators(&mut self, node: Node<'_>) -> ExprKind {
        let pieces = self.lay_out(node);
        if pieces.len() > MAX_ROW {
            return ExprKind::Unsupported(format!("more than {MAX_ROW} operators in a row"));
        }
        let mut row = Row { reader: self, pieces: pieces.into_iter().peekable(), whole: node };
        let expr = row.binary(0);
        match row.pieces.next() {
            None => expr.kind,
            Some(_) => ExprKind::Unsupported("an expression that cannot be read".to_owned()),
        }
    }

    /// The pieces of an operator expression from left to right. Does not recurse: rows may be long.
    fn lay_out<'t>(&self, node: Node<'t>) -> Vec<Piece<'t>> {
        let mut pieces = Vec::new();
        let mut open = vec![Open::Node(node)];
        while let Some(next) = open.pop() {
            let node = match next {
                Open::Node(node) => node,
                Open::InstanceOf(node) => {
                    pieces.push(Piece::InstanceOf(node));
                    continue;
                }
            };
            match node.kind() {
                "cast_expression" => {
                    let types = self.fields(node, "type");
                    match (types.as_slice(), self.field(node, "value")) {
                        ([ty], Some(value)) => {
                            pieces.push(Piece::Cast(*ty));
                            open.push(Open::Node(value));
                        }
                        _ => pieces.push(Piece::Operand(node)),
                    }
                }
                "instanceof_expression" => match self.field(node, "left") {
                    Some(left) => {
                        open.push(Open::InstanceOf(node));
                        open.push(Open::Node(left));
                    }
                    None => pieces.push(Piece::Operand(node)),
                },
                "binary_expression" | "unary_expression" | "update_expression" => {
                    let mut cursor = node.walk();
                    let children: Vec<Node<'t>> = node.children(&mut cursor).collect();
                    open.extend(children.into_iter().rev().map(Open::Node));
                }
                "line_comment" | "block_comment" => {}
                kind if !node.is_named() => pieces.push(Piece::Sign(kind)),
                _ => pieces.push(Piece::Operand(node)),
            }
        }
        pieces
    }
}

struct Row<'r, 'a, 't> {
    reader: &'r mut Reader<'a>,
    pieces: std::iter::Peekable<std::vec::IntoIter<Piece<'t>>>,
    whole: Node<'t>,
}

impl<'t> Row<'_, '_, 't> {
    /// Binary operators that bind at least as tightly as a level, from left to right.
    fn binary(&mut self, level: u8) -> Expr {
        let mut lhs = self.unary();
        loop {
            match self.pieces.peek() {
                Some(Piece::Sign(sign)) => {
                    let Some((op, precedence)) = binary_op(sign).filter(|(_, found)| *found >= level) else {
                        return lhs;
                    };
                    self.pieces.next();
                    let rhs = self.binary(precedence + 1);
                    let span = join(&lhs, &rhs);
                    let kind = ExprKind::Binary { op, lhs: Box::new(lhs), rhs: Box::new(rhs) };
                    lhs = Expr { kind, span };
                }
                Some(Piece::InstanceOf(node)) if RELATIONAL >= level => {
                    let node = *node;
                    self.pieces.next();
                    lhs = self.instance_of(lhs, node);
                }
                _ => return lhs,
            }
        }
    }

    fn unary(&mut self) -> Expr {
        match self.pieces.next() {
            Some(Piece::Sign(sign)) => {
                let op = match sign {
                    "+" => UnaryOp::Plus,
                    "-" => UnaryOp::Neg,
                    "!" => UnaryOp::Not,
                    "~" => UnaryOp::BitNot,
                    "++" | "--" => {
                        let arg = self.unary();
                        let span = arg.span;
                        let kind =
                            ExprKind::Update { increment: sign == "++", prefix: true, arg: Box::new(arg) };
                        return Expr { kind, span };
                    }
                    _ => return self.unreadable(),
                };
                let arg = self.unary();
                let span = arg.span;
                Expr { kind: ExprKind::Unary { op, arg: Box::new(arg) }, span }
            }
            Some(Piece::Cast(node)) => self.cast(node),
            Some(Piece::Operand(node)) if is_operator(node.kind()) => self.unreadable(),
            Some(Piece::Operand(node)) => {
                let operand = self.reader.expr(node);
                self.postfix(operand)
            }
            Some(Piece::InstanceOf(_)) | None => self.unreadable(),
        }
    }

    /// A cast; or, before a plus or minus, a variable in parentheses: only primitive types can be cast to there.
    fn cast(&mut self, node: Node<'t>) -> Expr {
        let ty = self.reader.type_ref(node);
        let start = self.reader.span(node);
        let before_sign = matches!(self.pieces.peek(), Some(Piece::Sign("+" | "-" | "++" | "--")));
        if let (true, TypeRef::Named(path, false)) = (before_sign, &ty) {
            let operand = path.iter().fold(None, |object: Option<Expr>, name| {
                let kind = match object {
                    None => ExprKind::Name(name.clone()),
                    Some(object) => ExprKind::Field { object: Box::new(object), name: name.clone() },
                };
                Some(Expr { kind, span: start })
            });
            return match operand {
                Some(operand) => self.postfix(operand),
                None => self.unreadable(),
            };
        }
        let arg = self.unary();
        let span = ir::Span { end_line: arg.span.end_line, end_column: arg.span.end_column, ..start };
        Expr { kind: ExprKind::Cast { ty, arg: Box::new(arg) }, span }
    }

    fn postfix(&mut self, mut operand: Expr) -> Expr {
        while let Some(Piece::Sign(sign @ ("++" | "--"))) = self.pieces.peek() {
            let increment = *sign == "++";
            self.pieces.next();
            let span = operand.span;
            let kind = ExprKind::Update { increment, prefix: false, arg: Box::new(operand) };
            operand = Expr { kind, span };
        }
        operand
    }

    fn instance_of(&mut self, lhs: Expr, node: Node<'t>) -> Expr {
        let span = lhs.span;
        let kind = match self.reader.field(node, "right") {
            Some(ty) => ExprKind::InstanceOf {
                arg: Box::new(lhs),
                ty: self.reader.type_ref(ty),
                name: self.reader.field(node, "name").map(|name| self.reader.text(name).to_owned()),
            },
            None => {
                self.reader.lose(self.whole);
                ExprKind::Unsupported("a record pattern".to_owned())
            }
        };
        Expr { kind, span }
    }

    fn unreadable(&mut self) -> Expr {
        self.reader.lose(self.whole);
        let kind = ExprKind::Unsupported("an expression that cannot be read".to_owned());
        Expr { kind, span: self.reader.span(self.whole) }
    }
}

/// The place from the start of one expression to the end of another.
fn join(first: &Expr, last: &Expr) -> ir::Span {
    ir::Span { end_line: last.span.end_line, end_column: last.span.end_column, ..first.span }
}

const RELATIONAL: u8 = 7;

/// A binary operator with how tightly it binds.
fn binary_op(sign: &str) -> Option<(BinaryOp, u8)> {
    Some(match sign {
        "||" => (BinaryOp::OrElse, 1),
        "&&" => (BinaryOp::AndAlso, 2),
        "|" => (BinaryOp::Or, 3),
        "^" => (BinaryOp::Xor, 4),
        "&" => (BinaryOp::And, 5),
        "==" => (BinaryOp::Eq, 6),
        "!=" => (BinaryOp::Ne, 6),
        "<" => (BinaryOp::Lt, RELATIONAL),
        "<=" => (BinaryOp::Le, RELATIONAL),
        ">" => (BinaryOp::Gt, RELATIONAL),
        ">=" => (BinaryOp::Ge, RELATIONAL),
        "<<" => (BinaryOp::Shl, 8),
        ">>" => (BinaryOp::Shr, 8),
        ">>>" => (BinaryOp::UnsignedShr, 8),
        "+" => (BinaryOp::Add, 9),
        "-" => (BinaryOp::Sub, 9),
        "*" => (BinaryOp::Mul, 10),
        "/" => (BinaryOp::Div, 10),
        "%" => (BinaryOp::Rem, 10),
        _ => return None,
    })
}

/// The operator in a compound assignment, without its `=`.
pub(super) fn compound_op(sign: &str) -> Option<BinaryOp> {
    binary_op(sign).map(|(op, _)| op).filter(|op| !matches!(op, BinaryOp::Eq | BinaryOp::Ne))
}
