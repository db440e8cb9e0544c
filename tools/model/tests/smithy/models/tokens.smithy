// Idempotency tokens that have no effect.
$version: "2.0"

namespace example.tokens

service Service {
    version: "1"
    operations: [Start, Echo, Fail]
    resources: [Thing]
    errors: [Failure]
}

resource Thing {
    identifiers: { id: String }
    properties: { part: AsProperty }
    read: GetThing
}

@readonly
operation GetThing {
    input := for Thing {
        @required
        $id
    }
    output := for Thing {
        $part
    }
}

operation Start {
    input: Fine
}

operation Echo {
    input: AsOutput
    output: AsOutput
}

operation Fail {
    input := with [Tokened] {
        list: Elements
        map: Values
        union: Choice
        part: AsMember
    }
    errors: [Failure]
}

structure Fine {
    @idempotencyToken
    token: String
}

structure AsOutput {
    @idempotencyToken
    token: String
}

structure AsProperty {
    @idempotencyToken
    token: String
}

structure AsMember {
    @idempotencyToken
    token: String
}

structure AsElement {
    @idempotencyToken
    token: String
}

structure AsValue {
    @idempotencyToken
    token: String
}

structure AsChoice {
    @idempotencyToken
    token: String
}

structure Unused {
    @idempotencyToken
    token: String
}

@mixin
structure Tokened {
    @idempotencyToken
    token: String
}

structure MixedIn with [Tokened] {}

list Elements {
    member: AsElement
}

map Values {
    key: String
    value: AsValue
}

union Choice {
    one: AsChoice
    two: MixedIn
}

@error("client")
structure Failure {
    @idempotencyToken
    token: String
}
