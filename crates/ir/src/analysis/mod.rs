//! What can be told about programs without running them: calls, control flow, dependences, effects, normal forms.
//!
//! Each part says whether it is exact, over- or under-approximating.

mod calls;
mod control_flow;
mod control_slice;
mod dependence;
mod effects;
mod figures;
mod fragment;
mod normalise;

pub use calls::{
    call_components, calls_of, is_recursive, may_not_end, reachable, reachable_without, recursive_procedures,
};
pub use control_flow::{ControlFlow, Edge, Location};
pub use control_slice::control_slice;
pub use dependence::{Dependences, Place};
pub use effects::{BlockEffects, Effects, block_effects, effects, for_each_static};
pub use figures::{Constants, Size, constants, size};
pub use fragment::{
    Flow, Fragment, Interface, Surroundings, WayOut, call_interfaces, flows, interfaces, same_statements,
};
pub use normalise::{class_renaming, normalise, same_code};
