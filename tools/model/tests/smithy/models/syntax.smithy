// A text that cannot be read to its end.
$version: "2.0"

namespace example.syntax

@paginated(inputToken: "gone")
operation Later {}

strcture Misspelt {}
