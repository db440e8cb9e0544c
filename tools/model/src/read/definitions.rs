//! The definitions of one text, before they are merged.

use crate::event::Event;
use crate::read::idl_version::IdlVersion;
use crate::shapes::{Entry, Reference, Shape, Trait};

/// The definitions of one text, and the events from reading it.
#[derive(Debug, Default)]
pub(crate) struct Definitions<'a> {
    pub(crate) version: IdlVersion,
    pub(crate) metadata: Vec<Entry<'a>>,
    pub(crate) shapes: Vec<Shape<'a>>,
    pub(crate) applications: Vec<Application<'a>>,
    pub(crate) events: Vec<Event>,
}

/// Traits that an `apply` statement applies to a shape or member.
#[derive(Debug)]
pub(crate) struct Application<'a> {
    pub(crate) target: Reference<'a>,
    pub(crate) traits: Vec<Trait<'a>>,
}
