// Paths whose type, members or functions are wrong: nothing of it is an error, so everything is looked at.
$version: "2.0"

namespace example.paths

use smithy.waiters#waitable

@waitable(
    Mismatch: {
        acceptors: [
            { state: "success", matcher: { output: { path: "flag", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "names", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "length(names)", comparator: "anyStringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "name", comparator: "allStringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "{ a: name }", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "@", comparator: "booleanEquals", expected: "false" } } }
        ]
    }
    Members: {
        acceptors: [
            { state: "success", matcher: { output: { path: "gone", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "part.gone", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "names[0].gone", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "names[*].gone", comparator: "anyStringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "names.gone", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "parts[?gone == 'a'].name", comparator: "anyStringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "[gone, name]", comparator: "anyStringEquals", expected: "x" } } }
        ]
    }
    Selections: {
        acceptors: [
            { state: "success", matcher: { output: { path: "name[0]", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "name[]", comparator: "anyStringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "name[1:2]", comparator: "anyStringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "name.*", comparator: "anyStringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "name[?@]", comparator: "anyStringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "counts.*", comparator: "anyStringEquals", expected: "x" } } }
        ]
    }
    Comparisons: {
        acceptors: [
            { state: "success", matcher: { output: { path: "name == `1`", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "name > 'a'", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "flag < `true`", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "part != names", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "count >= `2` && !flag", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "`null` == name", comparator: "booleanEquals", expected: "true" } } }
        ]
    }
    Calls: {
        acceptors: [
            { state: "success", matcher: { output: { path: "length(flag)", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "contains(flag, 'a')", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "starts_with(count, 'a')", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "keys(name)", comparator: "anyStringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "sort_by(parts, &name)[0].name", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "join(',', name)", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "to_string(count)", comparator: "stringEquals", expected: "1" } } }
            { state: "failure", matcher: { output: { path: "abs(name)", comparator: "stringEquals", expected: "1" } } }
            { state: "failure", matcher: { output: { path: "sum(counts)", comparator: "stringEquals", expected: "1" } } }
            { state: "failure", matcher: { output: { path: "not_null(gone, name)", comparator: "stringEquals", expected: "1" } } }
        ]
    }
    Both: {
        acceptors: [
            {
                state: "success"
                matcher: { inputOutput: { path: "input.id == output.gone", comparator: "booleanEquals", expected: "true" } }
            }
            { state: "failure", matcher: { inputOutput: { path: "name", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { inputOutput: { path: "input", comparator: "stringEquals", expected: "x" } } }
            {
                state: "failure"
                matcher: { inputOutput: { path: "input.gone", comparator: "stringEquals", expected: "x" } }
                message: "'twice'"
            }
        ]
    }
)
operation Look {
    input := {
        id: String
    }
    output := {
        name: String
        flag: Boolean
        count: Integer
        names: Names
        part: Part
        parts: Parts
        counts: Counts
    }
}

@waitable(
    NoOutput: {
        acceptors: [
            { state: "success", matcher: { output: { path: "name", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { inputOutput: { path: "input.a", comparator: "stringEquals", expected: "x" } } }
        ]
    }
)
operation Nothing {}

@waitable(
    Recursive: {
        acceptors: [
            { state: "success", matcher: { output: { path: "tree.left.left.right.name", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "tree.left.gone", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "choice.text", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "document.a[0]", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "time", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "level", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "rank", comparator: "stringEquals", expected: "x" } } }
            { state: "failure", matcher: { output: { path: "data", comparator: "booleanEquals", expected: "true" } } }
        ]
    }
)
operation Shapes {
    output := {
        tree: Tree
        choice: Choice
        document: Document
        time: Timestamp
        level: Level
        rank: Rank
        data: Blob
    }
}

structure Tree {
    name: String
    left: Tree
    right: Tree
}

union Choice {
    text: String
    number: Integer
}

enum Level {
    LOW
    HIGH
}

intEnum Rank {
    FIRST = 1
    SECOND = 2
}

list Names {
    member: String
}

list Parts {
    member: Part
}

structure Part {
    name: String
}

map Counts {
    key: String
    value: Integer
}
