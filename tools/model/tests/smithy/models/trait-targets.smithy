// Traits on shapes that their selectors do not select.
$version: "2.0"

namespace example.targets

@length(min: 1)
integer Number

@required
string Text

@streaming
string Stream

@uniqueItems
list Floats {
    member: Float
}

@httpError(200)
structure NoError {}

@noReplace
resource Resource {}

@sensitive
@paginated
structure Paginated {}

@requestCompression(encodings: ["gzip"])
structure Compressed {}

@trait(selector: "structure")
structure forStructures {}

@forStructures
string OfStructures

@trait(selector: "[id|name^=B]")
structure forNames {}

@forNames
string OfNames

@forNames
string BNamed

@trait(selector: "structure <-[input]-")
structure forInputs {}

@forInputs
structure NotInput {}

@trait(selector: "service -[operation]->")
structure forOperations {}

@forOperations
operation Unbound {
    input := {
        @httpLabel
        label: String

        @httpHeader("x")
        header: NotInput

        @httpQuery("a")
        query: NotInput

        @idempotencyToken
        token: Integer

        @idempotencyToken
        fine: String
    }
    output := {
        @httpResponseCode
        code: String

        @enumValue(1)
        value: String

        @nestedProperties
        nested: String
    }
}

@trait(selector: ":is(string, list > member)")
structure forSome {}

@forSome
list Elements {
    @forSome
    member: String
}

@trait(selector: "structure :not([trait|error]) > member :test(> string)")
structure forMembers {}

structure Members {
    @forMembers
    text: String

    @forMembers
    number: Integer
}

@trait(selector: "[trait|length|min > 3]")
structure forLong {}

@forLong
@length(min: 2)
string Short

@forLong
@length(min: 4)
string Long

@trait(selector: "operation[id|namespace = 'example.other']")
structure forOthers {}

@forOthers
operation Ours {}
