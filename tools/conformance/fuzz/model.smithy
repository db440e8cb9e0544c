$version: "2"

namespace example

/// A service whose answers have a member of each kind.
service Jobs {
    version: "2026-01-01"
    operations: [GetJob]
}

@readonly
@http(method: "GET", uri: "/jobs/{id}")
operation GetJob {
    input := {
        @required
        @httpLabel
        id: String
    }

    output := {
        text: String
        number: Integer
        flag: Boolean
        kind: Kind
        time: Timestamp
        bytes: Blob
        items: Items
        names: Names
        sparse: Sparse
        tags: Tags
        choice: Choice
        item: Item
    }

    errors: [
        Gone
    ]
}

structure Item {
    name: String
    number: Double
    flag: Boolean
    kind: Kind
    parts: Items
    tags: Tags
}

list Items {
    member: Item
}

list Names {
    member: String
}

@sparse
list Sparse {
    member: String
}

map Tags {
    key: String
    value: String
}

union Choice {
    text: String
    item: Item
}

enum Kind {
    DONE
    FAILED
}

@error("client")
@httpError(410)
structure Gone {}
