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
