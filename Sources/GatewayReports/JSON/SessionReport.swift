internal import DNSSD
public import GatewayProtocol
public import PairingStore

/// A change of a session with a paired gateway, as a line of a stream.
public struct SessionReport: JSONReport {
    /// The state of a session, as JSON has it.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case connecting
        case connected
        case disconnected
        /// Without TLS, the gateway is not where it was: nothing is sent until the user consents.
        case moved
        /// The gateway shows another certificate than the pinned one: nothing is sent until the user consents.
        case changedLeaf = "changed-leaf"
        /// Nobody vouches that what answers is the host that it was paired as: nothing is sent to it.
        case uncertified
        /// The gateway has withdrawn what this device had.
        case revoked
        /// The gateway opens no session, and nothing changes by itself.
        case refused
        /// An answer, an approval or the end of a lock-out is waited for.
        case waiting
        /// The key that opens the store's secrets is missing.
        case sealed
        /// Another process has the session.
        case heldElsewhere = "held-elsewhere"
    }

    private let state: State
    private let pairing: StoredPairing
    private let bots: [BotID]
    private let reason: String?
    private let path: String?
    private let latency: Duration?
    private let time: Timestamp

    /// - Parameters:
    ///   - state: The state that it is in now.
    ///   - pairing: The pairing that it is of.
    ///   - bots: The bots that it opens.
    ///   - reason: The reason for the state, for people.
    ///   - path: The address and port that it leads to.
    ///   - latency: The time that the last answer took.
    ///   - time: The time of the change.
    public init(
        _ state: State,
        of pairing: StoredPairing,
        bots: [BotID],
        reason: String? = nil,
        path: String? = nil,
        latency: Duration? = nil,
        at time: Timestamp
    ) {
        self.state = state
        self.pairing = pairing
        self.bots = bots
        self.reason = reason
        self.path = path
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
            "latencyMs": JSONValue(milliseconds: latency),
            "bots": JSONValue(bots.map(\.text)),
        ]
    }
}
