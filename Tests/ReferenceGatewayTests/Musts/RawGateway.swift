import DNSSD
import GatewayProtocol
import Testing

@testable import ReferenceGateway

/// A rule of a dialect's document, and a conversation that shows that the reference gateway follows it.
struct Must: Sendable, CustomTestStringConvertible {
    /// The document, and its section.
    let section: String

    /// The rule, in short.
    let rule: String

    /// The eras of OpenClaw in which it holds.
    let eras: [OpenClawEra]

    private let check: @Sendable (inout RawGateway) throws -> Bool

    init(
        _ section: String,
        _ rule: String,
        eras: [OpenClawEra] = [.july2026],
        _ check: @escaping @Sendable (inout RawGateway) throws -> Bool
    ) {
        (self.section, self.rule, self.eras, self.check) = (section, rule, eras, check)
    }

    var testDescription: String { "\(section): \(rule)" }

    /// Expects that a gateway of a dialect follows the rule.
    func expect(of dialect: GatewayDialect) throws {
        for era in eras {
            var gateway = try RawGateway(dialect, era: era)
            let holds = try check(&gateway)
            #expect(holds, "\(dialect) \(era.rawValue), \(section): \(rule)")
        }
    }
}

/// A reference gateway to which tests speak in raw texts. They are not made with the types with which the client makes its
/// messages, since a fault that client and gateway share would not show.
struct RawGateway {
    /// The reaction to a text.
    struct Reply {
        /// The messages on the same connection.
        var answers: [JSONValue] = []

        /// The messages on other connections.
        var others: [JSONValue] = []
        var close: UInt16?
        var actions: [GatewayAction] = []

        var first: JSONValue? { answers.first }

        /// The code of the first error, in a frame or in a message of its own.
        var code: String? { (first?["error"]?["code"] ?? first?["code"])?.string }

        /// The code in the details of the first error.
        var detail: String? { first?["error"]?["details"]?["code"]?.string }

        /// The text of the first error.
        var words: String { (first?["error"]?["message"] ?? first?["message"])?.string ?? "" }
    }

    let dialect: GatewayDialect
    var state: GatewayState
    var time = GatewayTime.start
    private var dialogues: [Int: Dialogue] = [:]
    private var generator = SystemRandomNumberGenerator()

    /// A gateway whose operator decides, and whose token, where it has one, is `shared`.
    init(_ dialect: GatewayDialect, era: OpenClawEra) throws {
        self.dialect = dialect
        state = try .example
        state.clawline.approvesAll = false
        state.bridge.approvesAll = false
        state.openAgentsToken = Secret("shared")
        state.openClaw.settings = OpenClawSettings(era: era, authentication: .token(Secret("shared")))
    }

    /// Opens a connection anew; returns what the gateway says first.
    mutating func open(_ connection: Int) throws -> Reply {
        let ip = IPAddress("192.168.1.20")
        let peer = GatewayPeer(connection: connection, address: "192.168.1.20:50000", ip: ip)
        var dialogue = Dialogue(dialect: dialect, peer: peer)
        let actions = dialogue.start(at: time, using: &generator)
        dialogues[connection] = dialogue
        return try reply(actions)
    }

    /// Says something on a connection, which is opened if it is not.
    @discardableResult
    mutating func say(_ text: String, on connection: Int = 1) throws -> Reply {
        if dialogues[connection] == nil { _ = try open(connection) }
        guard var dialogue = dialogues[connection] else { return Reply() }
        let actions = dialogue.receive(Array(text.utf8), state: &state, at: time, using: &generator)
        dialogues[connection] = dialogue
        return try reply(actions)
    }

    /// Gives a command as the operator on the gateway's host.
    @discardableResult
    mutating func operate(_ method: String, _ id: String = "", url: String = "wss://h:1") throws -> Reply {
        let request = GatewayRequest(id: "1", method: method, params: .object(["id": .string(id)]))
        let actions = state.operate(request, dialect: dialect, url: url, at: time, using: &generator)
        return try reply(actions)
    }

    private mutating func reply(_ actions: [GatewayAction]) throws -> Reply {
        var reply = Reply(actions: actions)
        for action in actions {
            switch action {
            case .send(let bytes): reply.answers.append(try JSONValue(parsing: bytes))
            case .resolve(_, let bytes), .tell(_, let bytes), .tellAdmins(let bytes):
                reply.others.append(try JSONValue(parsing: bytes))
            case .grant(let connection, let token, let messages):
                dialogues[connection]?.admit(token)
                reply.others += try messages.map { try JSONValue(parsing: $0) }
            case .close(let code, _): reply.close = code
            default: break
            }
        }
        return reply
    }
}
