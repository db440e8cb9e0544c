$version: "2"

namespace example.paths

use smithy.waiters#waitable

/// Every kind of path that the Rust backend knows, and what is easily got wrong in it.
service Paths {
    operations: [GetThings]
}

@suppress([
    "WaitableTraitJmespathProblem"
    "SmithyWaiters"
])
@waitable(
    Members: { acceptors: [
        { state: "success", matcher: { output: { path: "thing.state", comparator: "stringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "thing.inner.inner.name", comparator: "stringEquals", expected: "GONE" } } }
        { state: "retry", matcher: { output: { path: "flag", comparator: "booleanEquals", expected: "false" } } }
        { state: "failure", matcher: { output: { path: "flag", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "thing.size", comparator: "stringEquals", expected: "1" } } }
    ] }
    Elements: { acceptors: [
        { state: "success", matcher: { output: { path: "things[0].state", comparator: "stringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "things[-1].name", comparator: "stringEquals", expected: "GONE" } } }
        { state: "retry", matcher: { output: { path: "names[1]", comparator: "stringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "things[-2].name", comparator: "stringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "things[].name | [0]", comparator: "stringEquals", expected: "READY" } } }
    ] }
    Projections: { acceptors: [
        { state: "success", matcher: { output: { path: "things[].state", comparator: "allStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "things[].parts[].name", comparator: "anyStringEquals", expected: "GONE" } } }
        { state: "retry", matcher: { output: { path: "things[*].parts[*].name[]", comparator: "anyStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "byName.*.state", comparator: "anyStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "names", comparator: "allStringEquals", expected: "GONE" } } }
        { state: "failure", matcher: { output: { path: "things[].size", comparator: "anyStringEquals", expected: "1" } } }
        { state: "failure", matcher: { output: { path: "names[:2]", comparator: "allStringEquals", expected: "other" } } }
    ] }
    Filters: { acceptors: [
        { state: "success", matcher: { output: { path: "things[?size > `1`].state", comparator: "allStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "things[?state == 'READY' && flag].name", comparator: "anyStringEquals", expected: "GONE" } } }
        { state: "retry", matcher: { output: { path: "things[?!flag || name == null].state", comparator: "anyStringEquals", expected: "GONE" } } }
        { state: "failure", matcher: { output: { path: "things[?parts].name", comparator: "anyStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "things[?name && size].state", comparator: "allStringEquals", expected: "GONE" } } }
        { state: "failure", matcher: { output: { path: "names[?@ == 'READY']", comparator: "anyStringEquals", expected: "READY" } } }
    ] }
    Failing: { acceptors: [
        { state: "success", matcher: { output: { path: "length(things[?!(length(parts) == `1` && size == amount)]) == `0`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "!(length(names) == `1`)", comparator: "booleanEquals", expected: "true" } } }
        { state: "retry", matcher: { output: { path: "things[?length(parts) > `0`].name", comparator: "anyStringEquals", expected: "GONE" } } }
        { state: "failure", matcher: { output: { path: "length(names) == length(things)", comparator: "booleanEquals", expected: "false" } } }
        { state: "failure", matcher: { output: { path: "(things[?flag].size | [0]) == `2`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "length(thing.name) >= `5`", comparator: "booleanEquals", expected: "true" } } }
    ] }
    Comparisons: { acceptors: [
        { state: "success", matcher: { output: { path: "thing.size < thing.amount", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "thing.size < thing.amount", comparator: "booleanEquals", expected: "false" } } }
        { state: "retry", matcher: { output: { path: "thing.name != 'GONE' && thing.state != 'READY'", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "thing.size == thing.name", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "thing.size == `-1.5` || thing.when <= `1`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "thing.inner == null", comparator: "booleanEquals", expected: "false" } } }
    ] }
    Choices: { acceptors: [
        { state: "success", matcher: { output: { path: "thing.name || thing.state", comparator: "stringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "thing.name && thing.state", comparator: "stringEquals", expected: "GONE" } } }
        { state: "retry", matcher: { output: { path: "flag || thing.flag", comparator: "booleanEquals", expected: "false" } } }
        { state: "failure", matcher: { output: { path: "!(thing.name) && !names", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "flag && thing.flag", comparator: "booleanEquals", expected: "false" } } }
    ] }
    Functions: { acceptors: [
        { state: "success", matcher: { output: { path: "contains(names, 'READY') && starts_with(thing.name, 'G')", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "contains(things[].state, thing.state)", comparator: "booleanEquals", expected: "true" } } }
        { state: "retry", matcher: { output: { path: "not_null(thing.name, thing.state, 'READY')", comparator: "stringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "sum(things[].size) > `3`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "max(things[].name)", comparator: "stringEquals", expected: "other" } } }
        { state: "failure", matcher: { output: { path: "min(things[].size) == `2`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "keys(byName)", comparator: "anyStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "contains(thing.name, 'EAD') || ends_with(thing.state, 'E')", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "abs(thing.size) == `1` && floor(thing.size) <= ceil(thing.amount)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "values(byName)[].name", comparator: "allStringEquals", expected: "GONE" } } }
    ] }
    Searches: { acceptors: [
        { state: "success", matcher: { output: { path: "things[?contains(tags, name)].state", comparator: "anyStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "things[?contains(sizes, size)].name", comparator: "anyStringEquals", expected: "GONE" } } }
        { state: "retry", matcher: { output: { path: "length(things[?parts && contains(parts[?flag].name, name)]) > `0`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "length(things[?parts && contains(parts[].name, name)]) > `0`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "gen", comparator: "stringEquals", expected: "READY" } } }
    ] }
    Both: { acceptors: [
        { state: "success", matcher: { inputOutput: { path: "length(input.names) == length(output.things)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { inputOutput: { path: "input.name == output.thing.name", comparator: "booleanEquals", expected: "true" } } }
        { state: "retry", matcher: { output: { path: "flag", comparator: "booleanEquals", expected: "true" } } }
    ] }
    Errors: { acceptors: [
        { state: "success", matcher: { errorType: "example.paths#Gone" } }
        { state: "failure", matcher: { success: false } }
        { state: "retry", matcher: { success: true } }
        { state: "failure", matcher: { errorType: "Busy" } }
    ] }
    Ends: { acceptors: [
        { state: "success", matcher: { output: { path: "things[?flag] | [0].name", comparator: "stringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "things[].name | [-1]", comparator: "stringEquals", expected: "GONE" } } }
        { state: "failure", matcher: { output: { path: "things[?state == 'READY'] | [-1].name", comparator: "stringEquals", expected: "GONE" } } }
        { state: "retry", matcher: { output: { path: "length(names[?@ == 'READY']) > `0`", comparator: "booleanEquals", expected: "true" } } }
        { state: "retry", matcher: { output: { path: "max(things[?length(parts) > `0`].size) > `0`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "!(things[?flag])", comparator: "booleanEquals", expected: "true" } } }
    ] }
    Ordered: { acceptors: [
        { state: "success", matcher: { output: { path: "sort(names)[1]", comparator: "stringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "sort_by(things, &name)[-1].state", comparator: "stringEquals", expected: "GONE" } } }
        { state: "retry", matcher: { output: { path: "max_by(things, &size).name", comparator: "stringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "!(min_by(things, &amount).flag)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "avg(things[].size) > `1`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "reverse(names)[0]", comparator: "stringEquals", expected: "GONE" } } }
        { state: "failure", matcher: { output: { path: "sort_by(things[?flag], &when)[].name", comparator: "allStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "sort(things[].size)[0] == `0`", comparator: "booleanEquals", expected: "true" } } }
    ] }
    Made: { acceptors: [
        { state: "success", matcher: { output: { path: "[thing.name, thing.state]", comparator: "allStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "thing.[name, inner.name]", comparator: "anyStringEquals", expected: "GONE" } } }
        { state: "retry", matcher: { output: { path: "!contains(['READY', 'other'], thing.state)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "contains(`[\"GONE\", \"READY\"]`, thing.name)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "things[].[name, state][]", comparator: "allStringEquals", expected: "GONE" } } }
        { state: "failure", matcher: { output: { path: "thing.inner.[name, state] | [1]", comparator: "stringEquals", expected: "GONE" } } }
        { state: "failure", matcher: { output: { path: "thing.inner | name == state || !flag", comparator: "booleanEquals", expected: "true" } } }
    ] }
    Mixed: { acceptors: [
        { state: "success", matcher: { output: { path: "names && flag", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "thing.flag || thing.name", comparator: "stringEquals", expected: "READY" } } }
        { state: "retry", matcher: { output: { path: "names || thing.inner.flag", comparator: "booleanEquals", expected: "false" } } }
        { state: "failure", matcher: { output: { path: "things && (thing.name || flag)", comparator: "booleanEquals", expected: "true" } } }
    ] }
    Nulls: { acceptors: [
        { state: "success", matcher: { output: { path: "thingsOrNulls[*].name", comparator: "anyStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "thingsOrNulls[].inner.[name, state][]", comparator: "anyStringEquals", expected: "GONE" } } }
        { state: "retry", matcher: { output: { path: "thingsOrNulls[?name != 'GONE'].parts[0].name", comparator: "anyStringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "thingsOrNulls[-1].state", comparator: "stringEquals", expected: "READY" } } }
        { state: "failure", matcher: { output: { path: "namesOrNulls[?@ == 'GONE' || !@]", comparator: "allStringEquals", expected: "GONE" } } }
        { state: "failure", matcher: { output: { path: "thingsOrNullsByName.*.parts[].name", comparator: "anyStringEquals", expected: "GONE" } } }
    ] }
    Codes: { acceptors: [
        { state: "success", matcher: { errorType: "Full" } }
        { state: "failure", matcher: { errorType: "Missing" } }
        { state: "retry", matcher: { success: true } }
    ] }
)
operation GetThings {
    input := {
        name: String
        names: Names
    }
    output := {
        thing: Thing
        things: Things
        names: Names
        byName: ByName
        flag: Boolean
        gen: String
        type: String
        thingsOrNulls: ThingsOrNulls
        namesOrNulls: NamesOrNulls
        thingsOrNullsByName: ThingsOrNullsByName
    }
    errors: [Gone, Full, Absent]
}

list Names {
    member: String
}

list Sizes {
    member: Integer
}

list Things {
    member: Thing
}

@sparse
list NamesOrNulls {
    member: String
}

@sparse
list ThingsOrNulls {
    member: Thing
}

@sparse
map ThingsOrNullsByName {
    key: String
    value: Thing
}

map ByName {
    key: String
    value: Thing
}

structure Thing {
    name: String
    state: State
    size: Integer
    amount: Double
    when: Timestamp
    flag: Boolean
    parts: Things
    inner: Thing
    sizes: Sizes
    tags: Names
}

enum State {
    READY
    GONE
}

@error("client")
structure Gone {}

@error("client")
@aws.protocols#awsQueryError(code: "DiskFull", httpResponseCode: 400)
structure Full {}

@error("client")
@aws.protocols#awsQueryError(code: "Missing", httpResponseCode: 404)
structure Absent {}
