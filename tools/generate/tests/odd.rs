//! Unusual models: names that conflict with keywords or generated code, and odd documentation.
//!
//! `cargo xtask test --only generated-rust,generated-typescript,generated-python` checks that the code compiles.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;
use std::path::Path;

use smithy_waiters_generate::ir::{self, Definition, Selection};
use smithy_waiters_generate::python::Python;
use smithy_waiters_generate::rust::Rust;
use smithy_waiters_generate::typescript::TypeScript;
use smithy_waiters_generate::{Backend, Build, GenerateError};
use smithy_waiters_model::{Sources, read};

/// Returns the backend for a service without an AWS `sdkId`, with the crate that such an id would imply.
fn rust() -> Rust {
    Rust::for_client(Some("aws_sdk_things".to_owned()))
}

fn odd() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/generated/odd.smithy");
    fs::read_to_string(path).unwrap()
}

fn generated(backend: &dyn Backend, text: &str) -> Result<String, GenerateError> {
    let mut sources = Sources::default();
    sources.add("odd.smithy", text);
    let model = read(&sources);
    let services = ir::services(&sources, &model, &[])?;
    let files = backend.service(services.first().unwrap())?;
    Ok(files.into_iter().map(|file| file.text).collect())
}

#[test]
fn a_module_has_only_the_helpers_that_it_calls() {
    let plain = generated(&TypeScript::default(), &odd()).unwrap();
    let client = TypeScript::for_client(Some("./client.js".to_owned()));
    let client = generated(&client, &odd()).unwrap();
    for helper in ["anySignal", "asResult", "mark"] {
        let helper = format!("function {helper}");
        assert!(!plain.contains(&helper), "{helper} is never called");
        assert!(client.contains(&helper), "{helper} is missing");
    }
    let split = "def _split_arguments(";
    assert!(
        generated(&Python::default(), &odd())
            .unwrap()
            .contains(split)
    );
    let seeded = odd().replace("input := { name: String }", "input := { seed: Integer }");
    let python = generated(&Python::default(), &seeded).unwrap();
    assert!(!python.contains(split), "no function calls it");
}

/// The SDKs for Rust preserve the names of operations in builders and errors, but convert those of outputs to camel
/// case.
#[test]
fn acronyms_are_as_the_sdks_have_them() {
    let text = generated(&rust(), &odd().replace("ListThings", "ListMFAThings")).unwrap();
    for name in [
        "ListMFAThingsFluentBuilder",
        "ListMFAThingsError",
        "ListMfaThingsOutput",
    ] {
        assert!(text.contains(name), "{name}");
    }
}

#[test]
fn no_item_of_rust_hides_what_the_code_names() {
    let text = generated(&rust(), &odd()).unwrap();
    for name in [
        "Option",
        "Result",
        "String",
        "Box",
        "WaitUntil",
        "Behaviour",
    ] {
        assert!(
            text.contains(&format!("pub struct {name}Waiter ")),
            "{name}"
        );
    }
    assert!(text.contains("pub fn wait_value(mut self, value: impl Into<String>)"));
    assert!(text.contains("self.request = self.request.wait(value);"));
}

#[test]
fn every_path_that_rust_has_nothing_for_is_told() {
    let text = odd().replace("sort(tags)[0]", "join('', tags)");
    let error = generated(&rust(), &text).unwrap_err();
    let GenerateError::Unsupported(refused) = &error else {
        panic!("{error}")
    };
    let paths: Vec<&str> = refused.iter().map(|refused| &*refused.path).collect();
    assert_eq!(paths.len(), 3, "{paths:?}");
    let mut places = refused.iter().map(|refused| &refused.place);
    assert!(places.all(|place| place.starts_with("odd.smithy:") && place.ends_with(": ")));
    let said = error.to_string();
    assert!(paths.iter().all(|path| said.contains(path)), "{said}");
    assert_eq!(said.matches("exclude their waiters").count(), 1);
}

/// A null in a list of strings is unequal, and most functions fail on it. Dropping it would change both.
#[test]
fn nulls_of_an_array_are_not_dropped_where_they_count() {
    let generated_with = |path: &str, comparator: &str| {
        let matcher = "path: \"thing.state\", comparator: \"stringEquals\"";
        let other = format!("path: \"{path}\", comparator: \"{comparator}\"");
        let text = odd()
            .replace("list Tags {", "@sparse\nlist Tags {")
            .replacen(matcher, &other, 1)
            .replace("sort(tags)[0]", "tags[0]")
            .replace(
                "contains(output.thing.tags, input.class)",
                "input.class == 'a'",
            );
        generated(&rust(), &text)
    };
    for (path, comparator) in [
        ("thing.tags", "allStringEquals"),
        ("reverse(thing.tags)", "anyStringEquals"),
        ("thing.tags[*].not_null(@, 'none')", "anyStringEquals"),
        ("thing.tags[].not_null(@, 'none')", "anyStringEquals"),
        ("thing.tags[?starts_with(@, 'a')]", "anyStringEquals"),
        (
            "[thing.state, thing.name][*].not_null(@, 'none')",
            "anyStringEquals",
        ),
    ] {
        let error = generated_with(path, comparator).unwrap_err();
        let GenerateError::Unsupported(refused) = &error else {
            panic!("{error}")
        };
        assert!(
            refused.iter().any(|refused| refused.path == path),
            "{error}"
        );
    }
    // A null has no result here. The last path takes for ever if a projection translates its array twice.
    for path in [
        "thing.tags",
        "thing.tags[?@ == 'a' || !@].[@][]",
        "things[*].tags[] | [?@ == 'a']",
        &format!("thing.tags{}", "[]".repeat(60)),
    ] {
        generated_with(path, "anyStringEquals").unwrap();
    }
}

#[test]
fn two_waiters_that_get_one_name_are_an_error_with_both() {
    let text = odd().replace("WaitUntil:", "DELETE:");
    let error = generated(&Python::default(), &text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the waiter `DELETE` and the waiter `Delete` both become `wait_until_delete_async` in Python: rename one of them, or exclude it if it is a waiter"
    );
    let error = generated(&rust(), &text).unwrap_err();
    assert!(matches!(error, GenerateError::Collision { .. }), "{error}");
}

#[test]
fn a_definition_has_a_file_of_its_own() {
    let json = r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#;
    let backends: [(&dyn Backend, _); 3] = [
        (&rust(), ["job_done.rs", "self_.rs"]),
        (&TypeScript::default(), ["job-done.ts", "self.ts"]),
        (&Python::default(), ["job_done.py", "self.py"]),
    ];
    let languages = backends.each_ref().map(|(backend, _)| backend.language());
    assert_eq!(languages, ["rust", "typescript", "python"]);
    for (backend, files) in backends {
        let path = |name| {
            backend
                .untyped(&Definition::new(name, json).unwrap())
                .unwrap()
                .path
        };
        assert_eq!(["JobDone", "Self"].map(path), files);
    }
}

/// The ids of AWS contain letters, digits and spaces, and start with a letter. Other ids may not.
#[test]
fn a_service_may_be_called_anything() {
    for (id, crate_name, path) in [
        (
            "Elastic Things v2",
            "aws_sdk_elasticthingsv2",
            "elasticthingsv2.rs",
        ),
        ("2 Things", "aws_sdk_2things", "n2things.rs"),
        ("type", "aws_sdk_type", "type_.rs"),
        ("Mod", "aws_sdk_mod", "mod_.rs"),
        ("Lib", "aws_sdk_lib", "lib_.rs"),
        ("Self", "aws_sdk_self", "self_.rs"),
        (
            "Dinge [für] <alle>",
            "aws_sdk_dingefralle",
            "dingefralle.rs",
        ),
        ("-/-", "aws_sdk_odd", "odd.rs"),
    ] {
        let text = odd().replace(
            "@paginated(inputToken",
            &format!("@aws.api#service(sdkId: \"{id}\")\n@paginated(inputToken"),
        );
        let mut sources = Sources::default();
        sources.add("odd.smithy", text);
        let model = read(&sources);
        let services = ir::services(&sources, &model, &[]).unwrap();
        let files = Rust::default().service(services.first().unwrap()).unwrap();
        let text = &files.first().unwrap().text;
        assert_eq!(files.first().unwrap().path, path);
        assert!(
            text.contains(&format!("use ::{crate_name} as sdk;")),
            "{id}"
        );
    }
}

/// Compilers reject some of these characters in strings and comments, because they mislead readers.
#[test]
fn what_nobody_sees_is_escaped() {
    let backends: [&dyn Backend; 3] = [&rust(), &TypeScript::default(), &Python::default()];
    for backend in backends {
        let text = generated(backend, &odd()).unwrap();
        let odd =
            |char: char| char != '\n' && (char.is_control() || "\u{202e}\u{2066}".contains(char));
        let line = text.lines().find(|line| line.contains(odd));
        assert_eq!(line, None, "{}", backend.language());
    }
    let text = generated(&rust(), &odd()).unwrap();
    assert!(text.contains(r"/// `thing.name` is `a\r\u{202e}b\u{85}\u{0}`."));
    assert!(text.contains(r#""expected":"a\r\u202eb\u0085\u0000""#));
}

/// Without a suffix, Python would import the file instead of a module of its standard library.
#[test]
fn no_file_of_python_hides_a_module() {
    for (name, path) in [
        ("Typing", "typing_.py"),
        ("Json", "json_.py"),
        ("SmithyWaiters", "smithy_waiters_.py"),
        ("Class", "class_.py"),
        ("Pipes", "pipes.py"),
    ] {
        let text = odd().replace("service Odd", &format!("service {name}"));
        let mut sources = Sources::default();
        sources.add("odd.smithy", text);
        let model = read(&sources);
        let services = ir::services(&sources, &model, &[]).unwrap();
        let files = Python::default()
            .service(services.first().unwrap())
            .unwrap();
        assert_eq!(files.first().unwrap().path, path);
    }
}

/// Documentation is written above the function, but not passed to the engine.
#[test]
fn documentation_of_a_definition_is_told_once() {
    let json = r#"{"documentation": "Waits for it.", "tags": ["a tag"],
                   "acceptors": [{"state": "success", "matcher": {"success": true}}]}"#;
    let definition = Definition::new("JobDone", json).unwrap();
    let backends: [(&dyn Backend, usize); 3] = [
        (&rust(), 1),
        (&TypeScript::default(), 1),
        (&Python::default(), 2),
    ];
    for (backend, functions) in backends {
        let text = backend.untyped(&definition).unwrap().text;
        assert_eq!(text.matches("Waits for it").count(), functions, "{text}");
        assert!(!text.contains("a tag"), "{text}");
    }
}

/// The engine would reject the definition at run time.
#[test]
fn a_misspelt_definition_is_refused() {
    let acceptors = r#""acceptors": [{"state": "success", "matcher": {"success": true}}]"#;
    let json = format!(r#"{{{acceptors}, "minDealy": 3}}"#);
    let error = Definition::new("JobDone", &json).unwrap_err();
    assert!(error.to_string().contains("`minDelay`"), "{error}");
}

/// Without it, matchers would always compare with null.
#[test]
fn an_input_that_matchers_look_at_is_asked_for() {
    let looks = r#"{"inputOutput": {"path": "input.id == output.id", "comparator": "booleanEquals", "expected": "true"}}"#;
    for (matcher, input) in [
        (looks, "input: Any,"),
        (r#"{"success": true}"#, "input: Any = None,"),
    ] {
        let json = format!(r#"{{"acceptors": [{{"state": "success", "matcher": {matcher}}}]}}"#);
        let definition = Definition::new("JobDone", &json).unwrap();
        let text = Python::default().untyped(&definition).unwrap().text;
        assert_eq!(text.matches(input).count(), 2, "{text}");
        assert_eq!(text.matches(") -> Outcome[T]:").count(), 2, "{text}");
    }
}

#[test]
fn documentation_ends_no_comment() {
    let text = generated(&Python::default(), &odd()).unwrap();
    assert!(text.contains(r#""""It says "deleted""#));
    assert!(text.contains(r#"Ends a comment: */ and /* begins one; \"\"\" is three \"\"\""#));
    assert!(text.contains(r#"""" "Input" comes first, C:\\new\\"#));
    let text = generated(&TypeScript::default(), &odd()).unwrap();
    assert!(text.contains(r"Ends a comment: *\/ and /* begins one"));
    assert!(text.contains(r"foo\@example.com"));
    assert!(!text.contains('\u{202e}'));
    let text = generated(&rust(), &odd()).unwrap();
    assert!(text.contains(r"/// A \<T\> of \[brackets\], an odd \` and"));
    assert!(text.contains("/// An address, <https://example.com/a/"));
    assert!(text.contains("/// `` one == `9007199254740994` `` is `true`."));
}

/// A service with a waiter and a paginator.
const THINGS: &str = r#"$version: "2"
namespace example
use smithy.waiters#waitable
@paginated(inputToken: "token", outputToken: "token")
service Things { version: "1", operations: [GetThing, ListThings] }
@waitable(ThingReady: { acceptors: [
    { state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }
] })
operation GetThing { input := { @required id: String, tags: Tags } output := { thing: Thing } }
@paginated @readonly
operation ListThings { input := { token: String } output := { token: String, things: ThingList } }
structure Thing { state: State }
enum State { READY, BUSY }
list ThingList { member: Thing }
list Tags { member: String }
"#;

fn on_success() -> String {
    let matcher =
        "output: { path: \"thing.state\", comparator: \"stringEquals\", expected: \"READY\" }";
    THINGS.replace(matcher, "success: true")
}

#[test]
fn each_language_has_the_code_for_its_clients() {
    let client = TypeScript::for_client(Some("./client.js".to_owned()));
    let alone = THINGS.replace(", ListThings]", "]");
    let imports = "from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast\n";
    // A list has no type, so that its name may be that of a function.
    let named = THINGS.replace("Tags", "thing_ready_waiter");
    let python = Python::default();
    let (plain, on_success) = (Rust::plain(), on_success());
    let with_blob = THINGS.replace("tags: Tags }", "data: Blob }");
    let with_flag = THINGS.replace(
        "things: ThingList",
        "IsTruncated: Boolean, things: ThingList",
    );
    let with_list = THINGS
        .replace("{ state: State }", "{ names: Tags }")
        .replace("thing.state", "thing.names[0]");
    let odd = odd();
    let cases: [(&dyn Backend, &str, &[&str]); 11] = [
        (
            &python,
            &odd,
            &[
                "def paginate_list_things(\n    client: Any, /, *, request: ListThingsInput, paging: PageOptions | None = None\n",
                "        paging: The options of the pagination.\n        request: The input of the operation.\n",
            ],
        ),
        (
            &rust(),
            &with_blob,
            &["pub fn data(mut self, value: sdk::primitives::Blob) -> Self {"],
        ),
        (&rust(), &with_flag, &["page.is_truncated"]),
        (&plain, &with_list, &["pub names: Option<Vec<String>>"]),
        (
            &python,
            THINGS,
            &[
                imports,
                "class GetThingInput(TypedDict):\n    id: str\n    tags: NotRequired[list[str]]\n",
                "class ListThingsOutput(TypedDict, total=False):\n    token: str\n    things: list[Thing]\n",
                "if TYPE_CHECKING:\n    from collections.abc import AsyncIterator,",
                ") -> ResponseOutcome[GetThingOutput]:\n",
                "    settings, request = _split_arguments(arguments)\n",
                "    **request: Unpack[ListThingsInput],\n) -> Iterator[ListThingsOutput]:\n",
                "    paginator = _pages_of_list_things()\n    return paginator.pages(client.list_things, request, **paging or {})\n",
                ") -> AsyncIterator[ListThingsOutput]:\n",
                "    return paginator.pages_async(client.list_things, request, **paging or {})\n",
                "class Waiters:\n",
                "    client: Any, /, *, max_wait: float | timedelta, **arguments: Unpack[GetThingWait]\n",
                "class GetThingWait(GetThingInput, Settings):\n",
            ],
        ),
        (&python, &alone, &[imports]),
        (
            &python,
            &named,
            &["\ndef thing_ready_waiter() -> Waiter:\n"],
        ),
        (
            &TypeScript::default(),
            THINGS,
            &[
                "  type ResponseOutcome,\n  type WaitOptions,\n  Waiter,\n} from \"smithy-waiters\";",
                " * @param configuration The request function, `maxWaitTime` in seconds, and\n",
                "thingReadyWaiter().wait(\n    ({ signal }) => call(input, { abortSignal: signal }),",
            ],
        ),
        (&rust(), &on_success, &["Ok(_) => Some(0),", "_ => None,"]),
        (
            &plain,
            THINGS,
            &[
                "pub state: Option<String>",
                "output.thing.as_ref()?.state.as_deref()? == \"READY\"",
            ],
        ),
        (
            &client,
            THINGS,
            &[
                "The client, `maxWaitTime`",
                "mark(new GetThingCommand(input));",
            ],
        ),
    ];
    for (backend, model, parts) in cases {
        let text = generated(backend, model).unwrap();
        for part in parts {
            assert!(
                text.contains(part),
                "{}: {part}\n{text}",
                backend.language()
            );
        }
        assert!(!text.contains("allow(deprecated"), "{}", backend.language());
    }
}

/// The types of a member in Python and in TypeScript, and the argument that sets it in Rust.
const TYPES: &str = "\
String | str | string | value: impl Into<String>
Blob | bytes | Uint8Array | value: sdk::primitives::Blob
Boolean | bool | boolean | value: bool
Timestamp | datetime | Date | value: sdk::primitives::DateTime
Byte | int | number | value: i8
Short | int | number | value: i16
Integer | int | number | value: i32
Long | int | number | value: i64
Float | float | number | value: f32
Double | float | number | value: f64
BigInteger | int | number | -
BigDecimal | float | number | -
Document | Any | unknown | -
Level | int | number | value: i32
State | State | State | value: sdk::types::State
Thing | Thing | Thing | value: sdk::types::Thing
Either | Either | Either | value: sdk::types::Either
Tags | list[str] | ReadonlyArray<string> | element: impl Into<String>
Sparse | list[int | None] | ReadonlyArray<number | null> | element: i32
ByName | dict[str, Thing] | Record<string, Thing> | key: impl Into<String>, value: sdk::types::Thing
Nested | list[list[str]] | ReadonlyArray<ReadonlyArray<string>> | element: Vec<String>
Maps | list[dict[str, str]] | ReadonlyArray<Record<string, string>> | element: ::std::collections::HashMap<String, String>
Lists | list[list[State]] | ReadonlyArray<ReadonlyArray<State>> | element: Vec<sdk::types::State>
ByState | dict[str, str | None] | Record<string, string | null> | key: impl Into<String>, value: impl Into<String>";

#[test]
fn each_type_of_a_model_has_one_in_each_language() {
    let shapes = "@sparse list Sparse { member: Integer }\nmap ByName { key: String, value: Thing }
        @sparse map ByState { key: State, value: String }\nlist Nested { member: Tags }
        list Maps { member: Map }\nmap Map { key: String, value: String }\nlist Lists { member: States }\nlist States { member: State }\nunion Either { one: String, none: Unit }
        intEnum Level { ONE = 1\n}\n@streaming blob Bytes";
    let types = TYPES.lines().enumerate();
    let members: Vec<String> = types
        .map(|(index, line)| format!("m{index}: {}", line.split(' ').next().unwrap()))
        .collect();
    let input = format!("tags: Tags, {}", members.join(", "));
    let model = THINGS.replace("tags: Tags", &input) + shapes;
    let model = model.replace("{ thing: Thing }", "{ thing: Thing, bytes: Bytes }");
    let backends: [&dyn Backend; 3] = [&Python::default(), &TypeScript::default(), &rust()];
    let [python, typescript, rust] = backends.map(|backend| generated(backend, &model).unwrap());
    for (index, line) in TYPES.lines().enumerate() {
        let parts: Vec<&str> = line.split(" | ").collect();
        // A type may have the separator.
        let [kind, types @ .., argument] = &parts[..] else {
            panic!("{line}")
        };
        let types = types.join(" | ");
        let has = |text: &str, before: &str, after: &str| {
            let found = text
                .lines()
                .map(str::trim)
                .find_map(|line| line.strip_prefix(before));
            let of = found
                .and_then(|found| found.strip_suffix(after))
                .unwrap_or_default();
            of.to_owned()
        };
        let of_python = has(&python, &format!("m{index}: "), "");
        let inner = of_python.strip_prefix("NotRequired[");
        let of_python = inner
            .and_then(|of| of.strip_suffix(']'))
            .unwrap_or(&of_python);
        let of_typescript = has(
            &typescript,
            &format!("readonly m{index}?: "),
            " | undefined;",
        );
        assert_eq!(format!("{of_python} | {of_typescript}"), types, "{kind}");
        let of_rust = has(&rust, &format!("pub fn m{index}(mut self, "), ") -> Self {");
        assert_eq!(of_rust, argument.trim_start_matches('-'), "{kind}");
    }
    assert!(
        python.contains("    bytes: Any\n"),
        "a stream has a method: {python}"
    );
    assert!(
        typescript.contains("  readonly none?: object | undefined;\n"),
        "{typescript}"
    );
}

/// A change of the model, and what the languages have for it.
const SAID: &str = r#"
operation GetThing => @deprecated(message: "Use \"another\"") operation GetThing
  python @deprecated('Use "another"', category=None)
  python warnings.warn('Use "another"', DeprecationWarning, stacklevel=2)
  typescript * @deprecated Use "another"
  rust #[deprecated(note = "Use \"another\"")]
operation ListThings => @deprecated operation ListThings
  python @deprecated("this operation is deprecated", category=None)
  python warnings.warn("this operation is deprecated", DeprecationWarning, stacklevel=2)
  typescript * @deprecated
tags: Tags => @deprecated(message: "No more") @documentation("Has @tags. And more.") tags: Tags
  python """Deprecated: No more
  python Has @tags.
  typescript * @deprecated No more
  typescript * Has \@tags.
@required id: String, tags: Tags => @deprecated id: String
  python """Deprecated."""
  typescript /** @deprecated */
structure Thing { => @documentation("A thing. And more.") structure Thing {
  python """A thing. And more."""
  typescript /** A thing. And more. */
input := { @required id: String, tags: Tags } => input: Unit
  python client: Any, /, *, max_wait: float | timedelta, **arguments: Unpack[Settings]
  python **arguments: Optional settings. See `Settings`.
  typescript { call, ...options }: WaiterConfiguration<object, GetThingOutput>,
  typescript input: object,
@required id: String, tags: Tags => class: String
  python "GetThingInput",
  python "class": "str",
  python total=False,
@required id: String, tags: Tags => @required id: String, class: Tags
  python "class": "NotRequired[list[str]]",
READY, BUSY => @enumValue("a\"b") READY, @enumValue("c'd") BUSY
  python State = Literal['a"b', "c'd"]
  typescript export type State = 'a"b' | "c'd";
READY, BUSY => @enumValue("a\\b") READY, @enumValue("c\nd\r") BUSY
  python State = Literal["a\\b", "c\nd\r"]
  typescript export type State = "a\\b" | "c\nd\r";
output := { thing: Thing } => output := @deprecated { thing: Thing }
  rust #[allow(deprecated, reason = "the model uses deprecated items")]
{ token: String } output => { @deprecated token: String } output
  rust #[allow(deprecated, reason = "the model uses deprecated items")]
structure Thing { state: State } => structure Thing { @deprecated state: State }
  rust #[allow(deprecated, reason = "the model uses deprecated items")]
"#;

#[test]
fn what_a_model_says_is_in_the_code() {
    let backends: [&dyn Backend; 3] = [&Python::default(), &TypeScript::default(), &rust()];
    let mut model = String::new();
    for line in SAID.trim().lines() {
        if let Some((from, to)) = line.split_once(" => ") {
            assert!(THINGS.contains(from), "{from}");
            model = THINGS.replacen(from, to, 1);
            continue;
        }
        let (language, part) = line.trim_start().split_once(' ').unwrap();
        let mut backends = backends.iter();
        let backend = backends.find(|backend| backend.language() == language);
        let text = generated(*backend.unwrap(), &model).unwrap();
        let has_part = text.lines().any(|line| line.trim() == part.trim());
        assert!(has_part, "{line}\n{text}");
    }
}

/// What a build script does.
#[test]
fn a_build_writes_a_file_for_each_model_and_definition() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build");
    fs::create_dir_all(&folder).unwrap();
    let [model, definition] = ["things.smithy", "JobDone.json"].map(|name| folder.join(name));
    let other = "service Others { version: \"1\", operations: [GetThing] }";
    fs::write(&model, format!("{THINGS}{other}\n")).unwrap();
    fs::write(
        &definition,
        r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#,
    )
    .unwrap();
    let build = Build::new().folder(&folder);
    let of_model = build.clone().rust(rust()).model(model);
    let (waits, pages) = ("fn wait_until_thing_ready", "fn paginate_list_things");
    let all = ["use ::aws_sdk_things as sdk;", waits, pages];
    // The files of a build, and the parts of the first that it has and has not.
    let cases: [(_, &[&str], &[&str], &[&str]); 5] = [
        (
            of_model.clone(),
            &["others.rs", "things.rs"],
            &[waits],
            &[pages],
        ),
        (
            of_model.clone().service("Things"),
            &["things.rs"],
            &all,
            &[],
        ),
        (
            of_model.clone().service("Things").only("ThingReady"),
            &["things.rs"],
            &[waits],
            &[pages],
        ),
        (
            of_model.service("Things").exclude("ThingReady"),
            &["things.rs"],
            &[pages],
            &[waits],
        ),
        (
            build.definition(definition),
            &["job_done.rs"],
            &["fn wait_until_job_done"],
            &[],
        ),
    ];
    for (build, files, has, has_not) in cases {
        let paths = build.run().unwrap();
        assert_eq!(
            paths,
            files
                .iter()
                .map(|file| folder.join(file))
                .collect::<Vec<_>>()
        );
        let text = fs::read_to_string(paths.first().unwrap()).unwrap();
        assert!(has.iter().all(|part| text.contains(part)), "{text}");
        assert!(!has_not.iter().any(|part| text.contains(part)), "{text}");
    }
}

/// A waiter that is not there, and what is said of it.
#[test]
fn a_waiter_that_is_not_there_is_an_error_with_similar_ones() {
    let mut sources = Sources::default();
    sources.add("things.smithy", THINGS);
    for (name, rest) in [("ThingRedy", ": did you mean `ThingReady`?"), ("Other", "")] {
        let excluded = vec![name.to_owned()];
        let selection = Selection {
            excluded,
            ..Selection::default()
        };
        let error = ir::read(&sources, &selection).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the model has no waiter `{name}`{rest}")
        );
    }
}

/// The types of a member in plain Rust, or what it cannot express.
const PLAIN: &str = "\
Blob => Option<String>,
Boolean => Option<bool>,
Timestamp => Option<f64>,
State => Option<String>,
Thing => Option<Box<Self>>,
Tags => Option<Vec<String>>,
Sparse => Option<Vec<Option<f64>>>,
ByName => Option<std::collections::BTreeMap<String, Self>>,
Others => pub struct Other {}
Document => Rust cannot express the type of the member `one`";

#[test]
fn plain_rust_has_the_types_of_json() {
    for (kind, expected) in PLAIN.lines().filter_map(|line| line.split_once(" => ")) {
        let text = THINGS
            .replace("{ state: State }", &format!("{{ one: {kind} }}"))
            .replace("\"thing.state\"", "\"thing.one == `null`\"")
            .replace("stringEquals", "booleanEquals")
            .replace("expected: \"READY\"", "expected: \"true\"")
            + "@sparse list Sparse { member: Integer }\nmap ByName { key: String, value: Thing }\nlist Others { member: Other }\nstructure Other {}";
        let found = generated(&Rust::plain(), &text).unwrap_or_else(|error| error.to_string());
        assert!(found.contains(expected), "{kind}: {expected}\n{found}");
    }
}

#[test]
fn a_client_is_a_name_that_code_can_have() {
    for (client, import) in [
        ("aws-sdk-things", Some("use ::aws_sdk_things as sdk;")),
        ("::things::sdk", Some("use ::things::sdk as sdk;")),
        ("crate::sdk", Some("use crate::sdk as sdk;")),
        ("super", None),
        ("things::self", None),
        ("a b", None),
        ("", None),
    ] {
        let backend = Rust::for_client(Some(client.to_owned()));
        let found = generated(&backend, THINGS);
        let expected =
            "`client` must be a crate or a module, such as `aws_sdk_dynamodb` or `crate::sdk`, got";
        match (found, import) {
            (Ok(text), Some(import)) => assert!(text.contains(import), "{text}"),
            (Err(error), None) => assert_eq!(error.to_string(), format!("{expected} `{client}`")),
            (found, _) => panic!("{client}: {found:?}"),
        }
    }
    for client in ["", "a b", "a'b", "a\"b", "a\\b"] {
        let backend = TypeScript::for_client(Some(client.to_owned()));
        let error = generated(&backend, THINGS).unwrap_err().to_string();
        let expected =
            "`client` must be a package or a file, such as `@aws-sdk/client-dynamodb`, got";
        assert_eq!(error, format!("{expected} `{client}`"));
    }
}

/// The imports of a module in Python depend on what it has.
const HEADS: &str = "\
[GetThing, ListThings] => [ListThings] | from functools import cache \
    from typing import TYPE_CHECKING, Any, Literal, TypedDict \
    from smithy_waiters.operation import Operation from smithy_waiters.pagination import Paginator \
    if TYPE_CHECKING: from collections.abc import AsyncIterator, Iterator \
    from smithy_waiters.pagination import PageOptions from typing_extensions import Unpack
[GetThing, ListThings] => [GetThing] | from functools import cache \
    from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast \
    from smithy_waiters import Waiter from smithy_waiters.operation import Operation \
    if TYPE_CHECKING: from collections.abc import Callable, Mapping, Sequence \
    from datetime import datetime, timedelta \
    from smithy_waiters import ( Left, Pace, Progress, RateLimit, ResponseOutcome, Same, WaiterError, ) \
    from typing_extensions import NotRequired, Unpack
[GetThing, ListThings] => [Done] | from functools import cache \
    from typing import TYPE_CHECKING, Any, TypedDict, cast \
    from smithy_waiters import Waiter from smithy_waiters.operation import Operation \
    if TYPE_CHECKING: from collections.abc import Callable, Mapping, Sequence \
    from datetime import datetime, timedelta from typing import Literal \
    from smithy_waiters import ( Left, Pace, Progress, RateLimit, ResponseOutcome, Same, WaiterError, ) \
    from typing_extensions import Unpack";

#[test]
fn a_module_of_python_imports_what_it_names() {
    let done = "@waitable(Done: { acceptors: [{ state: \"success\", matcher: { success: true } }] }) operation Done {}";
    let on_success = format!("{}{done}\n", on_success());
    for line in HEADS.lines() {
        let (change, expected) = line.split_once(" | ").unwrap();
        let (from, to) = change.split_once(" => ").unwrap();
        assert!(on_success.contains(from), "{from}");
        let model = on_success.replacen(from, to, 1);
        let text = generated(&Python::default(), &model).unwrap();
        let (_, head) = text.split_once("annotations\n").unwrap();
        let (head, _) = head.split_once("\n\n\n").unwrap();
        let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(head, expected, "{change}");
    }
}

/// A compiler would warn of an arm that is never reached.
#[test]
fn no_arm_is_after_one_that_matches_all() {
    let path =
        "output: { path: \"thing.state\", comparator: \"stringEquals\", expected: \"READY\" }";
    let matchers = [
        "success: true",
        path,
        "success: true",
        "success: false",
        "errorType: \"A\"",
        "success: false",
    ];
    let acceptors =
        matchers.map(|matcher| format!("{{ state: \"success\", matcher: {{ {matcher} }} }}"));
    let before = format!("{{ state: \"success\", matcher: {{ {path} }} }}");
    let model = THINGS.replace(&before, &acceptors.join(", "));
    let text = generated(&rust(), &model).unwrap();
    let text = text.split_whitespace().collect::<String>();
    assert!(
        text.contains("matchresult{Ok(_)=>Some(0),Err(_)=>Some(3),}"),
        "{text}"
    );
}

/// Paths with a part of the code that decides them, without white space, or what Rust cannot express.
const PATHS: &str = r#"thing.size > `3` => value.size.map(f64::from)).map(|left|left>3.0)
thing.long > `3` => value.long.map(|number|numberasf64))
thing.when > `3` => value.when.as_ref().map(|time|time.as_secs_f64()))
thing.fixed > `3` => f64::from(value.fixed)
thing.id == 'a' => value.id.as_str())==Some("a")
thing.state == 'READY' => value.state.as_ref().map(|value|value.as_str()))==Some("READY")
thing.name || thing.id == 'a' => .is_some_and(|value|!value.is_empty()){None}else{Some(
thing.name == thing.size => .name.as_deref()).is_none()&&
contains([thing.id, thing.name], 'a') => ].into_iter().flatten().any(|one|one=="a")
contains(thing.names[1:3], 'a') => .map(String::as_str).take(3).skip(1).any(|one|one=="a")
contains(thing.names[0:3:2], 'a') => .map(String::as_str).take(3).step_by(2).any(
length(things[?is == `false`]) > `0` => .any(|item|!item.is)
length(things[?state == 'READY']) == `0` => !output.things.as_ref()?.iter().any(
length(thing.names[?@ == 'a']) > `0` => .any(|item|item=="a")
abs(thing.when) == `1` => .when.as_ref()?.as_secs_f64()
length(thing.names) == 'a' => a comparison of different types
length(thing.names[?@ == 'a']) > `2` => .filter(|&item|item=="a").count()>2
max(thing.names) == 'a' => .iter().map(String::as_str).max()==Some("a")
min(thing.names) == 'a' => .iter().map(String::as_str).min()==Some("a")
max(thing.whens) == `1` => .iter().map(|value|value.as_secs_f64()).reduce(f64::max)==Some(1.0)
sort(things[].fixed)[0] == `1` => items.sort_by(f64::total_cmp)
values(thing.byName)[0].id == 'a' => .values().next()
thing.data == 'a' => the type of the member `data`
contains(thing.names[:-1], 'a') => a slice from the end
contains(thing.spots[:1], 'a') => a slice of an array that may contain nulls
reverse(thing.spots)[0] == 'a' => the reverse of an array that may contain nulls
reverse([thing.flag, thing.is])[0] => the reverse of an array that may contain nulls
max_by(thing.spots, &length(@)) == 'a' => the keys of an array that may contain nulls
sort(thing.spots)[0] == 'a' => an argument that may contain nulls
contains(thing.spots, 'a') => .iter().flatten().map(String::as_str).any(|one|one=="a")
contains([thing.id, `1`], 'a') => a list of several types
abs((things[].fixed)[-1]) == `1` => .next_back()?.abs()==1.0
abs(thing.size) == 'a' => a comparison of different types, if one side may fail
!(thing.size == 'a') => {Some(true)}
length(things[?id == `null`]) > `0` => .any(|_|false)
length(things[?flag]) > `0` => .any(|item|item.flag==Some(true))
length(things[?(is || fixed > `1`) == `true`]) > `0` => .any(|item|item.is||f64::from(item.fixed)>1.0
length(things[?(is || flag) == `true`]) > `0` => letvalue=item.is;if!value{item.flag}else{Some(value)}
thing.name | contains(@, 'a') => .and_then(|value|value.name.as_deref())?.contains("a")
things | max_by(@, &id).fixed > `2` => {letmutkeyed=Vec::new();foriteminoutput.things.as_ref()?.iter(){keyed.push((item.id.as_str(),item));}
thing.size < abs(thing.fixed) => .zip(Some(f64::from(output.thing.as_ref()?.fixed).abs())).map(|(left,right)|left<right)
length(things[?size < abs(fixed)]) > `0` => .zip(Some(f64::from(item.fixed).abs())).map(|(left,right)|left<right)==Some(true)
thing.size > `0` => |left|left>0.0
abs(thing.long) == `1` => (output.thing.as_ref()?.long?asf64).abs()==1.0
not_null(thing.names, thing.spots)[0] == 'a' => `not_null` of several types
not_null(thing.names, things[0].names)[0] == 'a' => .and_then(|value|value.names.as_ref()).or(output.things.as_ref().and_then(|value|value.first())
not_null(things[].id, things[].name)[0] == 'a' => .filter_map(|item|item.name.as_deref()).collect::<Vec<_>>(),))()
max(thing.whens) | @ > `1` => {letcurrent=
thing.loose == `1` => value.loose.map(f64::from)
length(thing) > `0` => the length of a structure
things[].is == [`true`] => a comparison of lists or structures
ceil(thing.fixed) == `1` => Some(f64::from(output.thing.as_ref()?.fixed).ceil()==1.0)
floor(thing.size) >= `1` => Some(f64::from(output.thing.as_ref()?.size?).floor()>=1.0)
avg(things[].fixed) < `1` => (!items.is_empty()).then(||items.iter().sum::<f64>()/items.len()asf64)}).map(|left|left<1.0)
avg(things[].size) <= `1` => .filter_map(|item|item.size.map(f64::from)).collect::<Vec<_>>();(!items.is_empty())
sum(things[].fixed) != `1` => Some(output.things.as_ref()?.iter().map(|item|f64::from(item.fixed)).sum::<f64>()!=1.0
ends_with(thing.id, 'a') => .id.as_str().ends_with("a"))
starts_with(thing.name, thing.id) => .name.as_deref()?.starts_with(output.thing.as_ref()?.id.as_str())
contains(keys(thing.byName), 'a') => .by_name.as_ref()?.keys().map(String::as_str).any(|one|one=="a")
keys(thing)[0] == 'a' => the keys of a structure
values(thing)[0] == 'a' => `values` with these arguments
min(things[].fixed) == `1` => Some(output.things.as_ref()?.iter().map(|item|f64::from(item.fixed)).reduce(f64::min)==Some(1.0)
max(things[].is) == `1` => `max` with these arguments
min_by(things, &fixed).id == 'a' => keyed.push((f64::from(item.fixed),item));}letbest=keyed.into_iter().reduce(|best,next|ifnext.0<best.0{next}else{best})
max_by(things, &id).fixed > `2` => keyed.push((item.id.as_str(),item));}letbest=keyed.into_iter().reduce(|best,next|ifnext.0>best.0{next}else{best})
sort_by(things, &fixed)[0].id == 'a' => keyed.sort_by(|(one,_),(other,_)|one.total_cmp(other));keyed.into_iter().map(|(_,item)|item)
sort_by(things, &id)[-1].fixed == `1` => keyed.sort_by_key(|(key,_)|*key);keyed.into_iter().map(|(_,item)|item).collect::<Vec<_>>()}).last().copied()
not_null(thing.name, thing.id) == 'a' => .or(output.thing.as_ref().map(|value|value.id.as_str()))==Some("a")
not_null(thing.name, thing.size) == 'a' => `not_null` of several types
not_null(`null`, thing.name) == 'a' => .and_then(|value|value.name.as_deref())==Some("a"))
type(thing.id) == 'string' => the function `type`
length(values(thing.byName)) > `1` => .by_name.as_ref()?.values().count()>1)
length(thing.byName) > `0` => Some(!output.thing.as_ref()?.by_name.as_ref()?.is_empty())
length(sort(thing.names)) > `0` => items.sort_unstable();items}).is_empty()
length(thing.names) <= `2` => .names.as_ref()?.len()<=2)
length(thing.names) < `2` => .names.as_ref()?.len()<2)
length(thing.names) >= `2` => .names.as_ref()?.len()>=2)
length(thing.names) != `2` => .names.as_ref()?.len()!=2)
`2` < length(thing.names) => .names.as_ref()?.len()>2)
length(thing.id) == `0` => .id.as_str().is_empty())
length(thing.names) < `1` => .names.as_ref()?.is_empty())
length(thing.names) == `1.5` => .names.as_ref()?.len()asf64==1.5)
length(thing.names) == length(things) => .names.as_ref()?.len()==output.things.as_ref()?.len()
thing.id == `null` => .map(|value|value.id.as_str()).is_none())
thing.name == `null` => .and_then(|value|value.name.as_deref()).is_none())
`null` != thing.name => .and_then(|value|value.name.as_deref()).is_some())
`null` == `null` => Some(true)
thing.flag == `true` => .and_then(|value|value.flag)==Some(true))
thing.is == `false` => .map(|value|value.is)==Some(false))
thing.is != `false` => .map(|value|value.is)!=Some(false))
thing.id == thing.is => .is_none()&&output.thing.as_ref().map(|value|value.is).is_none()
thing.name != thing.size => {Some(!(output.thing.as_ref().and_then(|value|value.name.as_deref()).is_none()&&output
thing.name == thing.id => .and_then(|value|value.name.as_deref())==output.thing.as_ref().map(|value|value.id.as_str())
thing.names == things => a comparison of lists or structures
thing.size < `2` => output.thing.as_ref().and_then(|value|value.size.map(f64::from)).map(|left|left<2.0)
`3` <= thing.size => Some(3.0).zip(output.thing.as_ref().and_then(|value|value.size.map(f64::from))).map(|(left,right)|left<=right)
thing.names[0] == 'a' => value.first().map(|value|value.as_str()))==Some("a")
thing.names[-1] != 'a' => value.last().map(|value|value.as_str()))!=Some("a")
thing.spots[1] == 'a' => {value.get(1).and_then(Option::as_ref).map(|value|value.as_str())})==Some("a")
thing.byName.*.id | [0] == 'a' => `|` after an array that may be null
map(&id, things)[0] == 'a' => the function `map`
{a: thing.id}.a == 'a' => an object (`{a: b}`)
[thing.id, thing.name][1] == 'a' => ].get(1).copied().flatten()==Some("a")
(thing.name && thing.id) == 'a' => ifvalue.is_some_and(|value|!value.is_empty()){output.thing.as_ref().map(|value|value.id.as_str())}else{value}})==Some("a")
thing.flag || thing.is => ifvalue!=Some(true){output.thing.as_ref().map(|value|value.is)}else{value}
thing.flag && thing.is => ifvalue==Some(true){output.thing.as_ref().map(|value|value.is)}else{value}
!(thing.flag && thing.is) => Some(!(output.thing.as_ref().and_then(|value|value.flag)==Some(true)&&output
contains(thing.id, thing.name) => .is_some_and(|part|text.contains(part))
contains(thing.names, thing.name) => .any(|one|{Some(one)==output.thing.as_ref()
contains(thing.spots, thing.name) => `contains` with a nullable argument and a list that may contain nulls
contains(thing.id, `1`) => Some(false)
contains(thing.names, `1`) => `contains` with an argument of another type than the items
things[?contains(names, 'a') && flag].id | [0] == 'a' => an array that may be null or fail, if null is a value
thing.double > `1.5` => output.thing.as_ref().and_then(|value|value.double).map(|left|left>1.5)
thing.byte == `1` => .and_then(|value|value.byte.map(f64::from))==Some(1.0)
thing.real == `1` => .and_then(|value|value.real.map(f64::from))==Some(1.0)
thing.level == `1` => .and_then(|value|value.level.map(f64::from))==Some(1.0)
thing.either.one == 'a' => value.as_one().ok().map(|value|value.as_str())
thing.either == 'a' => Some(false)
thing.doc == 'a' => the type of the member `doc`
reverse(thing.names)[0] == 'a' => items.reverse();items}).first().copied()==Some("a")
reverse(thing.id) == 'a' => a projection of a non-list
thing.byName && thing.id == 'a' => .is_some_and(|value|!value.is_empty()){Some(output.thing
thing.fixed && thing.id == 'a' => {ifoutput.thing.as_ref().map(|value|f64::from(value.fixed)).is_some(){Some(output"#;

#[test]
fn a_path_is_an_expression_over_the_types_of_the_client() {
    let things = THINGS.replace("{ thing: Thing }", "{ thing: Thing, things: ThingList }");
    let things = things.replace(
        "structure Thing { state: State }",
        "structure Thing { state: State, name: String, size: Integer, long: Long, data: Blob, when: Timestamp, names: Tags, flag: Boolean, spots: Spots
             @required @clientOptional loose: Integer, @required id: String, @required fixed: Integer, @required is: Boolean, @required whens: Times, byName: ByName,
             double: Double, byte: Byte, real: Float, level: Level, either: Either, doc: Document }
         intEnum Level { ONE = 1\n}\nunion Either { one: String, two: Integer }
         list Times { member: Timestamp }\nmap ByName { key: String, value: Thing }\n@sparse list Spots { member: String }",
    );
    for (path, part) in PATHS.lines().filter_map(|line| line.split_once(" => ")) {
        let text = things
            .replace("\"thing.state\"", &format!("\"{path}\""))
            .replace("stringEquals", "booleanEquals")
            .replace("expected: \"READY\"", "expected: \"true\"");
        let found = match generated(&rust(), &text) {
            Ok(text) => text
                .split_once("fn thing_ready_0")
                .unwrap()
                .1
                .replace([' ', '\n'], ""),
            Err(error) => error.to_string(),
        };
        assert!(found.contains(part), "{path}: {part}\n{found}");
    }
}
