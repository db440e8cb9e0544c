// Events that the model suppresses, or raises.
$version: "2.0"

metadata suppressions = [
    { id: "PaginatedTrait.WrongShapeType", namespace: "example.suppressed", reason: "a map is a token here" }
    { id: "PaginatedTrait.DeeplyNested.items", namespace: "*" }
    { id: "WaitableTrait", namespace: "example.suppressed", reason: "another id, and an error" }
    { id: "IdempotencyTokenIgnored", namespace: "example.other", reason: "another namespace" }
    { id: "WaitableTraitJmespathProblem.JmespathEventDanger.Suppressed", namespace: "example.suppressed" }
]

metadata severityOverrides = [
    { id: "IdempotencyTokenIgnored", namespace: "example.suppressed", severity: "DANGER" }
    { id: "PaginatedTrait.ShouldNotBeRequired", namespace: "*", severity: "WARNING" }
    { id: "WaitableTraitInvalidErrorType", namespace: "example.other", severity: "DANGER" }
    { id: "PaginatedTrait.WrongShapeType", namespace: "*", severity: "DANGER" }
]

namespace example.suppressed

use smithy.waiters#waitable

@paginated(inputToken: "map", outputToken: "part.deep.token", items: "part.deep.items")
operation List {
    input := {
        map: Map
    }
    output := {
        part: Part
    }
}

@paginated(inputToken: "token", outputToken: "token", pageSize: "size")
operation Raised {
    input := {
        token: String

        @required
        size: Integer
    }
    output := {
        @required
        token: String
    }
}

@suppress(["WaitableTraitInvalidErrorType.Second", "WaitableTraitInvalidErrorType.First.1", "WaitableTrait"])
@waitable(
    First: {
        acceptors: [
            { state: "success", matcher: { errorType: "Gone" } }
            { state: "failure", matcher: { errorType: "Gone" } }
            { state: "failure", matcher: { output: { path: "gone", comparator: "stringEquals", expected: "x" } } }
        ]
    }
    Second: {
        acceptors: [
            { state: "success", matcher: { errorType: "Gone" } }
            { state: "failure", matcher: { errorType: "Gone" } }
            { state: "failure", matcher: { errorType: "Gone" }, message: "[" }
        ]
    }
    Suppressed: {
        acceptors: [{ state: "success", matcher: { output: { path: "gone", comparator: "stringEquals", expected: "x" } } }]
    }
)
operation Wait {}

structure Used {
    @idempotencyToken
    raised: String
    list: Users
}

structure Other {
    @idempotencyToken
    @suppress(["IdempotencyTokenIgnored"])
    suppressed: String
}

@suppress(["IdempotencyTokenIgnored"])
structure OnShape {
    @idempotencyToken
    notSuppressed: String
}

list Users {
    member: Used
}

list Others {
    member: Other
}

list OnShapes {
    member: OnShape
}

structure Part {
    deep: Deep
}

structure Deep {
    token: String
    items: Users
}

map Map {
    key: String
    value: String
}
