// What IDL 2.0 can write, all of it valid.
$version: "2.0"
$operationInputSuffix: "Request"
$operationOutputSuffix: "Response"

metadata authors = ["one", "two"]

metadata nested = {
    "key with spaces": [1, -2.5, 1e3, true, false, null]
    text: """
        A block
          of text, \
        in one line here.
        """
}

namespace example.idl

use smithy.waiters#waitable

/// A service, documented
/// over two lines.
service Service {
    version: "2026-01-01"
    operations: [
        Operation
        Nothing
    ]
    resources: [Thing]
    errors: [Failure]
    rename: { "example.idl#Renamed": "OtherName" }
}

resource Thing {
    identifiers: { thingId: String, other: Id }
    properties: { size: Integer, label: Label }
    create: CreateThing
    put: PutThing
    read: GetThing
    delete: DeleteThing
    list: ListThings
    operations: [Touch]
    collectionOperations: [TouchAll]
    resources: [Part]
}

resource Part {
    identifiers: { thingId: String, other: Id, partId: Id }
}

operation CreateThing {
    input := for Thing {
        $size = 3
        $label
    }
    output := for Thing {
        @required
        $thingId
    }
}

@idempotent
operation PutThing {
    input := for Thing {
        @required
        $thingId

        @required
        $other

        $size
    }
}

@readonly
@waitable(
    ThingExists: {
        acceptors: [{ state: "success", matcher: { output: { path: """
            label""", comparator: "stringEquals", expected: "A" } } }]
    }
)
operation GetThing {
    input := for Thing {
        @required
        $thingId

        @required
        $other
    }
    output := for Thing {
        $label
    }
    errors: [Failure]
}

@idempotent
operation DeleteThing {
    input := for Thing {
        @required
        $thingId

        @required
        $other
    }
}

@readonly
operation ListThings {}

operation Touch {
    input := for Thing {
        @required
        $thingId

        @required
        $other
    }
}

operation TouchAll {}

operation Nothing {}

operation Operation {
    input: Simple
    output := with [Identified] {
        renamed: Renamed
        aggregate: Aggregate
    }
}

@mixin
structure Identified {
    /// Documentation of a mixin.
    id: Id
}

@mixin
structure MoreIdentified with [Identified] {
    @required
    more: String = ""
}

structure Simple with [MoreIdentified] {
    blob: Blob
    boolean: Boolean = false
    byte: Byte
    short: Short = 0
    integer: Integer = 1
    long: Long
    float: Float = 1.5
    double: Double
    bigInteger: BigInteger
    bigDecimal: BigDecimal
    timestamp: Timestamp
    document: Document = {}
    enum: Label = "A"
    intEnum: Level
    list: Texts = []
    map: Numbers
    union: Choice
    /// Documented.
    string: String = null
}

apply Simple$id @deprecated(message: "by apply", since: "2")

apply Simple$long {
    @documentation("A \"quoted\" text,\nover \u0032 lines.")
    @range(min: -1, max: 10)
}

@mixin
list Texts0 {
    @length(min: 1)
    member: String
}

list Texts with [Texts0] {}

@sparse
map Numbers {
    key: String
    value: Integer
}

union Choice {
    none: Unit
    text: String
    again: Choice
}

structure Aggregate {
    texts: Texts
    numbers: Numbers
}

structure Renamed {}

enum Label {
    A

    /// The second.
    @deprecated
    B = "b"

    C = "c"
}

intEnum Level {
    LOW = 1
    HIGH = -2
}

@pattern("^[a-z\\d]+$")
@tags(["one", "two"])
string Id

@error("server")
@retryable
structure Failure {
    message: String
}

@trait(selector: "structure")
structure note {
    text: String
    numbers: Numbers
    @idRef
    shape: String
    any: Document
}

@note(text: "a", numbers: { one: 1, two: 2 }, shape: Id, any: [{ "b": 2 }, "c"])
structure Noted {}

@note
structure Empty {}
