// Shapes that are missing, or of a kind that cannot be there: nothing else is looked at.
$version: "2.0"

namespace example.missing

structure Members {
    gone: Gone
    operation: Operation
    text: String
}

list Resources {
    member: Resource
}

operation Operation {
    input: Gone
    output: List
    errors: [Gone, Text]
}

operation ErrorInput {
    input: Failure
    errors: [Members]
}

service Service {
    version: "1"
    operations: [Members, Gone]
    resources: [Operation]
}

resource Resource {
    operations: [Resource]
    read: Gone
}

list List {
    member: String
}

string Text

structure MixedWithOthers with [Members] {}

@error("client")
structure Failure {}

@paginated(inputToken: "gone")
operation Later {
    input: List
}
