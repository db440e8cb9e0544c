// Paginators, each with what is wrong with its tokens, its page size or its items.
$version: "2.0"

namespace example.pages

@paginated(inputToken: "token")
operation OnlyInputToken {
    input: Input
    output: Output
}

@paginated(inputToken: "gone", outputToken: "gone", pageSize: "gone", items: "gone")
operation Gone {
    input: Input
    output: Output
}

@paginated(inputToken: "in.token", outputToken: "part.gone", pageSize: "in.size", items: "part.deep.gone")
operation Nested {
    input: Input
    output: Output
}

@paginated(inputToken: "map", outputToken: "map", pageSize: "long", items: "text")
operation Discouraged {
    input: Input
    output: Output
}

@paginated(inputToken: "size", outputToken: "flag", pageSize: "text", items: "flag")
operation Wrong {
    input: Input
    output: Output
}

@paginated(inputToken: "short", outputToken: "structure", pageSize: "short", items: "part")
operation Others {
    input: Input
    output: Output
}

@paginated(inputToken: "byte", outputToken: "part.deep.token", pageSize: "byte", items: "part.deep.items")
operation Deep {
    input: Input
    output: Output
}

@paginated(inputToken: "requiredToken", outputToken: "requiredToken", pageSize: "requiredSize", items: "items")
operation Required {
    input: Input
    output: Output
}

@paginated(inputToken: "token", outputToken: "token.", items: "items..")
operation Dots {
    input: Input
    output: Output
}

@paginated(inputToken: "token", outputToken: "token")
operation NoInput {
    output: Output
}

@paginated(inputToken: "token", outputToken: "token")
operation NoOutput {
    input: Input
}

@paginated(inputToken: "enum", outputToken: "enum", pageSize: "intEnum", items: "byName")
operation Fine {
    input: Input
    output: Output
}

structure Input {
    token: String
    map: Map
    size: Integer
    text: String
    long: Long
    short: Short
    byte: Byte
    enum: Enum
    intEnum: IntEnum
    @required
    requiredToken: String
    @required
    requiredSize: Integer
    in: Part
}

structure Output {
    token: String
    map: Map
    flag: Boolean
    text: String
    structure: Part
    enum: Enum
    @required
    requiredToken: String
    items: Items
    byName: Map
    part: Part
}

structure Part {
    token: String
    deep: Deeper
}

structure Deeper {
    token: String
    items: Items
}

map Map {
    key: String
    value: String
}

list Items {
    member: String
}

enum Enum {
    A
}

intEnum IntEnum {
    ONE = 1
}
