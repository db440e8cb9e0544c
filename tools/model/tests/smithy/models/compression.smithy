// Request compression: encodings and inputs.
$version: "2.0"

namespace example.compression

@requestCompression(encodings: ["gzip"])
operation Fine {
    input: Input
}

@requestCompression(encodings: ["GZip", "gzip"])
operation AnyCase {
    input: Input
}

@requestCompression(encodings: [])
operation Empty {
    input: Input
}

@requestCompression(encodings: ["gzip", "zip", "br"])
operation Unknown {
    input: Input
}

@requestCompression(encodings: ["gzip"])
operation NoInput {}

@requestCompression(encodings: ["zip"])
operation Both {}

@requestCompression(encodings: ["gzip"])
operation Streams {
    input := {
        @required
        body: Streaming
    }
}

@requestCompression(encodings: ["gzip"])
operation Measured {
    input := {
        @required
        body: WithLength
    }
}

structure Input {
    text: String
}

@streaming
blob Streaming

@streaming
@requiresLength
blob WithLength
