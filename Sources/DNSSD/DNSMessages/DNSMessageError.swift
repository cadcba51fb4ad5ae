/// An error that says why bytes are not a DNS message, and at which offset.
///
/// The offset is counted in bytes from the beginning of the message.
package struct DNSMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error. More may be added.
    package enum Code: String, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, for logs; it stays the same from version to version.
        package var description: String { rawValue }

        /// The bytes end before the data that they announce.
        case truncated
        /// A compression pointer leads to itself, forward, or into the header: a name may continue only at an earlier
        /// name (RFC 1035 §4.1.4).
        case forwardPointer
        /// A name follows more compression pointers than it can have labels.
        case tooManyPointers
        /// A length byte begins with the bits 01 or 10, which are reserved (RFC 1035 §4.1.4, RFC 6891 §5).
        case reservedLabelType
        /// The name has more than 255 bytes on the wire.
        case nameTooLong
        /// The RDATA is shorter or longer than its type requires, or its inner lengths contradict each other.
        case invalidRecordData

        var text: String {
            switch self {
            case .truncated: "the bytes end too early"
            case .forwardPointer: "a compression pointer does not lead back to an earlier name"
            case .tooManyPointers: "a name leads over too many compression pointers"
            case .reservedLabelType: "a length byte begins with bits that are reserved"
            case .nameTooLong: "a name has more than 255 bytes"
            case .invalidRecordData: "the data of a record does not fit its type"
            }
        }
    }

    /// The kind of the error.
    package let code: Code

    /// The offset at which the error was found, in bytes from the beginning of the message.
    package let offset: Int

    /// Creates an error of a kind, with the offset at which it was found.
    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    package var description: String { "\(code.text) (at byte \(offset))" }
}
