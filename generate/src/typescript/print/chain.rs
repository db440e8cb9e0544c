//! Calls, and chains of them: on one line, or each below the other.

use super::expression::{Place, arrow, expression, inside};
use super::{Doc, INDENT, is_name, list, quoted, text};
use crate::tree::Expression as _;
use crate::typescript::tree::Ts;

/// How strongly what is called must bind.
const CALLED: u8 = 18;

/// What is called, or has a member.
pub(super) fn called(tree: &Ts) -> Doc {
    inside(tree, CALLED, Place::Parted)
}

/// A link of a chain: a member, an element, or a call.
#[derive(Clone, Copy)]
enum Link<'t> {
    Call(&'t [Ts]),
    Element(&'t Ts),
    Member(&'t str, bool),
}

impl<'t> Link<'t> {
    /// The last link of a tree, and what is before it.
    fn last(tree: &'t Ts) -> Option<(&'t Ts, Self)> {
        match tree {
            Ts::Call(called, arguments) => Some((called, Self::Call(arguments))),
            Ts::Index(of, index) => Some((of, Self::Element(index))),
            Ts::Member(of, name, optional) => Some((of, Self::Member(name, *optional))),
            _ => None,
        }
    }

    fn print(self) -> Doc {
        match self {
            Self::Call(arguments) => given(arguments),
            Self::Element(index) => text("?.[").append(expression(index)).append("]"),
            Self::Member(name, optional) => member(name, optional),
        }
    }

    const fn is_call(&self) -> bool {
        matches!(self, Self::Call(_))
    }

    /// `[0]`, `["a b"]`
    fn is_computed(&self) -> bool {
        match self {
            Self::Element(_) => true,
            Self::Member(name, _) => !is_name(name),
            Self::Call(_) => false,
        }
    }
}

/// A chain: what stands first, and after it groups of links that end in calls.
struct Chain<'t> {
    head: &'t Ts,
    first: Vec<Link<'t>>,
    groups: Vec<Vec<Link<'t>>>,
}

impl<'t> Chain<'t> {
    fn of(mut tree: &'t Ts) -> Self {
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

    /// Whether it always breaks: where there are three calls, and not all of them are simple, or where a part of it does.
    fn is_broken(&self) -> bool {
        let Some((last, others)) = self.groups.split_last() else {
            return false;
        };
        if self.groups.len() <= self.most() {
            return false;
        }
        let mut arguments = self.arguments().flatten();
        let has_three = self.arguments().count() > 2;
        has_three && arguments.any(|argument| !is_simple(argument, 2))
            || others.iter().any(|group| is_any(group, is_broken))
            || is_any(last, is_broken) && others.iter().any(|group| is_any(group, is_function))
    }

    /// How many groups stay on the line of what is first: one, or two of `Object`.
    fn most(&self) -> usize {
        if self.is_merged() { 2 } else { 1 }
    }

    fn is_merged(&self) -> bool {
        let is_factory = |name: &str| name.starts_with(char::is_uppercase);
        match (self.head, &self.first[..]) {
            (Ts::Name(name), []) => is_factory(name),
            _ => false,
        }
    }

    fn print(&self) -> Doc {
        let links = |links: &[Link<'_>]| Doc::concat(links.iter().map(|link| link.print()));
        let start = called(self.head).append(links(&self.first));
        let all = self.groups.iter().map(|group| links(group));
        let line = start.clone().append(Doc::concat(all));
        if self.groups.len() <= self.most() {
            return line.group();
        }
        let merged = self.most().saturating_sub(1);
        let (same, below) = self.groups.split_at(merged);
        let same = Doc::concat(same.iter().map(|group| links(group)));
        let below = below
            .iter()
            .map(|group| Doc::hardline().append(links(group)));
        let chain = start.append(same).append(Doc::concat(below).nest(INDENT));
        if self.is_broken() {
            return chain;
        }
        chain.flat_alt(line).group()
    }
}

/// Groups of members and the calls after them; an element of what was called belongs to the call.
fn groups<'t>(links: &[Link<'t>]) -> Vec<Vec<Link<'t>>> {
    let mut groups: Vec<Vec<Link<'t>>> = Vec::new();
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

/// Whether some argument of a group's calls is like that.
fn is_any(group: &[Link<'_>], is: fn(&Ts) -> bool) -> bool {
    group.iter().any(|link| match link {
        Link::Call(arguments) => arguments.iter().any(is),
        _ => false,
    })
}

/// A call of a member.
pub(super) fn call(tree: &Ts) -> Doc {
    Chain::of(tree).print()
}

/// Whether something in it always breaks.
fn is_broken(tree: &Ts) -> bool {
    let is_chain = matches!(tree, Ts::Call(called, _) if matches!(**called, Ts::Member(..)));
    is_chain && Chain::of(tree).is_broken() || tree.children().into_iter().any(is_broken)
}

fn is_function(argument: &Ts) -> bool {
    matches!(argument, Ts::Arrow(..))
}

/// What Prettier calls a simple argument of a call.
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

/// The arguments of a call, in parentheses; what comes last may hold on to them.
pub(super) fn given(arguments: &[Ts]) -> Doc {
    let broken = || list("(", arguments.iter().map(expression).collect(), ")");
    match arguments {
        [Ts::Arrow(parameters, body)] if is_hugged(body) => {
            let end = text(",").flat_alt(Doc::nil()).append(Doc::line_());
            let hugging = text("(").append(arrow(parameters, body, end)).append(")");
            hugging.union(broken())
        }
        [first @ .., last @ (Ts::Object(_) | Ts::Array(_))] if first.iter().all(is_other) => {
            let before = first
                .iter()
                .map(|argument| expression(argument).append(", "));
            let hugging = text("(")
                .append(Doc::concat(before))
                .append(expression(last))
                .append(")");
            if first.is_empty() {
                return hugging;
            }
            hugging.union(broken())
        }
        _ => broken(),
    }
}

/// Whether a function with such a body holds on to the parentheses around it.
const fn is_hugged(body: &Ts) -> bool {
    matches!(
        body,
        Ts::Array(_) | Ts::Call(..) | Ts::Object(_) | Ts::Ternary(_)
    )
}

const fn is_other(argument: &Ts) -> bool {
    !matches!(argument, Ts::Array(_) | Ts::Arrow(..) | Ts::Object(_))
}

pub(super) fn member(name: &str, optional: bool) -> Doc {
    let dot = if optional { "?." } else { "." };
    if is_name(name) {
        return text(format!("{dot}{name}"));
    }
    let dot = if optional { "?." } else { "" };
    let inside = Doc::line_().append(quoted(name)).nest(INDENT);
    let inside = inside.append(Doc::line_()).group();
    text(format!("{dot}[")).append(inside).append("]")
}
