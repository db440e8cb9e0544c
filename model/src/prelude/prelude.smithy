// The simple shapes that every model can name, and the traits of the specification's behaviour chapter.
$version: "2.0"

namespace smithy.api

blob Blob
boolean Boolean
string String
byte Byte
short Short
integer Integer
long Long
float Float
double Double
bigInteger BigInteger
bigDecimal BigDecimal
timestamp Timestamp
document Document

@default(false)
boolean PrimitiveBoolean
@default(0)
byte PrimitiveByte
@default(0)
short PrimitiveShort
@default(0)
integer PrimitiveInteger
@default(0)
long PrimitiveLong
@default(0)
float PrimitiveFloat
@default(0)
double PrimitiveDouble

@unitType
structure Unit {}

@length(min: 1)
string NonEmptyString

list NonEmptyStringList { member: NonEmptyString }

map NonEmptyStringMap { key: NonEmptyString, value: NonEmptyString }

@trait(selector: "structure > :test(member > string)", structurallyExclusive: "member")
structure idempotencyToken {}

@trait(selector: "operation", conflicts: [readonly])
structure idempotent {}

@trait(selector: "operation", conflicts: [idempotent])
structure readonly {}

@trait(selector: "structure[trait|error]")
structure retryable {
    throttling: Boolean
}

@trait(selector: ":is(service, operation)")
structure paginated {
    inputToken: NonEmptyString
    outputToken: NonEmptyString
    items: NonEmptyString
    pageSize: NonEmptyString
}

@trait(selector: "operation")
structure requestCompression {
    @required
    encodings: RequestCompressionEncodings
}

list RequestCompressionEncodings {
    member: String
}

// The values of other traits, as far as there are rules for them.

@trait
structure deprecated { message: String, since: String }

@trait
@length(min: 1)
map externalDocumentation { key: NonEmptyString, value: NonEmptyString }

@trait
list suppress {
    @length(min: 1)
    member: String
}

@trait
structure length { min: Long, max: Long }

@trait
structure range { min: BigDecimal, max: BigDecimal }

@trait
structure recommended { reason: String }

@trait
list references { member: Reference }

structure Reference {
    @required
    resource: NonEmptyString
    ids: NonEmptyStringMap
    service: NonEmptyString
    rel: NonEmptyString
}

@trait
@length(min: 1)
string resourceIdentifier

@trait
@pattern("^[a-zA-Z_][a-zA-Z_0-9-]*(:[a-zA-Z_][a-zA-Z_0-9-]*)?$")
string xmlName

@trait
structure xmlNamespace {
    @required
    uri: NonEmptyString
    @pattern("^[a-zA-Z_][a-zA-Z_0-9-]*$")
    prefix: NonEmptyString
}

@trait
structure http {
    @required
    method: NonEmptyString
    @required
    uri: NonEmptyString
    @range(min: 100, max: 999)
    code: Integer = 200
}

@trait
@length(min: 1)
string httpQuery

@trait
@length(min: 1)
string httpHeader

@trait
structure cors {
    origin: NonEmptyString = "*"
    maxAge: Integer = 600
    additionalAllowedHeaders: NonEmptyStringList
    additionalExposedHeaders: NonEmptyStringList
}

@trait
structure endpoint {
    @required
    hostPrefix: NonEmptyString
}
