/// The reason why bytes from a peer are not a message that this module understands.
package struct GatewayMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a message. More may be added.
    package enum Code: String, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, for logs. It stays the same from version to version.
        package var description: String { rawValue }

        /// The message is not valid JSON (RFC 8259), or not UTF-8.
        case malformed
        /// The message has more bytes than ``JSONLimits`` allow.
        case tooLong
        /// The message is nested deeper than ``JSONLimits`` allow.
        case tooDeep
        /// The message has more values than ``JSONLimits`` allow.
        case tooManyValues
        /// An object has the same key twice, so that two parsers would read it differently.
        case duplicateKey
        /// A required field is missing.
        case missingField
        /// A field has the wrong type.
        case wrongType
        /// A field is longer or larger than any legitimate message needs.
        case outOfBounds
        /// The `type` of the message is unknown in the dialect.
        case unknownMessage
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
