// Shapes that are missing: nothing else is looked at.
$version: "2.0"

namespace example.missing

structure Members {
    gone: Gone
    text: String
}

list Elements {
    member: Gone
}

operation Operation {
    input: Gone
    output: Lost
    errors: [Gone]
}

service Service {
    version: "1"
    operations: [Gone]
    resources: [Resource, Lost]
}

resource Resource {
    read: Gone
}

@paginated(inputToken: "gone")
operation Later {
    input: Members
}
