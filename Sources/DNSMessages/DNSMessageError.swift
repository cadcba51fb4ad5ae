/// An error that says why bytes are no DNS message.
///
/// The offset says where: in bytes of the message.
public struct DNSMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case truncated, forwardPointer, tooManyPointers, reservedLabelType, nameTooLong, invalidRecordData
        }

        private let wrapped: Wrapped

        /// The name of the code, which stays the same from version to version: for logs.
        public var description: String { wrapped.rawValue }

        /// The bytes end before what they announce does.
        public static let truncated = Code(wrapped: .truncated)
        /// A compression pointer leads to itself, forward, or into the header: only what stands before a name can
        /// belong to it (RFC 1035 §4.1.4).
        public static let forwardPointer = Code(wrapped: .forwardPointer)
        /// A name leads from pointer to pointer more often than it can have labels.
        public static let tooManyPointers = Code(wrapped: .tooManyPointers)
        /// A length byte begins with 01 or 10, which is reserved (RFC 1035 §4.1.4, RFC 6891 §5).
        public static let reservedLabelType = Code(wrapped: .reservedLabelType)
        /// The name has more than 255 bytes on the wire.
        public static let nameTooLong = Code(wrapped: .nameTooLong)
        /// The RDATA is shorter or longer than its type has it, or its inner lengths contradict each other.
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

    /// The kind of trouble.
    public let code: Code

    /// The place where it was found, in bytes from the beginning.
    public let offset: Int

    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    public var description: String { "\(code.text) (at byte \(offset))" }
}
