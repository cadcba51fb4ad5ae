/// A JSON value (RFC 8259), read strictly by the one parser for everything that a gateway sends.
///
/// Foundation's two parsers disagree on duplicate keys and take half a gigabyte for a hostile document. This one
/// refuses duplicate keys, unpaired surrogates (unless ``JSONLimits/replacesUnpairedSurrogates``) and everything that
/// the grammar does not allow, and keeps to ``JSONLimits``.
public enum JSONValue: Hashable, Sendable {
    /// `null`, which counts as absent where a field is read.
    case null

    /// `true` or `false`.
    case bool(Bool)

    /// A number, in the digits in which it was written.
    case number(JSONNumber)

    /// A text.
    case string(String)

    /// A text that is secret: written as any other, and read only where ``JSONLimits/hidesSecrets`` is set. It is no
    /// copy of the secret, and is wiped with it. One that is not UTF-8 is written as an empty text.
    case secret(Secret)

    /// Values in order.
    case array([JSONValue])

    /// Values by their keys. The order in which they were read is not kept.
    case object([String: JSONValue])

    /// Reads one document, with nothing but white space around it.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 without a byte order mark.
    ///   - limits: The limits that the document must keep to.
    /// - Throws: ``GatewayMessageError`` `tooLong`, `tooDeep`, `tooManyValues`, `duplicateKey` or `malformed`.
    package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(GatewayMessageError) {
        guard bytes.count <= limits.maximumBytes else {
            throw GatewayMessageError(
                .tooLong,
                "expected JSON of at most \(limits.maximumBytes) bytes, found \(bytes.count)"
            )
        }
        var reader = JSONReader(bytes, limits: limits)
        self = try reader.document()
    }

    /// The value of a key; `nil` where the key is missing, its value is `null`, or this is not an object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let fields) = self, let value = fields[key], value != .null else { return nil }
        return value
    }

    /// The text, if this is a string; of a secret a copy that is not wiped.
    public var string: String? {
        switch self {
        case .string(let text): text
        case .secret(let secret): secret.revealed
        default: nil
        }
    }

    /// The text as a secret, if this is a string.
    public var secret: Secret? {
        switch self {
        case .string(let text): Secret(text)
        case .secret(let secret): secret
        default: nil
        }
    }

    /// The whole number, if this is one that an `Int` holds.
    public var int: Int? {
        guard case .number(let number) = self else { return nil }
        return number.int
    }

    /// The Boolean, if this is one. The number `1` is not.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The values, if this is an array.
    public var array: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    /// The fields, if this is an object.
    public var object: [String: JSONValue]? {
        guard case .object(let fields) = self else { return nil }
        return fields
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
