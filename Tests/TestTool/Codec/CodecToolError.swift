/// An error that ends the tool early.
struct CodecToolError: Error, CustomStringConvertible {
    let description: String
}
