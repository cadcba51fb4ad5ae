internal import GatewayProtocol
internal import HTTPTypes

/// The object in the body of a request: members that are not expected are refused, since one that is misspelled would be
/// ignored otherwise. Texts of `secret` and `invitation` are secrets.
struct JSONMembers: Sendable {
    /// The maximum number of bytes of an object.
    static let limit = 65_536

    private let object: [String: JSONValue]

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - known: The members that are expected.
    ///   - example: An object such as is expected.
    ///   - limits: The limits of the object.
    init(
        _ body: [UInt8],
        _ known: [String],
        such example: String,
        limits: JSONLimits = JSONLimits(
            maximumBytes: Self.limit,
            maximumDepth: 4,
            maximumValues: 1_024,
            hidesSecrets: true
        )
    ) throws(APIProblem) {
        guard let document = try? JSONValue(parsing: body, limits: limits), case .object(let object) = document else {
            throw APIProblem(.badRequest, "expected a JSON object such as \(example) in the body, found another")
        }
        if let other = object.keys.first(where: { !known.contains($0) }) {
            let list = known.dropLast().joined(separator: ", ") + " and " + (known.last ?? "")
            throw APIProblem(.badRequest, "expected the members \(list), found \(other)")
        }
        self.object = object
    }

    /// Indicates whether there is a member, be it `null`.
    func has(_ name: String) -> Bool { object[name] != nil }

    /// Returns a member; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - expected: What is expected, for people.
    ///   - read: Reads it; returns `nil` for anything else.
    func member<Value>(
        _ name: String,
        _ expected: String,
        _ read: (JSONValue) -> Value?
    ) throws(APIProblem) -> Value? {
        guard let member = object[name], member != .null else { return nil }
        guard let value = read(member) else {
            throw APIProblem(.badRequest, "\(name): expected \(expected), found another")
        }
        return value
    }

    /// Returns a member, without which nothing is done.
    func needed<Value>(
        _ name: String,
        _ expected: String,
        _ read: (JSONValue) -> Value?
    ) throws(APIProblem) -> Value {
        guard let value = try member(name, expected, read) else {
            throw APIProblem(.badRequest, "\(name): expected \(expected), found none")
        }
        return value
    }

    /// Returns a member that is true or false; `nil` if there is none.
    func flag(_ name: String) throws(APIProblem) -> Bool? { try member(name, "true or false", \.bool) }
}
