// Metadata whose elements are not objects.
$version: "2.0"

metadata suppressions = [1]

metadata severityOverrides = "x"

namespace example.metadata

@paginated(inputToken: "gone")
operation Later {}
