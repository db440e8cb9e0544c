//! The scenes of the demo, in order.

pub(super) mod failures;
pub(super) mod live;
pub(super) mod replay;
