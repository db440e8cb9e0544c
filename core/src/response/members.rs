//! What a structure and an array show.

use std::fmt;
use std::ops::ControlFlow;

use super::{Response, View};

/// What has members: a structure, a union, a map.
///
/// [`members`](Self::members) is all that is needed; [`member`](Self::member) may be quicker than going through all.
///
/// # Example: a union by hand
///
/// ```
/// use std::ops::ControlFlow;
/// use smithy_waiters::response::{Members, Visitor};
/// use smithy_waiters::{Response, View};
///
/// enum Target {
///     Bucket(String),
///     Port(u16),
/// }
///
/// impl Response for Target {
///     fn view(&self) -> View<'_> {
///         View::Object(self)
///     }
/// }
///
/// impl Members for Target {
///     fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()> {
///         match self {
///             Self::Bucket(name) => to.member("Bucket", name),
///             Self::Port(port) => to.member("Port", port),
///         }
///     }
/// }
///
/// assert_eq!(format!("{:?}", Target::Port(80).view()), r#"{"Port":80}"#);
/// ```
pub trait Members {
    /// Shows every member, until the visitor breaks.
    fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()>;

    /// The member of a name; `None` where it is not set.
    fn member(&self, name: &str) -> Option<View<'_>> {
        let mut found = None;
        let _ = self.members(&mut Visitor::new(&mut |other, member| {
            if other != name {
                return ControlFlow::Continue(());
            }
            found = Some(member);
            ControlFlow::Break(())
        }));
        found
    }

    /// The number of members that are set.
    fn len(&self) -> usize {
        let mut len: usize = 0;
        let _ = self.members(&mut Visitor::new(&mut |_, _| {
            len = len.saturating_add(1);
            ControlFlow::Continue(())
        }));
        len
    }

    /// Whether no member is set.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What has items: an array, a list, a set.
///
/// # Example: a list of one's own
///
/// ```
/// use smithy_waiters::response::Items;
/// use smithy_waiters::{Response, View};
///
/// struct Range(u8);
///
/// impl Response for Range {
///     fn view(&self) -> View<'_> {
///         View::Array(self)
///     }
/// }
///
/// impl Items for Range {
///     fn len(&self) -> usize {
///         self.0.into()
///     }
///
///     fn item(&self, index: usize) -> Option<View<'_>> {
///         (index < self.len()).then_some(View::Number(index as f64))
///     }
/// }
///
/// assert_eq!(format!("{:?}", Range(3).view()), "[0,1,2]");
/// ```
pub trait Items {
    /// The number of items.
    fn len(&self) -> usize;

    /// The item at `index` from 0, `None` past the end.
    fn item(&self, index: usize) -> Option<View<'_>>;

    /// Shows every item, in order, until `visit` breaks.
    fn items<'a>(&'a self, visit: &mut dyn FnMut(View<'a>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut items = (0..self.len()).map_while(|index| self.item(index));
        items.try_for_each(visit)
    }

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// To whom [`Members`] are shown: [`member`](Visitor::member) takes those of a structure, [`entry`](Visitor::entry) those of
/// a map.
///
/// # Example: the members of a map
///
/// ```
/// use std::collections::BTreeMap;
/// use std::ops::ControlFlow;
/// use smithy_waiters::response::{Members, Visitor};
/// use smithy_waiters::{Response, View};
///
/// struct Tags(BTreeMap<String, String>);
///
/// impl Response for Tags {
///     fn view(&self) -> View<'_> {
///         View::Object(self)
///     }
/// }
///
/// impl Members for Tags {
///     fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()> {
///         self.0.iter().try_for_each(|(name, tag)| to.entry(name, tag))
///     }
/// }
///
/// let tags = Tags([("env".into(), "test".into())].into());
/// assert_eq!(format!("{:?}", tags.view()), r#"{"env":"test"}"#);
/// ```
pub struct Visitor<'v, 'a> {
    visit: &'v mut dyn FnMut(&str, View<'a>) -> ControlFlow<()>,
}

impl<'v, 'a> Visitor<'v, 'a> {
    pub(super) fn new(visit: &'v mut dyn FnMut(&str, View<'a>) -> ControlFlow<()>) -> Self {
        Self { visit }
    }

    /// Shows a member of a structure; one that is null is not set, and passed over.
    ///
    /// Breaks when nobody wants to see more: `?` goes on or stops.
    pub fn member(&mut self, name: &str, member: &'a (impl Response + ?Sized)) -> ControlFlow<()> {
        self.view(name, member.view())
    }

    /// The same for a view of it.
    pub fn view(&mut self, name: &str, member: View<'a>) -> ControlFlow<()> {
        if member.is_null() {
            return ControlFlow::Continue(());
        }
        (self.visit)(name, member)
    }

    /// Shows an entry of a map: one that is null is there all the same.
    pub fn entry(&mut self, key: &str, value: &'a (impl Response + ?Sized)) -> ControlFlow<()> {
        (self.visit)(key, value.view())
    }
}

impl fmt::Debug for Visitor<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visitor").finish_non_exhaustive()
    }
}
