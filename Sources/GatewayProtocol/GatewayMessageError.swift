/// The reason why bytes from a peer are not a message that this module understands.
package struct GatewayMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a message. More may be added.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case malformed, tooLong, tooDeep, tooManyValues, duplicateKey, missingField, wrongType, outOfBounds,
                unknownMessage
        }

        private let wrapped: Wrapped

        /// The name of the code, for logs. It stays the same from version to version.
        package var description: String { wrapped.rawValue }

        /// The message is not valid JSON (RFC 8259), or not UTF-8.
        package static let malformed = Code(wrapped: .malformed)
        /// The message has more bytes than ``JSONLimits`` allow.
        package static let tooLong = Code(wrapped: .tooLong)
        /// The message is nested deeper than ``JSONLimits`` allow.
        package static let tooDeep = Code(wrapped: .tooDeep)
        /// The message has more values than ``JSONLimits`` allow.
        package static let tooManyValues = Code(wrapped: .tooManyValues)
        /// An object has the same key twice, so that two parsers would read it differently.
        package static let duplicateKey = Code(wrapped: .duplicateKey)
        /// A required field is missing.
        package static let missingField = Code(wrapped: .missingField)
        /// A field has the wrong type.
        package static let wrongType = Code(wrapped: .wrongType)
        /// A field is longer or larger than any legitimate message needs.
        package static let outOfBounds = Code(wrapped: .outOfBounds)
        /// The `type` of the message is unknown in the dialect.
        package static let unknownMessage = Code(wrapped: .unknownMessage)
    }

    /// The kind of trouble.
    package let code: Code

    /// A description for people of what was expected and what was found. Quotes nothing that the peer sent.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
