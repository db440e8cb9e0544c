//! The answer of a call for many resources, and the part of it that one resource sees.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::iter;
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::FleetError;
use crate::error::{OptionsError, nearest};
use crate::evaluation::{Hint, redacted_in_items};
use crate::value::{ItemAt, Kind, Name, ReadError, Value};
use crate::wait::WaitReport;

/// The rule for the option `items`.
const CHAIN: &str = "must be a chain of member names and `[]` that ends with `[]`, such as `Reservations[].Instances[]`";

/// The path of the resources in an answer: member names and lists.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    text: String,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq)]
enum Segment {
    Items,
    Member(String),
}

/// A name of a chain that an object does not have, beside a similar one.
struct Near<'c, V> {
    /// The object, and the name of the member that it is.
    value: V,
    place: &'c str,
    name: &'c str,
    near: String,
}

impl Chain {
    /// Returns the names of the members on the way to the items.
    fn members(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for segment in &self.segments {
            if let Segment::Member(name) = segment {
                names.push(name.as_str());
            }
        }
        names
    }

    pub(super) fn parse(option: &'static str, text: &str) -> Result<Self, OptionsError> {
        let invalid = || OptionsError::invalid(option, CHAIN, &format!("`{text}`"));
        let mut segments = Vec::new();
        for part in text.split('.') {
            let name = part.trim_end_matches("[]");
            let is_name = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
            if !name.chars().all(is_name) || (name.is_empty() && !segments.is_empty()) {
                return Err(invalid());
            }
            if !name.is_empty() {
                segments.push(Segment::Member(name.to_owned()));
            }
            let lists = part.len().saturating_sub(name.len()) / 2;
            segments.extend(iter::repeat_n(Segment::Items, lists));
        }
        if segments.last() != Some(&Segment::Items) {
            return Err(invalid());
        }
        Ok(Self {
            text: text.to_owned(),
            segments,
        })
    }

    /// Rejects a page that cannot have resources, or has them under a name in other letter cases. A page without the
    /// first member has none, because clients omit empty lists.
    fn check<V: Value>(&self, page: &V) -> Result<(), FleetError> {
        let Some(Segment::Member(name)) = self.segments.first() else {
            return Ok(());
        };
        let kind = page.kind()?;
        if kind != Kind::Object {
            return Err(self.no_items(kind.as_str()));
        }
        if page.member(name)?.is_some() {
            return Ok(());
        }
        let mut similar = None;
        page.members(&mut |other, _| {
            // A member that is null is there, and has no resources.
            if other == name || !other.eq_ignore_ascii_case(name) {
                return ControlFlow::Continue(());
            }
            similar = Some(format!("an object with `{other}`"));
            ControlFlow::Break(())
        })?;
        similar.map_or(Ok(()), |got| Err(self.no_items(&got)))
    }

    fn no_items(&self, got: &str) -> FleetError {
        FleetError::NoItems {
            items: self.text.clone(),
            got: got.to_owned(),
        }
    }

    /// Returns the first name that a page does not have, beside a similar one.
    fn near<'c, V: Value>(&'c self, page: &V) -> Result<Option<Near<'c, V>>, ReadError> {
        let (mut value, mut place) = (page.clone(), "the response");
        for segment in &self.segments {
            let next = match segment {
                Segment::Member(name) => {
                    let member = value.member(name)?;
                    if member.is_none() {
                        let near = near_name(&value, name)?;
                        return Ok(near.map(|near| Near {
                            value,
                            place,
                            name,
                            near,
                        }));
                    }
                    place = name;
                    member
                }
                Segment::Items => first_of(&value)?,
            };
            let Some(next) = next else { break };
            value = next;
        }
        Ok(None)
    }

    /// Returns a value with only this resource at the end of the chain.
    pub(super) fn wrap(&self, item: Json) -> Json {
        let segments = self.segments.iter().rev();
        segments.fold(item, |value, segment| match segment {
            Segment::Items => Json::Array(vec![value]),
            Segment::Member(name) => json!({ name: value }),
        })
    }

    /// Visits every value at the end of the chain. Members that are missing have no values.
    fn visit<V: Value>(
        &self,
        value: &V,
        visit: &mut dyn FnMut(V) -> Result<(), FleetError>,
    ) -> Result<(), FleetError> {
        self.visit_at(&self.segments, value, visit)
    }

    fn visit_at<V: Value>(
        &self,
        segments: &[Segment],
        value: &V,
        visit: &mut dyn FnMut(V) -> Result<(), FleetError>,
    ) -> Result<(), FleetError> {
        let Some((first, rest)) = segments.split_first() else {
            return visit(value.clone());
        };
        match first {
            Segment::Member(name) => match value.member(name)? {
                Some(member) => self.visit_at(rest, &member, visit),
                None => Ok(()),
            },
            Segment::Items => {
                match value.kind()? {
                    Kind::Null => return Ok(()),
                    Kind::Array => {}
                    // A resource that is in the answer must not count as missing.
                    other => {
                        let got = format!("{} in the place of a list", other.as_str());
                        return Err(self.no_items(&got));
                    }
                }
                let mut result = Ok(());
                value.items(&mut |item| {
                    result = self.visit_at(rest, &item, visit);
                    if result.is_ok() {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                })?;
                result
            }
        }
    }
}

/// Returns the first item of a list, and none of another value.
fn first_of<V: Value>(value: &V) -> Result<Option<V>, ReadError> {
    match value.kind()? {
        Kind::Array => value.item(0),
        _ => Ok(None),
    }
}

/// Where an answer has the resources and their identifiers.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) items: Chain,
    /// The members of a resource that may be the identifier.
    pub(super) keys: Vec<String>,
    /// Further lists whose entries belong to resources, each with the member that has the identifier.
    pub(super) also: Vec<(Chain, String)>,
}

impl Shape {
    /// Returns the options as JSON.
    pub(super) fn to_json(&self) -> Json {
        let also = self.also.iter().map(|(chain, key)| (&chain.text, key));
        json!([self.items.text, self.keys, also.collect::<Vec<_>>()])
    }

    /// Finds the resources of a call in all pages of its answer.
    pub(super) fn find<V: Value>(
        &self,
        ids: &[Arc<str>],
        pages: &[V],
    ) -> Result<BTreeMap<Arc<str>, Found<V>>, FleetError> {
        let wanted = Wanted::new(ids);
        let mut found = BTreeMap::new();
        for page in pages {
            if let Some(id) = self.only_resource(&wanted, ids, page)? {
                let entry = found.entry(id);
                let entry = entry.or_insert_with_key(|_| Found::new(&self.also));
                entry.items.push(page.clone());
                continue;
            }
            self.items.check(page)?;
            self.check_near(&wanted, page)?;
            let mut index = 0_usize;
            self.items.visit(page, &mut |item| {
                let id = self.identify(&wanted, &item, index)?;
                index = index.saturating_add(1);
                let Some((id, is_exact)) = id else {
                    return Ok(());
                };
                let entry = found
                    .entry(id)
                    .or_insert_with_key(|_| Found::new(&self.also));
                entry.add(item, is_exact);
                Ok(())
            })?;
            for (place, (chain, key)) in self.also.iter().enumerate() {
                chain.visit(page, &mut |item| {
                    let id = text_at(&item, key)?.and_then(|text| wanted.find(&text));
                    if let Some(id) = id {
                        let entry = found
                            .entry(id)
                            .or_insert_with_key(|_| Found::new(&self.also));
                        if let Some(items) = entry.also.get_mut(place) {
                            items.push(item);
                        }
                    }
                    Ok(())
                })?;
            }
        }
        // Only now, because a later resource may have the identifier itself.
        if found.values().any(|found| found.is_ambiguous) {
            let key = self.keys.join("`, `");
            return Err(FleetError::DuplicateKey { key });
        }
        Ok(found)
    }

    /// Rejects a page with a resource of the call in a list of a similar name: it would count as missing, which can be a success.
    fn check_near<V: Value>(&self, wanted: &Wanted<'_>, page: &V) -> Result<(), FleetError> {
        let Some(Near { value, near, .. }) = self.items.near(page)? else {
            return Ok(());
        };
        let list = value.member(&near)?;
        let first = list.map_or(Ok(None), |list| first_of(&list))?;
        let texts = first.map_or_else(|| Ok(Vec::new()), |first| self.texts(&first))?;
        if texts.iter().any(|text| wanted.find(text).is_some()) {
            return Err(self.items.no_items(&format!("an object with `{near}`")));
        }
        Ok(())
    }

    /// Returns the identifier of an answer that is the only resource of its call itself, without a list: `kubectl get`
    /// prints one so.
    fn only_resource<V: Value>(
        &self,
        wanted: &Wanted<'_>,
        ids: &[Arc<str>],
        page: &V,
    ) -> Result<Option<Arc<str>>, FleetError> {
        let Some(Segment::Member(first)) = self.items.segments.first() else {
            return Ok(None);
        };
        let is_object = ids.len() == 1 && page.kind()? == Kind::Object;
        if !is_object || page.member(first)?.is_some() {
            return Ok(None);
        }
        Ok(self.texts(page)?.iter().find_map(|text| wanted.find(text)))
    }

    /// Returns the texts of the members of a resource that may be its identifier.
    fn texts<V: Value>(&self, item: &V) -> Result<Vec<String>, ReadError> {
        let mut texts = Vec::new();
        for key in &self.keys {
            texts.extend(text_at(item, key)?);
        }
        Ok(texts)
    }

    /// Returns the identifier of an item, if the call asked for it, and `true` if it is not only the last part of an ARN.
    fn identify<V: Value>(
        &self,
        wanted: &Wanted<'_>,
        item: &V,
        index: usize,
    ) -> Result<Option<(Arc<str>, bool)>, FleetError> {
        let texts = self.texts(item)?;
        // An identifier itself wins over the last part of an ARN, whichever key has it.
        if let Some(id) = texts.iter().find_map(|text| wanted.find_exact(text)) {
            return Ok(Some((id, true)));
        }
        if !texts.is_empty() {
            let id = texts.iter().find_map(|text| wanted.find_by_name(text));
            return Ok(id.map(|id| (id, false)));
        }
        let mut near = None;
        for key in &self.keys {
            near = near.or(near_key(item, key)?);
        }
        Err(FleetError::NoKey {
            items: self.items.text.clone(),
            index,
            key: self.keys.join("`, `"),
            near,
        })
    }

    /// Returns the hint for a path of items that a page does not have.
    pub(super) fn hint<V: Value>(&self, page: &V) -> Option<Hint> {
        // A value that cannot be read has no hint.
        let Near {
            place, name, near, ..
        } = self.items.near(page).ok().flatten()?;
        Some(Hint::of_items(&self.items.text, place, name, &near))
    }

    /// Returns a report with paths to redact that begin at a resource, which is the response of a wait in a fleet.
    pub(super) fn of_item(&self, report: Arc<WaitReport>) -> Arc<WaitReport> {
        if report.redact.is_empty() {
            return report;
        }
        let chains = iter::once(&self.items).chain(self.also.iter().map(|(chain, _)| chain));
        let redact = chains.flat_map(|chain| redacted_in_items(&report.redact, &chain.members()));
        let redact = redact.collect();
        let report = Arc::unwrap_or_clone(report);
        Arc::new(WaitReport { redact, ..report })
    }

    /// Calls a function with the answer as if it held only one resource.
    pub(super) fn with_view<V: Value, T>(
        &self,
        found: &Found<V>,
        view: impl FnOnce(View<'_, V>) -> T,
    ) -> T {
        let mut branches = vec![Branch {
            segments: &self.items.segments,
            values: &found.items,
        }];
        for ((chain, _), values) in self.also.iter().zip(&found.also) {
            branches.push(Branch {
                segments: &chain.segments,
                values,
            });
        }
        view(View::Place(Place {
            branches: &branches,
            path: &[],
        }))
    }
}

/// The identifiers that a call asked for.
struct Wanted<'i> {
    exact: BTreeMap<&'i str, &'i Arc<str>>,
    /// The identifiers that are ARNs, by their last parts.
    names: BTreeMap<&'i str, &'i Arc<str>>,
}

impl<'i> Wanted<'i> {
    fn new(ids: &'i [Arc<str>]) -> Self {
        Self {
            exact: ids.iter().map(|id| (&**id, id)).collect(),
            names: ids
                .iter()
                .filter_map(|id| Some((last_part(id)?, id)))
                .collect(),
        }
    }

    fn find(&self, text: &str) -> Option<Arc<str>> {
        self.find_exact(text).or_else(|| self.find_by_name(text))
    }

    fn find_exact(&self, text: &str) -> Option<Arc<str>> {
        self.exact.get(text).map(|id| Arc::clone(id))
    }

    /// Finds an identifier by the last part of an ARN. Two different ARNs are different resources.
    fn find_by_name(&self, text: &str) -> Option<Arc<str>> {
        let found = match last_part(text) {
            Some(name) => self.exact.get(name),
            None => self.names.get(text),
        };
        found.map(|id| Arc::clone(id))
    }
}

/// Returns the last part of an ARN, which is often the name of the resource.
fn last_part(text: &str) -> Option<&str> {
    let arn = text.strip_prefix("arn:")?;
    arn.rsplit(['/', ':']).next()
}

fn text_at<V: Value>(item: &V, key: &str) -> Result<Option<String>, ReadError> {
    let mut value = item.clone();
    for name in key.split('.') {
        match value.member(name)? {
            Some(member) => value = member,
            None => return Ok(None),
        }
    }
    Ok(match value.kind()? {
        Kind::String => Some(value.text()?.into_owned()),
        _ => None,
    })
}

/// Returns the member whose name is similar to one that an object does not have.
fn near_name<V: Value>(object: &V, name: &str) -> Result<Option<String>, ReadError> {
    let mut names = Vec::new();
    object.members(&mut |other, _| {
        names.push(other.to_owned());
        ControlFlow::Continue(())
    })?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(nearest(name, &names).map(ToOwned::to_owned))
}

/// Returns the path of the member whose name is similar to a key that a resource does not have.
fn near_key<V: Value>(item: &V, key: &str) -> Result<Option<String>, ReadError> {
    let (mut value, mut path) = (item.clone(), String::new());
    for name in key.split('.') {
        match value.member(name)? {
            Some(member) => value = member,
            None => return Ok(near_name(&value, name)?.map(|near| path + &near)),
        }
        path = path + name + ".";
    }
    Ok(None)
}

/// What an answer has of one resource.
#[derive(Clone, Debug)]
pub(super) struct Found<V> {
    /// At most one item.
    items: Vec<V>,
    /// The item has the identifier itself, and not only as the last part of an ARN.
    is_exact: bool,
    /// Another item has the identifier in the same way.
    is_ambiguous: bool,
    also: Vec<Vec<V>>,
}

impl<V: Value> Found<V> {
    fn new(also: &[(Chain, String)]) -> Self {
        Self {
            items: Vec::new(),
            is_exact: false,
            is_ambiguous: false,
            also: vec![Vec::new(); also.len()],
        }
    }

    /// Adds a resource. The identifier itself wins over the last part of an ARN.
    fn add(&mut self, item: V, is_exact: bool) {
        if self.items.is_empty() || (is_exact && !self.is_exact) {
            self.items = vec![item];
            self.is_exact = is_exact;
            self.is_ambiguous = false;
        } else if is_exact == self.is_exact {
            self.is_ambiguous = true;
        }
    }

    /// Returns the resource, unless the answer has only other entries of its identifier.
    pub(super) fn item(&self) -> Option<&V> {
        self.items.first()
    }
}

/// An answer that holds one resource, without a copy of it.
///
/// A binding whose size matters also reads all other responses as `View::Item`, so that the engine is compiled for one type.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "bindings construct one variant")]
pub enum View<'f, V> {
    /// A value of the host.
    Item(V),
    /// A place on the way to the resource.
    Place(Place<'f, V>),
}

/// The branches that go through a place.
#[derive(Debug)]
pub struct Place<'f, V> {
    branches: &'f [Branch<'f, V>],
    /// The segments on the way to the place.
    path: &'f [Segment],
}

/// A chain, and the values at its end.
#[derive(Debug)]
struct Branch<'f, V> {
    segments: &'f [Segment],
    values: &'f [V],
}

// Derived, they would require `V: Copy`.
impl<V> Clone for Place<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Place<'_, V> {}

impl<'f, V: Value> Place<'f, V> {
    /// Returns the branches that go on from here, each with its next segment.
    fn ways(self) -> impl Iterator<Item = (&'f Segment, &'f Branch<'f, V>)> {
        self.branches.iter().filter_map(move |branch| {
            let rest = branch.segments.strip_prefix(self.path)?;
            Some((rest.first()?, branch))
        })
    }

    fn is_list(self) -> bool {
        matches!(self.ways().next(), Some((Segment::Items, _)))
    }

    /// Returns the values of a list at the end of a chain.
    fn values(self) -> Option<&'f [V]> {
        let (_, first) = self.ways().next()?;
        let end = first.segments.get(..=self.path.len())?;
        (end.len() == first.segments.len()).then_some(first.values)
    }

    /// Returns the next place on the way of a branch.
    fn after(self, branch: &Branch<'f, V>) -> View<'f, V> {
        let path = branch.segments.get(..=self.path.len());
        let path = path.unwrap_or(branch.segments);
        View::Place(Self { path, ..self })
    }

    fn enter(self, is_next: impl Fn(&Segment) -> bool) -> Option<View<'f, V>> {
        let mut ways = self.ways();
        let way = ways.find(|(next, _)| is_next(next));
        way.map(|(_, branch)| self.after(branch))
    }

    fn member(self, name: &str) -> Option<View<'f, V>> {
        self.enter(|next| matches!(next, Segment::Member(member) if member == name))
    }

    /// Returns the members, each once.
    fn members(self) -> Vec<(&'f str, View<'f, V>)> {
        let mut members: Vec<(&str, _)> = Vec::new();
        for (next, branch) in self.ways() {
            if let Segment::Member(name) = next
                && members.iter().all(|(other, _)| other != name)
            {
                members.push((name, self.after(branch)));
            }
        }
        members
    }

    fn len(self) -> usize {
        match self.values() {
            Some(values) => values.len(),
            // A list on the way has one entry, which leads to the values.
            None if self.is_list() => {
                usize::from(self.ways().any(|(_, branch)| !branch.values.is_empty()))
            }
            None => self.members().len(),
        }
    }

    fn item(self, index: usize) -> Option<View<'f, V>> {
        match self.values() {
            Some(values) => values.get(index).cloned().map(View::Item),
            None if index < self.len() => self.enter(|next| *next == Segment::Items),
            None => None,
        }
    }
}

impl<V: Value> Value for View<'_, V> {
    fn kind(&self) -> Result<Kind, ReadError> {
        match self {
            Self::Item(value) => value.kind(),
            Self::Place(place) if place.is_list() => Ok(Kind::Array),
            Self::Place(_) => Ok(Kind::Object),
        }
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        match self {
            Self::Item(value) => value.text(),
            _ => Ok(Cow::Borrowed("")),
        }
    }

    fn len(&self) -> Result<usize, ReadError> {
        match self {
            Self::Item(value) => value.len(),
            Self::Place(place) => Ok(place.len()),
        }
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        match self {
            Self::Item(value) => Ok(value.item(index)?.map(Self::Item)),
            Self::Place(place) => Ok(place.item(index)),
        }
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        match self {
            Self::Item(value) => Ok(value.member(name)?.map(Self::Item)),
            Self::Place(place) => Ok(place.member(name)),
        }
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        match self {
            Self::Item(value) => value.members(&mut |name, member| visit(name, Self::Item(member))),
            Self::Place(place) => {
                for (name, member) in place.members() {
                    if visit(name, member).is_break() {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    fn text_start(&self, code_points: usize) -> Result<Cow<'_, str>, ReadError> {
        match self {
            Self::Item(value) => value.text_start(code_points),
            _ => self.text(),
        }
    }

    fn text_len(&self) -> Result<usize, ReadError> {
        match self {
            Self::Item(value) => value.text_len(),
            _ => Ok(0),
        }
    }

    fn text_is(&self, expected: &Name) -> Result<bool, ReadError> {
        match self {
            Self::Item(value) => value.text_is(expected),
            _ => Ok(false),
        }
    }

    fn member_at(&self, path: &[Name]) -> Result<Option<Self>, ReadError> {
        let Some((first, rest)) = path.split_first() else {
            return Ok(Some(self.clone()));
        };
        if let Self::Item(value) = self {
            return Ok(value.member_at(path)?.map(Self::Item));
        }
        match self.member(first.as_str())? {
            Some(member) => member.member_at(rest),
            None => Ok(None),
        }
    }

    fn items_at(
        &self,
        path: &[Name],
        keep_arrays: bool,
        visit: &mut dyn FnMut(Result<ItemAt<Self>, ReadError>) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        match self {
            Self::Item(value) => value.items_at(path, keep_arrays, &mut |item| {
                visit(item.map(|item| item.map(Self::Item)))
            }),
            _ => self.items(&mut |item| visit(ItemAt::of(item, path, keep_arrays))),
        }
    }

    fn identity(&self) -> Result<Option<String>, ReadError> {
        match self {
            Self::Item(value) => value.identity(),
            _ => Ok(None),
        }
    }

    fn warning(&self) -> Option<String> {
        match self {
            Self::Item(value) => value.warning(),
            _ => None,
        }
    }
}
