/// An error that says why bytes are not a DNS message, and at which offset.
///
/// The offset is counted in bytes from the beginning of the message.
public struct DNSMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case truncated, forwardPointer, tooManyPointers, reservedLabelType, nameTooLong, invalidRecordData
        }

        private let wrapped: Wrapped

        /// The name of the code, for logs; it stays the same from version to version.
        public var description: String { wrapped.rawValue }

        /// The bytes end before the data that they announce.
        public static let truncated = Code(wrapped: .truncated)
        /// A compression pointer leads to itself, forward, or into the header: a name may continue only at an earlier
        /// name (RFC 1035 §4.1.4).
        public static let forwardPointer = Code(wrapped: .forwardPointer)
        /// A name follows more compression pointers than it can have labels.
        public static let tooManyPointers = Code(wrapped: .tooManyPointers)
        /// A length byte begins with the bits 01 or 10, which are reserved (RFC 1035 §4.1.4, RFC 6891 §5).
        public static let reservedLabelType = Code(wrapped: .reservedLabelType)
        /// The name has more than 255 bytes on the wire.
        public static let nameTooLong = Code(wrapped: .nameTooLong)
        /// The RDATA is shorter or longer than its type requires, or its inner lengths contradict each other.
        public static let invalidRecordData = Code(wrapped: .invalidRecordData)

        var text: String {
            switch wrapped {
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
    public let code: Code

    /// The offset at which the error was found, in bytes from the beginning of the message.
    public let offset: Int

    /// Creates an error of a kind, with the offset at which it was found.
    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    public var description: String { "\(code.text) (at byte \(offset))" }
}
