//! Calls of what `System.out` and `System.err` offer.

use ir::Stream;

use super::body::{Body, Value};
use crate::syntax::{Expr, ExprKind};

impl<'a> Body<'_, 'a> {
    /// `System.out` and `System.err`, unless the program means something else by the names.
    pub(super) fn print_stream(&mut self, target: &Expr) -> Option<Stream> {
        let name = match &target.kind {
            ExprKind::Field { object, name } if self.is_system(object) => name,
            ExprKind::Name(name) if self.is_imported_from_system(name) => name,
            _ => return None,
        };
        match name.as_str() {
            "out" => Some(Stream::Output),
            "err" => Some(Stream::Error),
            _ => None,
        }
    }

    /// Whether an expression is the name of the library's class `System`.
    fn is_system(&self, object: &Expr) -> bool {
        let Some(path) = super::stable::path(object) else { return false };
        let is_variable = |name: &String| {
            self.lookup(name).is_some() || self.cx.table.field_in_scope(self.class, name).is_some()
        };
        let class = self.cx.table.resolve_path(&path, Some(self.class));
        class.is_some()
            && class == self.cx.table.library_class("System")
            && !path.first().is_some_and(is_variable)
    }

    /// `import static java.lang.System.out;`
    fn is_imported_from_system(&self, name: &str) -> bool {
        if self.lookup(name).is_some() || self.cx.table.field_in_scope(self.class, name).is_some() {
            return false;
        }
        let owners = self.cx.table.imported(self.class, name, |owner| vec![owner]);
        let is_stream = matches!(name, "out" | "err");
        is_stream
            && !owners.is_open
            && self.cx.table.library_class("System").is_some_and(|it| owners.found == [it])
    }

    pub(super) fn call_stream(&mut self, stream: Stream, name: &str, args: &'a [Expr]) -> Value {
        let is_print = matches!(name, "print" | "println") && args.len() <= 1;
        if !is_print && name != "flush" {
            let field = if stream == Stream::Output { "out" } else { "err" };
            return self.unsupported(format!("`System.{field}.{name}`"));
        }
        let value = args.first().map(|arg| self.argument(arg));
        if name == "flush" {
            return Value::void();
        }
        self.print(stream, value, name == "println");
        Value::void()
    }
}
