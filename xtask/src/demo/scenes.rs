//! The scenes of the demo, in their order.

pub(super) mod failures;
pub(super) mod live;
pub(super) mod replay;
