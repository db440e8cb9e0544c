// Paginators whose service completes them, or does not.
$version: "2.0"

namespace example.services

@paginated(outputToken: "token", pageSize: "size")
service Completing {
    version: "1"
    operations: [OnlyInput, Whole, Bare]
}

@paginated(inputToken: "gone", items: "gone")
service Misleading {
    version: "1"
    operations: [OnlyInput, Bare]
    resources: [Page]
}

service Silent {
    version: "1"
    operations: [OnlyInput, Bare, Whole]
}

resource Page {
    operations: [Bound]
}

@paginated(inputToken: "token")
operation OnlyInput {
    input: Input
    output: Output
}

@paginated
operation Bare {
    input: Input
    output: Output
}

@paginated(inputToken: "token", outputToken: "token", items: "items")
operation Whole {
    input: Input
    output: Output
}

@paginated(inputToken: "token", outputToken: "token")
operation Bound {
    input: Input
    output: Output
}

structure Input {
    token: String
    size: String
}

structure Output {
    token: String
    items: Items
}

list Items {
    member: String
}
