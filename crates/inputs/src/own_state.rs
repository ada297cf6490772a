//! An input without what is private to one version.

use std::mem;

use interp::Input;
use ir::{Pair, Program};

/// The input without the private variables, static objects and fields that only one version has, if there are any: only
/// the code of that version knows what they may hold.
pub fn without_own_state(input: &Input, programs: Pair<&Program>) -> Option<Input> {
    if programs.old.own.is_empty() && programs.new.own.is_empty() {
        return None;
    }
    let is_own = |name: &String| programs.old.own.contains(name) || programs.new.own.contains(name);
    let mut shared = input.clone();
    shared.globals.retain(|name, _| !is_own(name));
    shared.statics.retain(|name, _| !is_own(name));
    for object in &mut shared.objects {
        if object.fields.iter().any(is_own) {
            let (fields, cells) = (mem::take(&mut object.fields), mem::take(&mut object.cells));
            let kept = fields.into_iter().zip(cells).filter(|(field, _)| !is_own(field));
            (object.fields, object.cells) = kept.unzip();
        }
    }
    Some(shared)
}
