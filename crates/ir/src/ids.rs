//! Indices into the tables of a program, one type for each table.

macro_rules! index_types {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the entry at a position.
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("tables should have fewer than 2^32 entries"))
            }
        }
    )*};
}

index_types! {
    /// A procedure of a program.
    ProcId
    /// A parameter or local variable of one procedure.
    LocalId
    /// A global variable.
    GlobalId
    /// A part of the heap: one field, or all array elements of one type.
    RegionId
    /// The run-time type of a heap object.
    ShapeId
    /// An object that exists before the program starts.
    StaticId
    /// The name of a way to fail.
    ErrorId
    /// A loop or block that `break` and `continue` can name, unique within its procedure.
    LabelId
    /// A source file.
    FileId
}
