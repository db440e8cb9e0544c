//! Services and the shapes reachable from their operations.

use std::collections::BTreeMap;
use std::iter::successors;

use smithy_waiters_model::{
    At, Event, Kind, Model, Severity, Shape, Sources, id, lint, similar_names,
};

use super::element;
use super::operation::Operation;
use crate::error::GenerateError;

/// A service.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Service<'m> {
    /// The source texts of the model.
    pub sources: &'m Sources,
    /// The model.
    pub model: &'m Model<'m>,
    /// The shape.
    pub shape: &'m Shape<'m>,
    /// The name of the shape: `DynamoDB_20120810`.
    pub name: &'m str,
    /// The `sdkId` of the `aws.api#service` trait: `DynamoDB`, `Elastic Load Balancing v2`.
    pub sdk_id: Option<&'m str>,
    /// The documentation.
    pub documentation: Option<&'m str>,
    /// The operations, sorted by id.
    pub operations: Vec<Operation<'m>>,
    /// The shapes reachable from the inputs, outputs and errors of the operations, by id.
    pub shapes: BTreeMap<&'m str, &'m Shape<'m>>,
    /// `true` to generate waiters without the request metadata of the operations.
    pub has_only_waiters: bool,
}

/// The waiters of a model to generate code for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers create it, with a default for the other members"
)]
pub struct Selection {
    /// The only waiters. If it is empty, all waiters are selected, together with paginators and request metadata.
    pub only: Vec<String>,
    /// The waiters that are left out.
    pub excluded: Vec<String>,
}

impl Selection {
    /// Returns `true` if code is generated for the waiter.
    fn contains(&self, waiter: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|name| name == waiter);
        (self.only.is_empty() || is_in(&self.only)) && !is_in(&self.excluded)
    }

    /// Removes services without waiters, paginators and request metadata if only some waiters are selected.
    pub fn reduce(&self, services: &mut Vec<Service<'_>>) {
        if !self.only.is_empty() {
            services.retain(|service| service.waiters().next().is_some());
            services.iter_mut().for_each(Service::retain_waiters_only);
        }
    }
}

/// Reads a model and removes the waiters that are not selected.
///
/// # Errors
///
/// [`GenerateError::UnknownWaiter`] if the model doesn't contain a waiter that the selection names.
pub fn read<'m>(sources: &'m Sources, selection: &Selection) -> Result<Model<'m>, GenerateError> {
    let mut model = smithy_waiters_model::read(sources);
    let known = model.waiter_names();
    let mut names = selection.only.iter().chain(&selection.excluded);
    if let Some(name) = names.find(|name| !known.contains(name.as_str())) {
        let similar = similar_names(name, known).into_iter();
        return Err(GenerateError::UnknownWaiter {
            name: name.clone(),
            similar: similar.map(|name| format!("`{name}`")).collect(),
        });
    }
    model.retain_waiters(sources, |waiter| selection.contains(waiter));
    Ok(model)
}

/// Returns the services with the given ids or names, or all services if `wanted` is empty.
///
/// # Errors
///
/// - [`GenerateError::Model`] if the linter reports an error or a danger.
/// - [`GenerateError::Endless`] if a list or map contains itself.
/// - [`GenerateError::UnknownService`] if the model doesn't contain a wanted service.
pub fn services<'m>(
    sources: &'m Sources,
    model: &'m Model<'m>,
    wanted: &[String],
) -> Result<Vec<Service<'m>>, GenerateError> {
    reject_lint_errors(sources, model)?;
    if let Some(shape) = model.shapes().iter().find(|shape| is_endless(model, shape)) {
        let (place, id) = (place(sources, shape.at), shape.id.to_owned());
        return Err(GenerateError::Endless { place, id });
    }
    let mut all: Vec<&Shape<'_>> = model.of_kind(Kind::Service).collect();
    all.sort_by_key(|service| service.id);
    let is = |service: &Shape<'_>, name: &str| service.id == name || id::name(service.id) == name;
    for name in wanted {
        if !all.iter().any(|service| is(service, name)) {
            let known = all.iter().map(|service| format!("`{}`", service.id));
            let (name, known) = (name.clone(), known.collect());
            return Err(GenerateError::UnknownService { name, known });
        }
    }
    let is_wanted =
        |service: &&Shape<'_>| wanted.is_empty() || wanted.iter().any(|name| is(service, name));
    let services = all.into_iter().filter(is_wanted);
    let services = services.map(|service| Service::of(sources, model, service));
    let mut services: Vec<Service<'_>> = services.collect();
    redact_sensitive(model, &mut services)?;
    Ok(services)
}

/// Adds the paths of sensitive members to the definitions. Generated code has no model to read them from.
fn redact_sensitive(model: &Model<'_>, services: &mut [Service<'_>]) -> Result<(), GenerateError> {
    let ast = model.to_ast();
    if !ast.contains("\"smithy.api#sensitive\"") {
        return Ok(());
    }
    let ast = serde_json::from_str(&ast).unwrap_or_default();
    for service in services {
        let waiters = service.operations.iter_mut();
        for waiter in waiters.flat_map(|operation| &mut operation.waiters) {
            let id = Some(service.shape.id);
            let parsed = smithy_waiters::Waiter::from_model_value(&ast, waiter.name, id);
            let parsed = parsed.map_err(|error| GenerateError::Model(vec![error.to_string()]))?;
            waiter.redact(parsed.redact());
        }
    }
    Ok(())
}

/// Returns the lint events for which no code is generated: those of the severity danger or error.
#[must_use]
pub fn refused_events(model: &Model<'_>) -> Vec<Event> {
    let mut events = lint(model);
    events.retain(|event| event.severity >= Severity::Danger);
    events
}

/// Returns an error for the refused events.
fn reject_lint_errors(sources: &Sources, model: &Model<'_>) -> Result<(), GenerateError> {
    let events = refused_events(model);
    let messages = events.iter().map(|event| {
        let at = event.culprit.map_or(event.at, |culprit| culprit.value);
        let place = place(sources, at);
        format!("{place}{}: {}", event.id, event.message)
    });
    let messages: Vec<String> = messages.collect();
    if messages.is_empty() {
        Ok(())
    } else {
        Err(GenerateError::Model(messages))
    }
}

/// Returns `true` for a list or map that contains itself through lists and maps only.
fn is_endless<'m>(model: &'m Model<'m>, shape: &'m Shape<'m>) -> bool {
    let next = |shape: &&'m Shape<'m>| model.shape(element(shape)?.target);
    let inner = successors(next(&shape), next);
    // The cycle may consist of other shapes, so the number of steps is limited.
    let mut inner = inner.take(model.shapes().len());
    inner.any(|inner| inner.id == shape.id)
}

/// Formats a position with a separator: `model.smithy:3:1: `. Returns an empty text for an unknown position.
fn place(sources: &Sources, at: At) -> String {
    let position = sources.position(at);
    position.map_or_else(String::new, |at| {
        format!("{}:{}:{}: ", at.file, at.line, at.column)
    })
}

impl<'m> Service<'m> {
    fn of(sources: &'m Sources, model: &'m Model<'m>, shape: &'m Shape<'m>) -> Self {
        let operations = model.operations(shape).into_iter();
        let operations: Vec<Operation<'m>> = operations
            .map(|operation| Operation::of(model, shape, operation))
            .collect();
        let errors = operations.iter().flat_map(|operation| &operation.errors);
        let errors = errors.map(|error| error.shape);
        let shapes = reachable_shapes(model, sides(&operations).chain(errors));
        let sdk = shape.find_trait("aws.api#service");
        Self {
            sources,
            model,
            shape,
            name: id::name(shape.id),
            sdk_id: sdk.and_then(|sdk| sdk.value.member("sdkId")?.as_str()),
            documentation: super::documentation(shape),
            shapes,
            operations,
            has_only_waiters: false,
        }
    }

    /// Removes the paginators and the request metadata. The operations remain, because names must not collide with
    /// theirs.
    fn retain_waiters_only(&mut self) {
        self.has_only_waiters = true;
        for operation in &mut self.operations {
            operation.pagination = None;
        }
    }

    /// Returns `true` if code for the request metadata of the operations is generated.
    pub(crate) const fn has_metadata(&self) -> bool {
        !self.has_only_waiters && !self.operations.is_empty()
    }

    /// Returns the first sentence of a file's documentation.
    pub(crate) fn summary(&self) -> String {
        let parts = if self.has_only_waiters {
            "Waiters"
        } else {
            "Waiters, paginators and request metadata"
        };
        format!("{parts} for {}.", self.title())
    }

    /// Formats a position in the sources with a separator: `model.smithy:3:1: `. Returns an empty text for an unknown
    /// position.
    #[must_use]
    pub fn place(&self, at: At) -> String {
        place(self.sources, at)
    }

    /// Returns each waiter with its operation.
    pub fn waiters(&self) -> impl Iterator<Item = (&Operation<'m>, &super::Waiter<'m>)> {
        let operations = self.operations.iter();
        operations.flat_map(|operation| {
            let waiters = operation.waiters.iter();
            waiters.map(move |waiter| (operation, waiter))
        })
    }

    /// Returns the paginated operations with their pagination.
    pub fn paginated_operations(
        &self,
    ) -> impl Iterator<Item = (&Operation<'m>, &super::Pagination<'m>)> {
        let operations = self.operations.iter();
        operations.filter_map(|operation| Some((operation, operation.pagination.as_ref()?)))
    }

    /// Returns the operations that generated code calls: those with waiters or pagination.
    pub fn callable_operations(&self) -> impl Iterator<Item = &Operation<'m>> {
        let operations = self.operations.iter();
        operations
            .filter(|operation| !operation.waiters.is_empty() || operation.pagination.is_some())
    }

    /// Returns the title of the service, or else its `sdkId` or its name.
    #[must_use]
    pub fn title(&self) -> &'m str {
        let title = self.shape.find_trait("smithy.api#title");
        let title = title.and_then(|title| title.value.as_str());
        title.or(self.sdk_id).unwrap_or(self.name)
    }

    /// Returns the name of a shape in this service.
    #[must_use]
    pub fn name_of<'s>(&self, shape: &Shape<'s>) -> &'s str
    where
        'm: 's,
    {
        self.model.name_in(self.shape, shape.id)
    }

    /// Returns the shapes reachable from the inputs and outputs of the given operations, by id.
    #[must_use]
    pub fn reachable_shapes(
        &self,
        operations: &[&Operation<'m>],
    ) -> BTreeMap<&'m str, &'m Shape<'m>> {
        reachable_shapes(self.model, sides(operations.iter().copied()))
    }

    /// Returns the target shape of a member, or `None` for a shape of the prelude.
    #[must_use]
    pub fn target(&self, id: &str) -> Option<&'m Shape<'m>> {
        self.shapes.get(id).copied()
    }
}

fn sides<'o, 'm: 'o>(
    operations: impl IntoIterator<Item = &'o Operation<'m>>,
) -> impl Iterator<Item = &'m Shape<'m>> {
    let operations = operations.into_iter();
    operations.flat_map(|operation| operation.input.into_iter().chain(operation.output))
}

const UNIT: &str = "smithy.api#Unit";

fn reachable_shapes<'m>(
    model: &'m Model<'m>,
    from: impl Iterator<Item = &'m Shape<'m>>,
) -> BTreeMap<&'m str, &'m Shape<'m>> {
    let mut shapes = BTreeMap::new();
    let mut pending: Vec<&Shape<'_>> = from.collect();
    while let Some(shape) = pending.pop() {
        // The unit has no type. Union members without a value target it.
        if shape.id != UNIT && shapes.insert(shape.id, shape).is_none() {
            // The members of an enum are its values and have no targets of interest.
            let is_enum = matches!(shape.kind, Kind::Enum | Kind::IntEnum);
            let targets = shape.members.iter().filter(|_| !is_enum);
            pending.extend(targets.filter_map(|member| model.shape(member.target)));
        }
    }
    shapes
}
