/// Why the tool ends early.
struct CodecToolError: Error, CustomStringConvertible {
    let description: String
}
