/// A value of JSON (RFC 8259), read strictly: the one parser for everything that a gateway says.
///
/// Foundation's two parsers disagree on duplicate keys and take half a gigabyte for a hostile document. This one refuses
/// duplicate keys, unpaired surrogates (unless ``JSONLimits/replacesUnpairedSurrogates``) and whatever the grammar does
/// not have, and reads within ``JSONLimits``.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads one document, with white space round it at most.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 without a byte order mark.
    ///   - limits: How much of it is read.
    /// - Throws: ``GatewayMessageError`` `tooLong`, `tooDeep`, `tooManyValues`, `duplicateKey` or `malformed`.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(GatewayMessageError) {
        guard bytes.count <= limits.maximumBytes else {
            throw GatewayMessageError(
                .tooLong,
                "expected JSON of at most \(limits.maximumBytes) bytes, found \(bytes.count)"
            )
        }
        var reader = JSONReader(bytes, limits: limits)
        self = try reader.document()
    }

    /// The value of a key; `nil` where there is none, where it is `null`, and where this is no object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let fields) = self, let value = fields[key], value != .null else { return nil }
        return value
    }

    /// The text, if it is one.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The whole number, if it is one that an `Int` holds.
    public var int: Int? {
        guard case .number(let number) = self else { return nil }
        return number.int
    }

    /// The truth value, if it is one. `1` is none.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The values, if it is an array.
    public var array: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    /// The fields, if it is an object.
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
