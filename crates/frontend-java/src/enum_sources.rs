//! What the constants of an enum are made of, as it is written: where it is the same in both versions it does the same.
//!
//! Bodies of constants, arguments that become fields which other code can see, and constructors that may do more than set
//! fields. Exact where texts are the same; where they differ nothing is known.

use crate::classes::Classes;
use crate::syntax::{ClassKind, Expr, ExprKind, Member};
use crate::types::{ClassId, FieldId};

/// The texts are empty where nothing but the names of the constants counts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct EnumSources {
    /// The constants that have bodies or arguments.
    pub(crate) constants: String,
    /// Constructors that may do more than set fields, and what is initialised after them.
    pub(crate) constructors: String,
}

pub(crate) fn made_of(table: &Classes<'_>, id: ClassId) -> EnumSources {
    let class = table.class(id);
    if class.decl.kind != ClassKind::Enum {
        return EnumSources::default();
    }
    let is_seen = |id: &FieldId| {
        let field = table.field(*id);
        !field.is_static && !field.is_private && field.decl.is_some()
    };
    let is_loud = is_loud(table, id);
    let shows_fields = is_loud || class.fields.iter().any(is_seen);
    let mut constants: Vec<String> = Vec::new();
    for constant in &class.decl.constants {
        let args = if shows_fields { constant.args_text.as_str() } else { "" };
        if !args.is_empty() || !constant.body_text.is_empty() {
            constants.push(format!("{}{args}{}", constant.name, constant.body_text));
        }
    }
    constants.sort();
    let members = class.decl.members.iter().filter(|member| match member {
        Member::Method(method) => method.name == "<init>",
        Member::Initializer { .. } | Member::Field(_) => true,
        Member::Class(_) => false,
    });
    let constructors = match is_loud {
        true => members.map(|member| without_places(&format!("{member:?}"))).collect(),
        false => String::new(),
    };
    EnumSources { constants: constants.join("; "), constructors }
}

/// Whether making the constants may do more than set their fields.
fn is_loud(table: &Classes<'_>, id: ClassId) -> bool {
    let class = table.class(id);
    let is_static = |name: &str| table.find_field(id, name).is_none_or(|field| table.field(field).is_static);
    let mut loud = false;
    let mut visit = |expr: &Expr| match &expr.kind {
        ExprKind::Call { .. } | ExprKind::New { .. } | ExprKind::Unsupported(_) => loud = true,
        ExprKind::Assign { lhs: target, .. }
        | ExprKind::Compound { lhs: target, .. }
        | ExprKind::Update { arg: target, .. } => {
            loud |= match &target.kind {
                ExprKind::Name(name) | ExprKind::Field { name, .. } => is_static(name),
                _ => true,
            };
        }
        _ => {}
    };
    for member in &class.decl.members {
        match member {
            Member::Method(method) if method.name == "<init>" => {
                method.body.iter().flatten().for_each(|stmt| stmt.for_each_expr(&mut visit));
            }
            Member::Initializer { is_static: false, body } => {
                body.iter().for_each(|stmt| stmt.for_each_expr(&mut visit));
            }
            Member::Field(field) if !field.modifiers.is_static => {
                field.init.iter().for_each(|init| init.for_each_expr(&mut visit));
            }
            Member::Method(_) | Member::Initializer { .. } | Member::Field(_) | Member::Class(_) => {}
        }
    }
    class.decl.constants.iter().flat_map(|it| &it.args).for_each(|arg| arg.for_each_expr(&mut visit));
    loud
}

/// The printed form of something without where it stands.
fn without_places(text: &str) -> String {
    let mut parts = text.split("Span {");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('}').map_or("", |(_, rest)| rest))
}
