//! The suites of a model.

use std::collections::BTreeMap;

use smithy_waiters_model::{Kind, Model, Shape, id};

use crate::Protocol;
use crate::acceptor::Acceptor;
use crate::suite::{Service, Suite};
use crate::waiter::Deriver;
use crate::wire::Wire;

/// The origin of a model, for the suites that are derived from it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Origin {
    /// The first part of all ids. By default it is derived from the name of the service.
    pub suite: Option<String>,
    /// botocore's name of the service.
    pub botocore: Option<String>,
    /// The file of the model.
    pub model: Option<String>,
    /// The source and its version.
    pub source: Option<String>,
}

/// Derives a suite for each service with waiters. A model without a service has one suite, whose answers have values only.
#[must_use]
pub fn suites<'m>(model: &'m Model<'m>, origin: &Origin) -> Vec<Suite> {
    let services: Vec<&Shape<'_>> = model.of_kind(Kind::Service).collect();
    let of_service =
        |service: &&'m Shape<'m>| suite(model, Some(service), model.operations(service), origin);
    let mut suites: Vec<Suite> = services.iter().map(of_service).collect();
    if services.is_empty() {
        let mut operations: Vec<&Shape<'_>> = model.of_kind(Kind::Operation).collect();
        operations.sort_by_key(|operation| operation.id);
        suites.push(suite(model, None, operations, origin));
    }
    suites.retain(|suite| !suite.waiters.is_empty());
    suites
}

fn suite<'m>(
    model: &'m Model<'m>,
    service: Option<&'m Shape<'m>>,
    operations: Vec<&'m Shape<'m>>,
    origin: &Origin,
) -> Suite {
    let first = operations
        .first()
        .map_or("", |operation| id::namespace(operation.id));
    let shape = service.map_or(first, |service| service.id);
    let sdk = service.and_then(|service| service.find_trait("aws.api#service"));
    let sdk_id = sdk.and_then(|sdk| sdk.value.member("sdkId")?.as_str());
    let version = service.and_then(|service| service.property("version")?.as_str());
    let name = sdk_id.unwrap_or_else(|| service.map_or(shape, |service| id::name(service.id)));
    let name = origin.suite.clone().unwrap_or_else(|| identifier(name));
    let protocols = service.map_or_else(Vec::new, Protocol::of);
    let mut suite = Suite {
        version: 1,
        kind: "verdicts".to_owned(),
        suite: name,
        about: None,
        service: Service {
            shape: shape.to_owned(),
            sdk_id: sdk_id.map(str::to_owned),
            botocore: origin.botocore.clone(),
            api_version: version.map(str::to_owned),
            protocol: protocols.first().map(|protocol| protocol.name().to_owned()),
            model: origin.model.clone(),
            source: origin.source.clone(),
        },
        waiters: BTreeMap::new(),
        cases: Vec::new(),
        not_covered: Vec::new(),
    };
    for operation in operations {
        let applied = operation.find_trait(id::WAITABLE);
        for waiter in applied.map_or(&[][..], |applied| applied.value.entries()) {
            let wire = Wire {
                model,
                service,
                operation,
            };
            let acceptors = Acceptor::all(model, operation, &waiter.value);
            Deriver::new(wire, &protocols, waiter, &acceptors, &suite.suite).run(&mut suite);
        }
    }
    suite
}

/// Returns a name in the grammar of ids.
fn identifier(name: &str) -> String {
    let letters = name.chars().map(|letter| {
        if letter.is_ascii_alphanumeric() {
            letter.to_ascii_lowercase()
        } else {
            '-'
        }
    });
    letters.collect()
}
