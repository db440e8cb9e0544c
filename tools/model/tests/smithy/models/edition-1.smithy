// IDL 1.0, with what only it has.
$version: "1.0"

metadata suppressions = [
    { id: "PaginatedTrait.WrongShapeType", namespace: "example.old" },
    { id: "WaitableTraitJmespathProblem", namespace: "*", reason: "compared with a list" },
]

namespace example.old

use smithy.waiters#waitable

service Service {
    version: "1",
    operations: [List, Start],
}

@paginated(inputToken: "token", outputToken: "page.next.token", pageSize: "size", items: "names")
@waitable(
    Listed: {
        acceptors: [
            { state: "success", matcher: { output: { path: "state", comparator: "stringEquals", expected: "DONE" } } },
            { state: "failure", matcher: { output: { path: "states", comparator: "stringEquals", expected: "DONE" } } },
            { state: "failure", matcher: { errorType: "Gone" } },
        ]
    }
)
operation List {
    input: ListInput,
    output: ListOutput,
}

operation Start {
    input: StartInput,
    output: StartInput,
}

structure ListInput {
    token: String,
    size: PrimitiveLong,
}

structure ListOutput {
    page: Page,
    names: States,
    known: Names,
    state: State,
    states: States,
}

structure Page {
    next: Page,
    @box
    count: PrimitiveInteger,
    token: String,
}

structure StartInput {
    @idempotencyToken
    token: String,
}

set Names {
    member: String
}

list States {
    member: State
}

@enum([
    { value: "DONE", name: "DONE" },
    { value: "FAILED", name: "FAILED" },
])
string State
