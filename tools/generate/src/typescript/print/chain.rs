//! Chains of calls and members, and their line breaks.

use super::document::is_name;
use crate::tree::Expression as _;
use crate::typescript::tree::Ts;

/// A link of a chain: a member, an element, or a call.
#[derive(Clone, Copy)]
pub(super) enum Link<'t> {
    Call(&'t [Ts]),
    Element(&'t Ts),
    Member(&'t str, bool),
}

impl<'t> Link<'t> {
    /// Splits off the last link of a tree.
    fn last(tree: &'t Ts) -> Option<(&'t Ts, Self)> {
        match tree {
            Ts::Call(called, arguments) => Some((called, Self::Call(arguments))),
            Ts::Index(of, index) => Some((of, Self::Element(index))),
            Ts::Member(of, name, optional) => Some((of, Self::Member(name, *optional))),
            _ => None,
        }
    }

    const fn is_call(&self) -> bool {
        matches!(self, Self::Call(_))
    }

    /// Returns `true` for accesses in brackets: `[0]`, `["a b"]`.
    fn is_computed(&self) -> bool {
        match self {
            Self::Element(_) => true,
            Self::Member(name, _) => !is_name(name),
            Self::Call(_) => false,
        }
    }
}

/// The links of a chain that stay on one line.
pub(super) type Group<'t> = Vec<Link<'t>>;

/// A chain: its head, the links that stay on the head's line, and groups of links that end with calls.
pub(super) struct Chain<'t> {
    pub(super) head: &'t Ts,
    pub(super) first: Vec<Link<'t>>,
    pub(super) groups: Vec<Group<'t>>,
}

impl<'t> Chain<'t> {
    pub(super) fn of(mut tree: &'t Ts) -> Self {
        let mut links = Vec::new();
        while let Some((of, link)) = Link::last(tree) {
            links.push(link);
            tree = of;
        }
        links.reverse();
        let mut rest = &links[..];
        while let [link, after @ ..] = rest
            && (link.is_call() || link.is_computed())
        {
            rest = after;
        }
        while let Some((link, after)) = rest.split_first()
            && !link.is_call()
            && after.first().is_some_and(|next| !next.is_call())
        {
            rest = after;
        }
        let groups = groups(rest);
        let count = links.len().saturating_sub(rest.len());
        links.truncate(count);
        Self {
            head: tree,
            first: links,
            groups,
        }
    }

    fn arguments(&self) -> impl Iterator<Item = &'t [Ts]> {
        let links = self.first.iter().chain(self.groups.iter().flatten());
        links.filter_map(|link| match link {
            Link::Call(arguments) => Some(*arguments),
            _ => None,
        })
    }

    /// Returns `true` if the chain always breaks: if it has at least three calls with a complex argument, or an
    /// argument that always breaks.
    pub(super) fn is_broken(&self) -> bool {
        let Some((last, others)) = self.groups.split_last() else {
            return false;
        };
        if self.groups.len() <= self.max_groups_beside() {
            return false;
        }
        let mut arguments = self.arguments().flatten();
        let has_three = self.arguments().count() > 2;
        has_three && arguments.any(|argument| !is_simple(argument, 2))
            || others.iter().any(|group| any_argument(group, is_broken))
            || any_argument(last, is_broken)
                && others.iter().any(|group| any_argument(group, is_function))
    }

    /// Returns the groups on the first line and the groups on separate lines, or `None` if all fit on the first line.
    pub(super) fn lines(&self) -> Option<(&[Group<'t>], &[Group<'t>])> {
        let count = self.max_groups_beside();
        (self.groups.len() > count).then(|| self.groups.split_at(count.saturating_sub(1)))
    }

    /// Returns the number of groups that stay on the first line: one, or two after a name like `Object`.
    fn max_groups_beside(&self) -> usize {
        if self.is_merged() { 2 } else { 1 }
    }

    fn is_merged(&self) -> bool {
        let is_factory = |name: &str| name.starts_with(char::is_uppercase);
        match (self.head, &self.first[..]) {
            (Ts::Name(name), []) => is_factory(name),
            _ => false,
        }
    }
}

/// Splits links into groups of members and the calls after them. An index after a call belongs to the group of the
/// call.
fn groups<'t>(links: &[Link<'t>]) -> Vec<Group<'t>> {
    let mut groups: Vec<Group<'t>> = Vec::new();
    let mut has_called = true;
    for link in links {
        let begins = has_called && !link.is_call() && (!link.is_computed() || groups.is_empty());
        match groups.last_mut() {
            Some(group) if !begins => group.push(*link),
            _ => groups.push(vec![*link]),
        }
        has_called = link.is_call() || has_called && !begins;
    }
    groups
}

/// Returns `true` if an argument of the group's calls satisfies a predicate.
fn any_argument(group: &[Link<'_>], is: fn(&Ts) -> bool) -> bool {
    group.iter().any(|link| match link {
        Link::Call(arguments) => arguments.iter().any(is),
        _ => false,
    })
}

/// Returns `true` if a part of the tree always breaks.
fn is_broken(tree: &Ts) -> bool {
    let is_chain = matches!(tree, Ts::Call(called, _) if matches!(**called, Ts::Member(..)));
    is_chain && Chain::of(tree).is_broken() || tree.children().into_iter().any(is_broken)
}

fn is_function(argument: &Ts) -> bool {
    matches!(argument, Ts::Arrow(..))
}

/// Returns `true` for a simple call argument, as Prettier defines it.
fn is_simple(argument: &Ts, depth: usize) -> bool {
    if depth == 0 {
        return false;
    }
    let next = depth.saturating_sub(1);
    match argument {
        Ts::Name(_) | Ts::Number(_) | Ts::String(_) => true,
        Ts::Array(items) => items.iter().all(|item| is_simple(item, next)),
        Ts::Call(called, arguments) => {
            is_simple(called, depth)
                && arguments.len() <= depth
                && arguments.iter().all(|argument| is_simple(argument, next))
        }
        Ts::Index(of, _) | Ts::Member(of, ..) | Ts::Not(of) => is_simple(of, depth),
        _ => false,
    }
}
