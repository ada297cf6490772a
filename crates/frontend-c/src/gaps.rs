//! Gaps of the model of memory as typed cells, which memory as bytes does not have.

pub(crate) const UNRELATED_CAST: &str = "a cast to a pointer to an unrelated type";
pub(crate) const VOID_CAST: &str = "a cast to a pointer to an unrelated type from `void *`";
pub(crate) const OTHER_MEMBER: &str = "reading a member of a union that was not the last one written";
pub(crate) const LEAVES_MEMBER: &str = "a pointer that leaves the member it points into";
pub(crate) const ADDRESS_IN_UNION: &str = "the address of a member of a union";
pub(crate) const PART_OF_OBJECT: &str = "copying a part of an object";
pub(crate) const PART_OF_ELEMENT: &str = "allocated memory that ends with a part of an element";
pub(crate) const OPEN_END: &str = "an array of any length behind members of other types";
pub(crate) const FILLED_OBJECT: &str = "filling objects with bytes";
pub(crate) const ADDRESS_INSIDE: &str = "the number of an address in an object of another type";
pub(crate) const UNION_VALUE: &str = "a union that is a value";
pub(crate) const MOVED_VOID: &str = "arithmetic on a `void *` to something that is not bytes";
pub(crate) const ERASED_FUNCTION: &str = "a function behind a `void *`";
pub(crate) const NOT_BYTES: &str = "of objects that are not bytes";

/// Whether what is not modelled may be modelled where memory is bytes.
pub fn needs_bytes(what: &str) -> bool {
    let gaps = [
        UNRELATED_CAST,
        VOID_CAST,
        OTHER_MEMBER,
        LEAVES_MEMBER,
        ADDRESS_IN_UNION,
        PART_OF_OBJECT,
        PART_OF_ELEMENT,
        OPEN_END,
        FILLED_OBJECT,
        UNION_VALUE,
        ADDRESS_INSIDE,
        MOVED_VOID,
    ];
    gaps.contains(&what) || what.ends_with(NOT_BYTES)
}

/// Whether runs seldom come there, although much code has such a place: only what the program does with objects of its own
/// leads to it.
pub fn seldom_reached(what: &str) -> bool {
    [VOID_CAST, LEAVES_MEMBER].contains(&what)
}
