//! What panics say, kept for the report instead of printed.

use std::any::Any;
use std::cell::RefCell;
use std::panic;

thread_local! {
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From here on, panics are not printed; where they happened is remembered.
pub fn silence() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
        PLACE.with(|last| *last.borrow_mut() = place.unwrap_or_default());
    }));
}

/// What the last panic of this thread said, and where.
pub fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let place = PLACE.with(|last| last.borrow().clone());
    format!("{}{place}", text.unwrap_or("a panic without words"))
}
