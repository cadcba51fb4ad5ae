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

    /// Indicates whether a bot is to be archived, or to be taken out of the archive.
    let isArchived: Bool

    /// The colour of the bot, which may be none; `nil` where it is not said.
    let color: String??

    /// Reads a body.
    init(_ body: [UInt8]) throws(APIProblem) {
        let known = ["pairing", "bot", "bots", "archived", "color"]
        let members = try JSONMembers(body, known, such: #"{"pairing": "…"}"#)
        pairing = try members.neededPairing()
        bot = try members.member("bot", "the identifier of a bot") { $0.string.flatMap(BotID.init) }
        bots = try members.member("bots", "a list of identifiers of bots") { value in
            (try? BotSelection(json: value)).flatMap { $0 == .some([]) ? nil : $0 }
        }
        isArchived = try members.flag("archived") ?? true
        let color = try members.member("color", "#rrggbb or null", \.string)
        self.color = members.has("color") ? .some(color) : nil
    }
}

extension PairingRequest {
    /// The bot that it is about, without which nothing is done.
    var oneBot: BotID {
        get throws(APIProblem) {
            guard let bot else { throw APIProblem(.badRequest, "bot: expected the identifier of a bot, found none") }
            return bot
        }
    }
}

/// The body of a request about the devices that wait at gateways.
struct ApprovalRequest: Hashable, Sendable {
    /// The only gateway that is meant; `nil` for all.
    let pairing: PairingID?

    /// The time that gateways have to answer.
    let limit: Duration

    /// The identifier of the request of a device that waits, or the beginning of that; `nil` where none is decided.
    let request: RequestName?

    /// The account to which a device is attached; `nil` for that of this device.
    let account: ClawlineAccount?

    /// Reads a body, which may be empty to ask about all gateways.
    init(_ body: [UInt8], decides: Bool = false) throws(APIProblem) {
        let members = try JSONMembers(
            body.isEmpty && !decides ? Array("{}".utf8) : body,
            ["pairing", "timeoutMs"] + (decides ? ["request", "user"] : []),
            such: #"{"pairing": "…"}"#
        )
        pairing = try members.pairing()
        limit = try members.limit() ?? .seconds(10)
        request = try members.member("request", "the identifier of a request") { $0.string.flatMap(RequestName.init) }
        account = try members.member("user", "an account, user_ and a random UUID") { value in
            value.string.flatMap(ClawlineAccount.init)
        }
    }
}

extension JSONMembers {
    /// The number of a pairing.
    func pairing() throws(APIProblem) -> PairingID? {
        try member("pairing", "the number of a pairing") { $0.string.flatMap(PairingID.init) }
    }

    /// The number of a pairing, without which nothing is done.
    func neededPairing() throws(APIProblem) -> PairingID {
        try needed("pairing", "the number of a pairing, as GET /api/v1/pairings shows it") {
            $0.string.flatMap(PairingID.init)
        }
    }

    /// The time that gateways have to answer.
    func limit() throws(APIProblem) -> Duration? {
        try member("timeoutMs", "100 to 600000") { value in
            value.int.flatMap { (100...600_000).contains($0) ? .milliseconds($0) : nil }
        }
    }
}
