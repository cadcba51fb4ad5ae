extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits, two for each byte.
    package var hexadecimal: String { hexadecimal(separatedBy: "") }

    /// Returns the bytes as lower-case hexadecimal digits, two for each byte, with a separator between the bytes.
    package func hexadecimal(separatedBy separator: String) -> String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: separator)
    }
}
