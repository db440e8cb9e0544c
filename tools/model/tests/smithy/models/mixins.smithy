// What comes by mixins: members, traits and the places of events.
$version: "2.0"

namespace example.mixins

use smithy.waiters#waitable

@mixin
structure PageInput {
    token: String
    limit: Integer
}

@mixin
structure PageOutput {
    token: String
    map: Map
}

@mixin
@paginated(inputToken: "token", outputToken: "map", pageSize: "limit")
operation Paged {
    errors: [Known]
}

@mixin
@waitable(
    Mixed: {
        acceptors: [
            { state: "success", matcher: { output: { path: "token", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "own", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { errorType: "Known" } }
        ]
    }
)
operation Waited {}

operation List with [Paged, Waited] {
    input := with [PageInput] {
        own: Boolean
    }
    output := with [PageOutput] {
        own: Boolean
    }
}

operation Less with [Waited] {
    output := with [PageOutput] {}
}

@mixin(localTraits: [paginated])
@paginated(inputToken: "gone")
operation Local {}

operation WithoutLocal with [Local] {}

@mixin
structure Tokened {
    @idempotencyToken
    token: String
}

structure AsElement with [Tokened] {}

apply AsElement$token @documentation("Applied to a member that comes by a mixin.")

list Elements {
    member: AsElement
}

structure Redefined with [PageInput] {
    @required
    $token

    $limit = 5
}

@paginated(inputToken: "token", outputToken: "token", pageSize: "limit")
operation WithRedefined {
    input: Redefined
    output: Redefined2
}

structure Redefined2 with [PageOutput] {
    @required
    $token
}

map Map {
    key: String
    value: String
}

@error("client")
structure Known {}
