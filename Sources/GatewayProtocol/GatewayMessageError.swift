/// The reason why bytes from a peer are no message that this module understands.
public struct GatewayMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a message. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case malformed, tooLong, tooDeep, tooManyValues, duplicateKey, missingField, wrongType, outOfBounds,
                unknownMessage
        }

        private let wrapped: Wrapped

        /// The name of the code, which stays the same from version to version: for logs.
        public var description: String { wrapped.rawValue }

        /// It is no JSON as RFC 8259 has it, or no UTF-8.
        public static let malformed = Code(wrapped: .malformed)
        /// It has more bytes than ``JSONLimits`` allow.
        public static let tooLong = Code(wrapped: .tooLong)
        /// It is nested deeper than ``JSONLimits`` allow.
        public static let tooDeep = Code(wrapped: .tooDeep)
        /// It has more values than ``JSONLimits`` allow.
        public static let tooManyValues = Code(wrapped: .tooManyValues)
        /// An object has one key twice: two parsers would read two things.
        public static let duplicateKey = Code(wrapped: .duplicateKey)
        /// A field without which the message says nothing is not there.
        public static let missingField = Code(wrapped: .missingField)
        /// A field is there, and is of another type.
        public static let wrongType = Code(wrapped: .wrongType)
        /// A field is longer or larger than anybody needs.
        public static let outOfBounds = Code(wrapped: .outOfBounds)
        /// Its `type` is none of the dialect.
        public static let unknownMessage = Code(wrapped: .unknownMessage)
    }

    /// The kind of trouble.
    public let code: Code

    /// A description for people of what was expected and what was found. Quotes nothing of the peer.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
