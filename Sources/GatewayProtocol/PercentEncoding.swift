/// The encoding of texts in URLs (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Returns bytes in it, but for the characters that mean nothing in a URL (RFC 3986 §2.3).
    package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
