// What every model can name, as of Smithy 1.73: the simple shapes, the traits, and what their values are made of. What only
// documents them, or compares versions of a model, is left out.
$version: "2.0"

namespace smithy.api

string String
blob Blob
bigInteger BigInteger
bigDecimal BigDecimal
timestamp Timestamp
document Document
boolean Boolean
byte Byte
short Short
integer Integer
long Long
float Float
double Double

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

// Traits: where they can be applied, and their values.

@trait(selector: ":is(simpleType, list, map, structure, union)")
structure trait {
    selector: String
    structurallyExclusive: StructurallyExclusive
    conflicts: NonEmptyStringList
    breakingChanges: TraitDiffRules
}

@trait
structure deprecated { message: String, since: String }

@trait(selector: ":test(boolean, byte, short, integer, long, float, double, member > :test(boolean, byte, short, integer, long, float, double))")
structure box {}

@trait
string documentation

@trait
@length(min: 1)
map externalDocumentation { key: NonEmptyString, value: NonEmptyString }

@trait(selector: ":is(service, operation)")
@uniqueItems
list auth { member: AuthTraitReference }

@trait(selector: "structure[trait|trait]")
structure protocolDefinition { traits: TraitShapeIdList, noInlineDocumentSupport: Boolean }

@trait(selector: "structure[trait|trait]")
structure authDefinition { traits: TraitShapeIdList }

@trait(selector: "service")
@authDefinition
structure httpBasicAuth {}

@trait(selector: "service")
@authDefinition
structure httpDigestAuth {}

@trait(selector: "service")
@authDefinition
structure httpBearerAuth {}

@trait(selector: "service")
@authDefinition
structure httpApiKeyAuth {
    @required
    name: NonEmptyString
    @required
    in: HttpApiKeyLocations
    scheme: NonEmptyString
}

@trait(selector: "[trait|trait]")
map traitValidators {
    @length(min: 1)
    key: String
    value: TraitValidator
}

@trait(selector: "dataType :not([trait|input]) :not([trait|output])")
structure metadata {
    @required
    @length(min: 1)
    key: String
}

@trait(selector: ":is(simpleType, list, map, structure > member :test(> :is(simpleType, list, map)))")
document default

@trait(selector: "structure > member [trait|default]")
structure addedDefault {}

@trait(selector: "structure > member")
structure clientOptional {}

@trait(selector: "operation")
structure optionalAuth {}

@trait(selector: "operation")
list examples { member: Example }

@trait(selector: "structure", conflicts: [trait])
enum error {
    CLIENT = "client"
    SERVER = "server"
}

@trait(selector: "structure[trait|error]")
structure retryable { throttling: Boolean }

@trait(selector: "operation", conflicts: [idempotent])
structure readonly {}

@trait(selector: "operation", conflicts: [readonly])
structure idempotent { exists: IdempotentErrors, notFound: IdempotentErrors }

@trait(selector: "structure > :test(member > string)", structurallyExclusive: "member")
@notProperty
structure idempotencyToken {}

@trait
structure internal {}

@trait(selector: ":is(structure, union) > member")
string jsonName

@trait(selector: "structure > :test(member > :test(boolean, number, string, timestamp))", conflicts: [xmlNamespace])
structure xmlAttribute {}

@trait(selector: ":is(structure, union) > :test(member > :test(list, map))")
structure xmlFlattened {}

@trait(selector: ":is(structure, union, member)")
@pattern("^[a-zA-Z_][a-zA-Z_0-9-]*(:[a-zA-Z_][a-zA-Z_0-9-]*)?$")
string xmlName

@trait(selector: ":is(service, member, simpleType, list, map, structure, union)", conflicts: [xmlAttribute])
structure xmlNamespace {
    @required
    uri: NonEmptyString
    @pattern("^[a-zA-Z_][a-zA-Z_0-9-]*$")
    prefix: NonEmptyString
}

@trait(selector: "resource:test(-[put]->)")
structure noReplace {}

@trait(selector: ":is(blob, string)")
string mediaType

@trait(selector: ":is(structure, string)")
list references { member: Reference }

@trait(selector: "structure > :test(member[trait|required] > string)")
@length(min: 1)
@notProperty
string resourceIdentifier

@trait
structure private {}

@trait(selector: ":not(:test(service, operation, resource, member))")
structure sensitive {}

@trait
string since

@trait(selector: ":is(blob, union)", structurallyExclusive: "target")
structure streaming {}

@trait(selector: "blob[trait|streaming]")
structure requiresLength {}

@trait(selector: "operation")
structure longPoll {
    @required
    @range(min: 1)
    timeoutMillis: Integer
}

@trait
list tags { member: String }

@trait
string title

@trait(selector: "string :not(enum)")
@length(min: 1)
list enum { member: EnumDefinition }

@trait(selector: ":is(enum, intEnum) > member")
document enumValue

@trait(selector: ":test(list, map, string, blob, member > :is(list, map, string, blob))")
structure length { min: Long, max: Long }

@trait(selector: ":test(number, member > number)")
structure range { min: BigDecimal, max: BigDecimal }

@trait(selector: ":test(string, member > string)")
string pattern

@trait(selector: "structure > member")
structure required {}

@trait(selector: "structure > member", conflicts: [resourceIdentifier])
structure property { name: String }

@trait(selector: ":is(operation -[input, output]-> structure > member, [trait|trait])")
@notProperty
structure notProperty {}

@trait(selector: "operation -[input, output]-> structure > member :test(> structure)", structurallyExclusive: "member")
@notProperty
structure nestedProperties {}

@trait(selector: "structure > member", conflicts: [required])
structure recommended { reason: String }

@trait(selector: ":is(list, map)")
structure sparse {}

@trait(selector: "list :not(> member ~> :is(float, double, document))", conflicts: [sparse])
structure uniqueItems {}

@trait
structure unstable {}

@trait(selector: ":is(service, operation)")
structure paginated {
    inputToken: NonEmptyString
    outputToken: NonEmptyString
    items: NonEmptyString
    pageSize: NonEmptyString
}

@trait(selector: "operation")
structure http {
    @required
    method: NonEmptyString
    @required
    uri: NonEmptyString
    @range(min: 100, max: 999)
    code: Integer = 200
}

@trait(selector: "structure > member[trait|required] :test(> :test(string, number, boolean, timestamp))", conflicts: [httpHeader, httpQuery, httpPrefixHeaders, httpPayload, httpResponseCode, httpQueryParams])
structure httpLabel {}

@trait(selector: "structure > member :test(> :test(string, number, boolean, timestamp), > list > member > :test(string, number, boolean, timestamp))", conflicts: [httpLabel, httpHeader, httpPrefixHeaders, httpPayload, httpResponseCode, httpQueryParams])
@length(min: 1)
string httpQuery

@trait(selector: "structure > member :test(> map > member[id|member=value] > :test(string, list > member > string))", structurallyExclusive: "member", conflicts: [httpLabel, httpQuery, httpHeader, httpPayload, httpResponseCode, httpPrefixHeaders])
structure httpQueryParams {}

@trait(selector: "structure > :test(member > :test(boolean, number, string, timestamp, list > member > :test(boolean, number, string, timestamp)))", conflicts: [httpLabel, httpQuery, httpPrefixHeaders, httpPayload, httpResponseCode, httpQueryParams])
@length(min: 1)
string httpHeader

@trait(selector: "structure > member :test(> map :not([trait|sparse]) > member[id|member=value] > string)", structurallyExclusive: "member", conflicts: [httpLabel, httpQuery, httpHeader, httpPayload, httpResponseCode, httpQueryParams])
string httpPrefixHeaders

@trait(selector: "structure > member", conflicts: [httpLabel, httpQuery, httpHeader, httpPrefixHeaders, httpResponseCode, httpQueryParams], structurallyExclusive: "member")
structure httpPayload {}

@trait(selector: "structure[trait|error]")
integer httpError

@trait(selector: "structure :not([trait|input]) > member :test(> integer)", structurallyExclusive: "member", conflicts: [httpLabel, httpQuery, httpHeader, httpPrefixHeaders, httpPayload, httpQueryParams])
structure httpResponseCode {}

@trait(selector: "service")
structure cors {
    origin: NonEmptyString = "*"
    origins: NonEmptyStringMap
    maxAge: Integer = 600
    additionalAllowedHeaders: NonEmptyStringList
    additionalExposedHeaders: NonEmptyStringList
}

@trait(selector: "structure > :test(member > :test(blob, string, structure, union))", conflicts: [eventHeader], structurallyExclusive: "member")
structure eventPayload {}

@trait(selector: "structure > :test(member > :test(boolean, byte, short, integer, long, blob, string, timestamp))", conflicts: [eventPayload])
structure eventHeader {}

@trait(selector: ":test(string, member > string)")
structure idRef {
    selector: String = "*"
    failWhenMissing: Boolean
    errorMessage: String
}

@trait(selector: ":test(timestamp, member > timestamp)")
enum timestampFormat {
    DATE_TIME = "date-time"
    EPOCH_SECONDS = "epoch-seconds"
    HTTP_DATE = "http-date"
}

@trait(selector: "operation")
structure endpoint {
    @required
    hostPrefix: NonEmptyString
}

@trait(selector: "structure > :test(member[trait|required] > string)")
structure hostLabel {}

@trait
list suppress {
    @length(min: 1)
    member: String
}

@trait(selector: "operation")
structure httpChecksumRequired {}

@trait(selector: "structure", conflicts: [output, error])
structure input {}

@trait(selector: "structure", conflicts: [input, error])
structure output {}

@trait(selector: "[id=smithy.api#Unit]")
structure unitType {}

@trait(selector: ":not(member)")
structure mixin { localTraits: LocalMixinTraitList }

@trait(selector: "operation")
structure requestCompression {
    @required
    encodings: RequestCompressionEncodingsList
}

// Parts of these values. No model can name them.

@private
@length(min: 1)
list TraitDiffRules { member: TraitDiffRule }

@private
structure TraitDiffRule {
    path: String
    @required
    change: TraitChangeType
    severity: Severity = "ERROR"
    message: String
}

@private
enum TraitChangeType {
    UPDATE = "update"
    ADD = "add"
    REMOVE = "remove"
    PRESENCE = "presence"
    ANY = "any"
}

@private
enum Severity { NOTE, WARNING, DANGER, ERROR }

@private
enum StructurallyExclusive {
    MEMBER = "member"
    TARGET = "target"
}

@idRef(selector: "[trait|authDefinition]")
@private
string AuthTraitReference

@private
list TraitShapeIdList { member: TraitShapeId }

@private
@idRef(failWhenMissing: true, selector: "[trait|trait]")
string TraitShapeId

@private
structure TraitValidator {
    @required
    selector: String
    message: String
    severity: Severity = "ERROR"
}

@private
enum HttpApiKeyLocations {
    HEADER = "header"
    QUERY = "query"
}

@private
structure Example {
    @required
    title: String
    documentation: String
    input: Document
    output: Document
    error: ExampleError
    allowConstraintErrors: Boolean
}

@private
structure ExampleError {
    @idRef(selector: "structure[trait|error]")
    shapeId: String
    content: Document
}

@private
list IdempotentErrors {
    @idRef(selector: "[trait|error]")
    member: String
}

@private
@length(min: 1)
string NonEmptyString

@private
structure Reference {
    @required
    resource: NonEmptyString
    ids: NonEmptyStringMap
    service: NonEmptyString
    rel: NonEmptyString
}

@private
map NonEmptyStringMap { key: NonEmptyString, value: NonEmptyString }

@private
structure EnumDefinition {
    @required
    value: NonEmptyString
    name: EnumConstantBodyName
    documentation: String
    tags: NonEmptyStringList
    deprecated: Boolean
}

@private
@pattern("^[a-zA-Z_]+[a-zA-Z_0-9]*$")
string EnumConstantBodyName

@private
list NonEmptyStringList { member: NonEmptyString }

@private
list LocalMixinTraitList { member: LocalMixinTrait }

@idRef(selector: "[trait|trait]", failWhenMissing: true)
@private
string LocalMixinTrait

@private
list RequestCompressionEncodingsList { member: String }
