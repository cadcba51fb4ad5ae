internal import DNSSD
public import GatewayProtocol
public import GatewayReports
public import PairingStore

/// A change of a session with a paired gateway, as a line of a stream.
public struct SessionReport: JSONReport {
    /// The state of a session, as JSON shows it.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// A connection is being opened, or the gateway has been asked for the session.
        case connecting
        /// The session is live.
        case connected
        /// There is no session, since none is wanted, the gateway cannot be reached, or this device cannot have one.
        case disconnected
        /// A gateway without TLS has another address or network than before: nothing is sent until the user consents.
        case moved
        /// The gateway presents another certificate than the pinned one: nothing is sent until the user consents.
        case changedLeaf = "changed-leaf"
        /// No trusted certificate proves that the gateway is the host that it was paired as: nothing is sent to it.
        case uncertified
        /// The gateway has revoked this device's credential.
        case revoked
        /// The gateway refuses the session, and will do so until somebody changes something.
        case refused
        /// The session waits for an answer, an approval or the end of a lock-out.
        case waiting
        /// The key that decrypts the secrets in the store is missing.
        case sealed
        /// Another process has the session.
        case heldElsewhere = "held-elsewhere"
    }

    private let state: State
    private let pairing: StoredPairing
    private let bots: [BotID]
    private let reason: String?
    private let path: String?
    private let isElsewhere: Bool
    private let latency: Duration?
    private let time: Timestamp

    /// Creates the report of a change of a session.
    ///
    /// - Parameters:
    ///   - state: The current state of the session.
    ///   - pairing: The pairing that the session belongs to.
    ///   - bots: The bots that the session gives access to.
    ///   - reason: The reason for the state, for people.
    ///   - path: The address and port that the session is connected to.
    ///   - isElsewhere: Whether that is another place than that of the pairing, of a gateway without TLS that is trusted
    ///     anywhere in its network.
    ///   - latency: The round-trip time of the last answer.
    ///   - time: The time of the change.
    public init(
        _ state: State,
        of pairing: StoredPairing,
        bots: [BotID],
        reason: String? = nil,
        path: String? = nil,
        isElsewhere: Bool = false,
        latency: Duration? = nil,
        at time: Timestamp
    ) {
        self.state = state
        self.pairing = pairing
        self.bots = bots
        self.reason = reason
        self.path = path
        self.isElsewhere = isElsewhere
        self.latency = latency
        self.time = time
    }

    public var fields: [String: JSONValue] {
        [
            "event": "session",
            "time": .string(time.description),
            "pairing": .string(pairing.id.description),
            "name": .string(pairing.name),
            "gateway": .string(pairing.gatewayID),
            "state": .string(state.rawValue),
            "reason": JSONValue(reason.map { DisplayText($0).text }),
            "path": JSONValue(path),
            "elsewhere": .bool(isElsewhere),
            "latencyMs": JSONValue(milliseconds: latency),
            "bots": JSONValue(bots.map(\.text)),
        ]
    }
}
