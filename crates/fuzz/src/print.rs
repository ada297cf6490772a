//! Writes a tree as Java or as C, one statement to a line.

use arbitrary_source::source_text::SourceText;

use super::tree::{Binary, Block, Expr, FIELDS, Function, Kind, Stmt, Tree, Ty, Unary};

/// The text of the program; the function that is compared is its last one.
pub(crate) fn print(tree: &Tree) -> String {
    let mut printer = Printer { java: tree.is_java, text: SourceText::default() };
    if tree.is_java {
        printer.text.open("class Case");
        printer.text.open("static class Node");
    } else {
        printer.text.open("struct Node");
    }
    for (name, ty) in FIELDS {
        printer.line(&format!("{} {name};", printer.ty(ty)));
    }
    printer.text.close(if tree.is_java { "" } else { ";" });
    for (name, ty) in &tree.globals {
        match (tree.is_java, ty) {
            (true, _) => printer.line(&format!("static {} {name};", printer.ty(*ty))),
            (false, Ty::Ints) => printer.line(&format!("int {name}[4];")),
            (false, _) => printer.line(&format!("{} {name};", printer.ty(*ty))),
        }
    }
    if !tree.is_java && tree.functions.len() > 1 {
        for function in &tree.functions {
            printer.line(&format!("{};", printer.signature(function)));
        }
    }
    for function in &tree.functions {
        printer.function(function);
    }
    if tree.is_java {
        printer.text.close("");
    }
    printer.text.finish()
}

struct Printer {
    java: bool,
    text: SourceText,
}

impl Printer {
    fn line(&mut self, line: &str) {
        self.text.line(line);
    }

    fn ty(&self, ty: Ty) -> &'static str {
        match (ty, self.java) {
            (Ty::Bool, true) => "boolean",
            (Ty::Bool, false) => "_Bool",
            (Ty::Int, _) => "int",
            (Ty::Long, _) => "long",
            (Ty::Double, _) => "double",
            (Ty::Ints, true) => "int[]",
            (Ty::Ints, false) => "int *",
            (Ty::Node, true) => "Node",
            (Ty::Node, false) => "struct Node *",
        }
    }

    fn function(&mut self, function: &Function) {
        self.text.open(&self.signature(function));
        self.block(&function.body);
        self.text.close("");
    }

    fn signature(&self, function: &Function) -> String {
        let params: Vec<String> =
            function.params.iter().map(|(name, ty)| format!("{} {name}", self.ty(*ty))).collect();
        let result = function.result.map_or("void", |ty| self.ty(ty));
        let params = if params.is_empty() && !self.java { "void".to_owned() } else { params.join(", ") };
        let storage = if self.java { "static " } else { "" };
        format!("{storage}{result} {}({params})", function.name)
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(name, Expr { kind: Kind::NewInts(length), .. }) if !self.java => {
                self.line(&format!("int {name}[{length}] = {{0}};"));
            }
            Stmt::Let(name, value) => {
                let line = format!("{} {name} = {};", self.ty(value.ty), self.top(value));
                self.line(&line);
            }
            Stmt::Assign(place, value) => {
                self.line(&format!("{} = {};", self.expr(place), self.top(value)));
            }
            Stmt::If(condition, then, otherwise) => {
                self.text.open(&format!("if ({})", self.top(condition)));
                self.block(then);
                if !otherwise.is_empty() {
                    self.text.close_and_open("else");
                    self.block(otherwise);
                }
                self.text.close("");
            }
            Stmt::While(condition, body) => {
                self.text.open(&format!("while ({})", self.top(condition)));
                self.block(body);
                self.text.close("");
            }
            Stmt::DoWhile(body, condition) => {
                self.text.open("do");
                self.block(body);
                self.text.close(&format!(" while ({});", self.top(condition)));
            }
            Stmt::For(parts) => {
                let counter = &parts.counter;
                let head = format!(
                    "for ({} {counter} = {}; {}; {counter} = {})",
                    self.ty(parts.start.ty),
                    self.top(&parts.start),
                    self.top(&parts.condition),
                    self.top(&parts.step)
                );
                self.text.open(&head);
                self.block(&parts.body);
                self.text.close("");
            }
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
            Stmt::Return(None) => self.line("return;"),
            Stmt::Return(Some(value)) => self.line(&format!("return {};", self.top(value))),
            Stmt::Throw(exception) => self.line(&format!("throw new {exception}();")),
            Stmt::Try(parts) => {
                self.text.open("try");
                self.block(&parts.body);
                for (index, (exception, block)) in parts.catches.iter().enumerate() {
                    self.text.close_and_open(&format!("catch ({exception} e{index})"));
                    self.block(block);
                }
                if !parts.finally.is_empty() || parts.catches.is_empty() {
                    self.text.close_and_open("finally");
                    self.block(&parts.finally);
                }
                self.text.close("");
            }
            Stmt::Print(word, value) => self.print(word, value.as_ref()),
            Stmt::Eval(call) => self.line(&format!("{};", self.top(call))),
        }
    }

    fn print(&mut self, word: &str, value: Option<&Expr>) {
        let line = match (self.java, value) {
            (true, None) => format!("System.out.println(\"{word}\");"),
            (true, Some(value)) => format!("System.out.println(\"{word} \" + {});", self.expr(value)),
            (false, None) => format!("printf(\"{word}\\n\");"),
            (false, Some(value)) => {
                let how = match value.ty {
                    Ty::Long => "%ld",
                    Ty::Double => "%f",
                    Ty::Bool | Ty::Int | Ty::Ints | Ty::Node => "%d",
                };
                format!("printf(\"{word} {how}\\n\", {});", self.top(value))
            }
        };
        self.line(&line);
    }

    /// Without parentheses around it.
    fn top(&self, expr: &Expr) -> String {
        let text = self.expr(expr);
        match &expr.kind {
            Kind::Binary(..) | Kind::Cond(..) | Kind::Cast(_) | Kind::Unary(..) => {
                text[1..text.len() - 1].to_owned()
            }
            _ => text,
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            Kind::Const(value) => self.constant(expr.ty, *value),
            Kind::Var(name) => name.clone(),
            Kind::Unary(op, a) => {
                let sign = match op {
                    Unary::Neg => "-",
                    Unary::Not => "!",
                    Unary::BitNot => "~",
                };
                format!("({sign}{})", self.expr(a))
            }
            Kind::Binary(op, a, b) => format!("({} {} {})", self.expr(a), operator(*op), self.expr(b)),
            Kind::Cast(a) => format!("(({}) {})", self.ty(expr.ty), self.expr(a)),
            Kind::Cond(a, b, c) => format!("({} ? {} : {})", self.expr(a), self.expr(b), self.expr(c)),
            Kind::Index(array, index) => format!("{}[{}]", self.expr(array), self.top(index)),
            Kind::Length(array) => format!("{}.length", self.expr(array)),
            Kind::Field(object, name) => {
                format!("{}{}{name}", self.expr(object), if self.java { "." } else { "->" })
            }
            Kind::Call(name, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.top(arg)).collect();
                format!("{name}({})", args.join(", "))
            }
            Kind::NewInts(length) => format!("new int[{length}]"),
            Kind::NewNode => "new Node()".to_owned(),
        }
    }

    fn constant(&self, ty: Ty, value: i64) -> String {
        let text = match ty {
            Ty::Bool if self.java => (value != 0).to_string(),
            Ty::Bool => i64::from(value != 0).to_string(),
            Ty::Int => value.to_string(),
            Ty::Long => format!("{value}L"),
            Ty::Double => format!("{:?}", value as f64 / 4.0),
            Ty::Ints | Ty::Node if self.java => "null".to_owned(),
            Ty::Ints | Ty::Node => "((void *) 0)".to_owned(),
        };
        if text.starts_with('-') { format!("({text})") } else { text }
    }
}

fn operator(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::Div => "/",
        Binary::Rem => "%",
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::Shl => "<<",
        Binary::Shr => ">>",
        Binary::Lt => "<",
        Binary::Le => "<=",
        Binary::Gt => ">",
        Binary::Ge => ">=",
        Binary::Eq => "==",
        Binary::Ne => "!=",
        Binary::Both => "&&",
        Binary::Either => "||",
    }
}
