internal import GatewayProtocol
internal import HTTPTypes
internal import Pairing

/// The body of a request to change a pairing.
struct PairingRequest: Hashable, Sendable {
    /// The number of the pairing.
    let pairing: PairingID

    /// The bot that it is about; `nil` for all of them.
    let bot: BotID?

    /// The bots that are given up.
    let bots: BotSelection?

    /// The identifier of the request of a device that waits, or the beginning of that.
    let request: RequestName?

    /// The account to which a device is attached; `nil` for that of this device.
    let account: ClawlineAccount?

    /// Indicates whether a bot is to be archived, or to be taken out of the archive.
    let isArchived: Bool

    /// The members of the object.
    private static let members: Set = ["pairing", "bot", "bots", "archived", "request", "user"]

    /// Reads a body.
    init(_ body: [UInt8]) throws(APIProblem) {
        let limits = JSONLimits(maximumBytes: 65_536)
        guard let document = try? JSONValue(parsing: body, limits: limits), case .object(let object) = document else {
            throw APIProblem(
                .badRequest,
                "expected a JSON object such as {\"pairing\": \"…\"} in the body, found another"
            )
        }
        // One that is misspelled would be ignored, and more be changed than was meant.
        if let other = object.keys.first(where: { !Self.members.contains($0) }) {
            throw APIProblem(
                .badRequest,
                "expected the members pairing, bot, bots, archived, request and user, found \(other)"
            )
        }
        guard let pairing = document["pairing"]?.string.flatMap(PairingID.init) else {
            throw APIProblem(.badRequest, "pairing: expected the number of a pairing, as GET /api/v1/pairings shows it")
        }
        self.pairing = pairing
        bot = try Self.member("bot", of: document, "the identifier of a bot") { $0.string.flatMap(BotID.init) }
        bots = try Self.member("bots", of: document, "a list of identifiers of bots") { value in
            (try? BotSelection(json: value)).flatMap { $0 == .some([]) ? nil : $0 }
        }
        request = try Self.member("request", of: document, "the identifier of a request") { value in
            value.string.flatMap(RequestName.init)
        }
        account = try Self.member("user", of: document, "an account, user_ and a random UUID") { value in
            value.string.flatMap(ClawlineAccount.init)
        }
        isArchived = try Self.member("archived", of: document, "true or false", \.bool) ?? true
    }

    /// Returns a member that one operation cannot do without.
    func needed<Value>(_ member: KeyPath<Self, Value?>, _ expected: String) throws(APIProblem) -> Value {
        guard let value = self[keyPath: member] else { throw APIProblem(.badRequest, "\(expected), found none") }
        return value
    }

    private static func member<Value>(
        _ name: String,
        of document: JSONValue,
        _ expected: String,
        _ read: (JSONValue) -> Value?
    ) throws(APIProblem) -> Value? {
        guard let member = document[name], member != .null else { return nil }
        guard let value = read(member) else {
            throw APIProblem(.badRequest, "\(name): expected \(expected), found another")
        }
        return value
    }
}
