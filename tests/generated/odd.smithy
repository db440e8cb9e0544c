$version: "2.0"

// Names that the languages or the generated code use themselves, odd documentation, and paths that are plain after one that is not.
namespace odd

use smithy.waiters#waitable

@paginated(inputToken: "next", outputToken: "next")
service Odd {
    operations: [GetThing, Import, ListThings]
}

@waitable(
    All: { acceptors: [{ state: "success", matcher: { output: { path: "state", comparator: "stringEquals", expected: "READY" } } }] }
)
@readonly
operation Import {
    input := { name: String }
    output := { state: String }
}

@paginated
@readonly
operation ListThings {
    input := { next: String, paging: String, seed: Integer }
    output := { next: String }
}

@waitable(
    Delete: { documentation: "It says \"deleted\"", acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Input: { documentation: "\"Input\" comes first, C:\\new\\", acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Operation: { documentation: "Ends a comment: */ and /* begins one; \"\"\" is three \"\"\"", acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Parted: { documentation: "<p>A &lt;T&gt; of [brackets], an odd ` and &quot;quotes&quot;</p>", acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Member: { documentation: "An address, https://example.com/a/very/long/address/that/does/not/fit/into/one/line/of/a/comment/and/must/stay/whole-with-hyphens, and foo@example.com", acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Option: { documentation: "Turned ‮ around", acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Result: { documentation: "Many words about nothing in particular, so that the text is longer than a line of any of the three languages, \"quoted\" at the end \"so\"", acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    String: { documentation: "{@link somewhere} {braces} ${dollars} %s %(percent)s \\u0041 \\", acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    WaitUntil: { acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Behaviour: { documentation: "", acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Required: { acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Holds: { acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Once: { acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Search: { acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Self: { acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    None: { acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Class: { acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Box: { acceptors: [{ state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
    Interpreted: { acceptors: [
        { state: "success", matcher: { output: { path: "things[?sort(tags)[0] == 'a'].state", comparator: "anyStringEquals", expected: "READY" } } }
        { state: "success", matcher: { output: { path: "things[?!starts_with(state, 'A') && sort(tags)[0] == 'a'].state", comparator: "anyStringEquals", expected: "READY" } } }
        { state: "success", matcher: { output: { path: "things[].[sort(tags)[0]][]", comparator: "anyStringEquals", expected: "READY" } } }
    ] }
    Unseen: { acceptors: [
        { state: "success", matcher: { output: { path: "thing.name", comparator: "stringEquals", expected: "a\r\u202eb\u0085\u0000" } } }
        { state: "failure", matcher: { output: { path: "thing.name == 'c\u2066d'", comparator: "booleanEquals", expected: "true" } } }
    ] }
    Plain: { acceptors: [
        { state: "success", matcher: { output: { path: "things[].state", comparator: "anyStringEquals", expected: "READY" } } }
    ] }
    Null: { acceptors: [
        { state: "failure", matcher: { inputOutput: { path: "!contains(output.thing.name, input.class)", comparator: "booleanEquals", expected: "true" } } }
        { state: "success", matcher: { inputOutput: { path: "contains(output.thing.tags, input.class)", comparator: "booleanEquals", expected: "true" } } }
    ] }
    Great: { acceptors: [
        { state: "success", matcher: { output: { path: "one == other", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "one > other", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "one == `9007199254740994`", comparator: "booleanEquals", expected: "true" } } }
    ] }
    OfInput: { acceptors: [{ state: "success", matcher: { inputOutput: { path: "input.class == 'output'", comparator: "booleanEquals", expected: "true" } } }] }
)
@readonly
operation GetThing {
    input := {
        class: String
        client: String
        arguments: String
        max_wait: Integer
        paging: String
        request: String
        seed: Integer
        self: String
        wait: String
    }

    output := { thing: string, things: Things, one: Long, other: Long }
}

list Things {
    member: string
}

structure string {
    name: String
    parts: Things
    state: object
    tags: Tags
}

list Tags {
    member: String
}

enum object {
    READY
    A
}
