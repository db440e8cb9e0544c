//! A service and the shapes that its operations lead to.

use std::collections::BTreeMap;
use std::iter::successors;

use smithy_waiters_model::{At, Kind, Model, Severity, Shape, Sources, id, lint};

use super::operation::Operation;
use super::{Type, element};
use crate::error::GenerateError;

/// A service.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Service<'m> {
    /// The texts of the model.
    pub sources: &'m Sources,
    /// The model that it is of.
    pub model: &'m Model<'m>,
    /// Its shape.
    pub shape: &'m Shape<'m>,
    /// The name of the shape: `DynamoDB_20120810`.
    pub name: &'m str,
    /// What AWS's SDKs call it, `aws.api#service`'s `sdkId`: `DynamoDB`, `Elastic Load Balancing v2`.
    pub sdk_id: Option<&'m str>,
    /// Its documentation.
    pub documentation: Option<&'m str>,
    /// Its operations, in the order of their ids.
    pub operations: Vec<Operation<'m>>,
    /// The shapes that the inputs, outputs and errors of its operations lead to, by their ids; each once, however they recur.
    pub shapes: BTreeMap<&'m str, &'m Shape<'m>>,
}

/// Reads a model without some of its waiters, which are named.
///
/// # Errors
///
/// [`GenerateError::UnknownWaiter`]
pub fn read<'m>(sources: &'m Sources, excluded: &[String]) -> Result<Model<'m>, GenerateError> {
    let mut model = smithy_waiters_model::read(sources);
    let excluded: Vec<&str> = excluded.iter().map(String::as_str).collect();
    match model.exclude_waiters(sources, &excluded)[..] {
        [] => Ok(model),
        [name, ..] => Err(GenerateError::UnknownWaiter(name.to_owned())),
    }
}

/// The services of a model of these sources: those that are named, by absolute id or name, or all.
///
/// # Errors
///
/// - [`GenerateError::Model`] where the linter finds an error or a danger, in its own words
/// - [`GenerateError::Endless`]
/// - [`GenerateError::UnknownService`]
pub fn services<'m>(
    sources: &'m Sources,
    model: &'m Model<'m>,
    wanted: &[String],
) -> Result<Vec<Service<'m>>, GenerateError> {
    refuse(sources, model)?;
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

/// Writes the paths of sensitive members into the definitions: generated code waits without the model.
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

/// What the linter refuses by default.
fn refuse(sources: &Sources, model: &Model<'_>) -> Result<(), GenerateError> {
    let events = lint(model);
    let bad = events
        .iter()
        .filter(|event| event.severity >= Severity::Danger);
    let said = bad.map(|event| {
        let at = event.culprit.map_or(event.at, |culprit| culprit.value);
        let place = place(sources, at);
        format!("{place}{}: {}", event.id, event.message)
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() {
        Ok(())
    } else {
        Err(GenerateError::Model(said))
    }
}

/// Whether it is a list or a map whose elements hold, through nothing but lists and maps, itself.
fn is_endless<'m>(model: &'m Model<'m>, shape: &'m Shape<'m>) -> bool {
    let next = |shape: &&'m Shape<'m>| model.shape(element(shape)?.target);
    let inner = successors(next(&shape), next);
    // What it leads to may be endless without it.
    let mut inner = inner.take(model.shapes().len());
    inner.any(|inner| inner.id == shape.id)
}

/// A place as people read it, with what follows it; nothing where it is nowhere.
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
        }
    }

    /// A place in its texts as people read it: `model.smithy:3:1: `, nothing where it is nowhere.
    #[must_use]
    pub fn place(&self, at: At) -> String {
        place(self.sources, at)
    }

    /// The operations that have waiters, with each of them.
    pub fn waiters(&self) -> impl Iterator<Item = (&Operation<'m>, &super::Waiter<'m>)> {
        let operations = self.operations.iter();
        operations.flat_map(|operation| {
            let waiters = operation.waiters.iter();
            waiters.map(move |waiter| (operation, waiter))
        })
    }

    /// The operations whose results come in pages, and how.
    pub fn paginated_operations(
        &self,
    ) -> impl Iterator<Item = (&Operation<'m>, &super::Pagination<'m>)> {
        let operations = self.operations.iter();
        operations.filter_map(|operation| Some((operation, operation.pagination.as_ref()?)))
    }

    /// The operations that generated code calls: those with waiters, and those with pages.
    pub fn callable_operations(&self) -> impl Iterator<Item = &Operation<'m>> {
        let operations = self.operations.iter();
        operations
            .filter(|operation| !operation.waiters.is_empty() || operation.pagination.is_some())
    }

    /// What people call it: its title, else what AWS's SDKs call it, else its name.
    #[must_use]
    pub fn title(&self) -> &'m str {
        let title = self.shape.find_trait("smithy.api#title");
        let title = title.and_then(|title| title.value.as_str());
        title.or(self.sdk_id).unwrap_or(self.name)
    }

    /// What one of its shapes is called in it.
    #[must_use]
    pub fn name_of<'s>(&self, shape: &Shape<'s>) -> &'s str
    where
        'm: 's,
    {
        self.model.name_in(self.shape, shape.id)
    }

    /// The shapes that the inputs and outputs of some of its operations lead to, by their ids.
    #[must_use]
    pub fn reachable_shapes(
        &self,
        operations: &[&Operation<'m>],
    ) -> BTreeMap<&'m str, &'m Shape<'m>> {
        reachable_shapes(self.model, sides(operations.iter().copied()))
    }

    /// What the elements of an array or the values of a map are.
    #[must_use]
    pub fn element(&self, of: &Type<'m, 'm>) -> Type<'m, 'm> {
        of.element(self.model)
    }

    /// The shape that a member or list refers to, if it is one of the model's own.
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
    let mut open: Vec<&Shape<'_>> = from.collect();
    while let Some(shape) = open.pop() {
        // The unit stands for nothing, in unions.
        if shape.id != UNIT && shapes.insert(shape.id, shape).is_none() {
            // The members of enums are values.
            let is_enum = matches!(shape.kind, Kind::Enum | Kind::IntEnum);
            let targets = shape.members.iter().filter(|_| !is_enum);
            open.extend(targets.filter_map(|member| model.shape(member.target)));
        }
    }
    shapes
}
