$version: "2"

namespace example

operation GetJob {
    input := {
        @required
        id: String
        token: String
    }
    output := {
        id: String
        status: String
        kind: Size
        level: Level
        count: Integer
        most: Most
        ratio: Double
        flag: Boolean
        at: Timestamp
        names: Names
        nested: Nested
        steps: Steps
        step: Step
        byName: ByName
        stepsByName: StepsByName
        marks: Marks
        doc: Document
    }
}

enum Size {
    SMALL = "small"
    LARGE = "large"
}

intEnum Level {
    LOW = 2
    HIGH = 9
}

@range(min: 5, max: 7)
integer Most

list Names { member: String }

list Nested { member: Names }

list Steps { member: Step }

@sparse
list Marks { member: String }

structure Step {
    name: String
    status: String
    count: Integer
    flag: Boolean
    names: Names
    next: Step
}

map ByName { key: String, value: String }

map StepsByName { key: String, value: Step }
