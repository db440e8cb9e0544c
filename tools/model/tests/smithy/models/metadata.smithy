// Suppressions and overrides that Smithy cannot read.
$version: "2.0"

metadata suppressions = [
    { id: "x" }
    { namespace: "a" }
    { id: "x", namespace: "a", reason: 1 }
    { id: "x", namespace: "a", reason: "fine" }
]

metadata severityOverrides = [
    { id: "x", severity: "DANGER" }
    { id: "x", namespace: "a" }
    { id: "x", namespace: "a", severity: "ERROR" }
    { id: "x", namespace: "a", severity: "WARNING" }
]

namespace example.metadata

@paginated(inputToken: "gone")
operation Later {}
