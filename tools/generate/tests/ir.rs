//! The intermediate representation: typed and sorted. Invalid models are rejected with the linter's messages.

use std::fs;
use std::path::Path;

use smithy_waiters_generate::ir::{self, Comparator, Fault, Matcher, State};
use smithy_waiters_generate::names;
use smithy_waiters_model::{Sources, read};

const MODEL: &str = r#"$version: "2"
namespace example
use smithy.waiters#waitable
@paginated(inputToken: "next", pageSize: "limit")
service Store { operations: [GetThings, PutThing], errors: [Busy] }
@readonly
@paginated(outputToken: "page.next", items: "page.things")
@waitable(ThingsReady: {
    documentation: "Waits for things."
    minDelay: 5
    acceptors: [
        { state: "success", matcher: { output: { path: "page.things[].state", comparator: "allStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { errorType: "example#Gone" } }
    ]
})
operation GetThings {
    input := { next: String, limit: Integer }
    output := { page: Page }
    errors: [Gone]
}
operation PutThing { input := { @idempotencyToken token: String } }
structure Page { next: String, things: Things }
list Things { member: Thing }
structure Thing { state: String, parts: Things }
@error("client") structure Gone {}
@error("server") @retryable(throttling: true) structure Busy {}
"#;

fn sources(text: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add("model.smithy", text);
    sources
}

#[test]
fn a_service_has_its_operations_with_all_that_is_said_of_them() {
    let sources = sources(MODEL);
    let model = read(&sources);
    let services = ir::services(&sources, &model, &[]).unwrap();
    let [service] = &services[..] else {
        panic!("{}", services.len())
    };
    let [get, put] = &service.operations[..] else {
        panic!("{}", service.operations.len())
    };
    assert_eq!(
        (get.name, get.idempotent, put.idempotent),
        ("GetThings", true, false)
    );
    assert_eq!(put.idempotency_token.unwrap().name, "token");
    let errors: Vec<_> = get
        .errors
        .iter()
        .map(|error| (error.name, error.fault, error.retryable, error.throttling))
        .collect();
    assert_eq!(
        errors,
        [
            ("Gone", Fault::Client, false, false),
            ("Busy", Fault::Server, true, true)
        ]
    );
    let pages = get.pagination.as_ref().unwrap();
    assert_eq!(
        (pages.input_token, pages.output_token_path, pages.page_size),
        ("next", "page.next", Some("limit"))
    );
    assert!(pages.items.is_some());
    let shapes: Vec<_> = service
        .shapes
        .keys()
        .copied()
        .filter(|id| id.starts_with("example#Th"))
        .collect();
    assert_eq!(
        shapes,
        ["example#Thing", "example#Things"],
        "each once, though they recur"
    );
}

#[test]
fn a_waiter_has_typed_acceptors_and_the_engines_definition() {
    let sources = sources(MODEL);
    let model = read(&sources);
    let services = ir::services(&sources, &model, &["Store".to_owned()]).unwrap();
    let (_, waiter) = services[0].waiters().next().unwrap();
    assert_eq!(
        (waiter.name, waiter.min_delay, waiter.max_delay),
        ("ThingsReady", 5, 120)
    );
    assert_eq!(waiter.documentation, Some("Waits for things."));
    let Matcher::Path(path) = &waiter.acceptors[0].matcher else {
        panic!("{waiter:?}")
    };
    assert_eq!(
        (path.comparator, path.expected),
        (Comparator::AllStringEquals, "READY")
    );
    assert!(matches!(
        waiter.acceptors[1].matcher,
        Matcher::ErrorType("Gone")
    ));
    assert_eq!(waiter.acceptors[1].state, State::Failure);
    smithy_waiters::Waiter::named(waiter.name, &waiter.definition).unwrap();
    assert!(!waiter.definition.contains("documentation"));
}

#[test]
fn of_a_map_no_keys_are_told_that_nobody_gave_it() {
    let text = MODEL.replace("page.things[].state", "page.byName.some.state");
    let text = text.replace("things: ", "byName: ByName, things: ");
    let sources = sources(&(text + "map ByName { key: String, value: Thing }\n"));
    let model = read(&sources);
    let error = ir::services(&sources, &model, &[]).unwrap_err().to_string();
    assert!(
        error.contains("ThingsReady.0") && error.contains("the map may not contain the key `some`"),
        "{error}"
    );
}

#[test]
fn a_service_that_is_not_there_is_an_error_with_those_that_are() {
    let sources = sources(MODEL);
    let model = read(&sources);
    let error = ir::services(&sources, &model, &["Thing".to_owned()]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown service `Thing`, expected one of: `example#Store`"
    );
}

#[test]
fn names_of_the_generated_code_are_not_taken() {
    let mut scope = names::Scope::new("Rust", ["Option"]);
    let name = scope.take("Option", "Waiter", "the waiter `Option`");
    assert_eq!(name.unwrap(), "OptionWaiter");
    assert_eq!(scope.free("OptionWaiter"), "OptionWaiter2");
    assert_eq!(scope.free("OptionWaiter"), "OptionWaiter3");
}

/// Every path of every service's waiters has a fully typed tree.
#[test]
fn the_waiters_of_all_services_are_typed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/data/aws-models");
    let Ok(files) = fs::read_dir(&folder) else {
        eprintln!("SKIPPED: AWS's models; `cargo xtask data` fetches them");
        return;
    };
    let mut waiters = 0;
    for file in files.map(|file| file.unwrap().path()) {
        let name = file.to_str().unwrap();
        let mut sources = Sources::default();
        sources.add(name, fs::read_to_string(&file).unwrap());
        let model = read(&sources);
        for service in ir::services(&sources, &model, &[]).unwrap() {
            for (operation, waiter) in service.waiters() {
                waiters += 1;
                let modeled = operation
                    .shape
                    .find_trait("smithy.waiters#waitable")
                    .unwrap()
                    .value
                    .member(waiter.name)
                    .unwrap();
                assert_eq!(
                    waiter.acceptors.len(),
                    modeled.member("acceptors").unwrap().elements().len(),
                    "{}",
                    waiter.name
                );
            }
            for operation in &service.operations {
                assert_eq!(
                    operation.pagination.is_some(),
                    operation.shape.has_trait("smithy.api#paginated"),
                    "{}",
                    operation.name
                );
            }
        }
    }
    assert_eq!(waiters, 213);
}

#[test]
fn an_error_is_known_by_its_shape_and_its_code() {
    let code = "@aws.protocols#awsQueryError(code: \"Missing\", httpResponseCode: 404)";
    let text = MODEL.replace("structure Gone {}", &format!("{code}\nstructure Gone {{}}"));
    let sources = sources(&text);
    let model = read(&sources);
    let services = ir::services(&sources, &model, &[]).unwrap();
    let get = services[0].operations.first().unwrap();
    assert_eq!(get.error_names("Gone"), ["Gone", "Missing"]);
    assert_eq!(get.error_names("Missing"), ["Missing", "Gone"]);
    assert_eq!(get.error_names("Busy"), ["Busy"]);
}

/// `Gone` has the code `Missing`, which is the name of another shape.
#[test]
fn a_name_that_two_errors_may_have_is_the_shapes() {
    let code = "@aws.protocols#awsQueryError(code: \"Missing\", httpResponseCode: 404)";
    let missing = "@error(\"server\") structure Missing {}";
    let text = MODEL
        .replace(
            "structure Gone {}",
            &format!("{code}\nstructure Gone {{}}\n{missing}"),
        )
        .replace("errors: [Gone]", "errors: [Gone, Missing]");
    let sources = sources(&text);
    let model = read(&sources);
    let services = ir::services(&sources, &model, &[]).unwrap();
    let get = services[0].operations.first().unwrap();
    assert_eq!(get.error("Missing").unwrap().name, "Missing");
    assert_eq!(get.error_names("Missing"), ["Missing"]);
    assert_eq!(get.error_names("Gone"), ["Gone"]);
}

#[test]
fn waiters_are_in_an_order_that_the_model_does_not_decide() {
    let waiter = "{ acceptors: [{ state: \"success\", matcher: { success: true } }] }";
    for order in [["A", "B"], ["B", "A"]] {
        let waiters = order.map(|name| format!("{name}: {waiter}"));
        let text = MODEL.replace("@waitable(", &format!("@waitable({}, ", waiters.join(", ")));
        let sources = sources(&text);
        let model = read(&sources);
        let services = ir::services(&sources, &model, &[]).unwrap();
        let names: Vec<_> = services[0].waiters().map(|(_, one)| one.name).collect();
        assert_eq!(names, ["A", "B", "ThingsReady"]);
    }
}

#[test]
fn a_list_that_holds_only_itself_is_refused_with_its_place() {
    for own in [
        "list Inner { member: Outer }",
        "map Inner { key: String, value: Outer }",
    ] {
        let text = format!("{MODEL}\nlist Outer {{ member: Inner }}\n{own}\n");
        let sources = sources(&text);
        let error = ir::services(&sources, &read(&sources), &[]).unwrap_err();
        let said = error.to_string();
        assert!(
            said.ends_with("Outer` contains itself, which only structures and unions may"),
            "{said}"
        );
        assert!(said.contains(".smithy:"), "{said}");
        // A path through a structure ends at a missing member.
        let text = text.replace(
            "list Outer { member: Inner }",
            "list Outer { member: Own }\nstructure Own { inner: Inner }",
        );
        let sources = self::sources(&text);
        assert!(ir::services(&sources, &read(&sources), &[]).is_ok());
    }
}

#[test]
fn definitions_redact_the_sensitive_members_of_the_output() {
    let text = MODEL.replace(
        "structure Thing { state: String,",
        "@sensitive\nstring Secret\nstructure Thing { state: Secret,",
    );
    let sources = sources(&text);
    let model = read(&sources);
    let services = ir::services(&sources, &model, &[]).unwrap();
    let (_, waiter) = services[0].waiters().next().unwrap();
    assert!(
        waiter
            .definition
            // A thing holds further things, which are hidden whole.
            .contains(r#""redact":["page.things.parts","page.things.state"]"#),
        "{}",
        waiter.definition
    );
}
