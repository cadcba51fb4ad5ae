internal import DNSSD
internal import GatewayProtocol
internal import Synchronization

/// One attempt at a session: everything that a dialer has to know of it, and the closures to which it reports.
struct SessionCall: Sendable {
    /// An order to a connection that is open, or is being opened.
    enum Command: Hashable, Sendable {
        /// Asks for a sign of life.
        case ping

        /// Ends it with this close code.
        case close(UInt16)
    }

    let path: SessionPath
    let dialect: GatewayDialect
    let scopes: [String]

    /// The fingerprint that the peer has to tell on the connection before it gets the token; `nil` if it has not to.
    let fingerprint: GatewayFingerprint?

    /// The messages that were received in all sessions of the credential.
    var history = ReceivedMessages()

    /// Reads the identity of this device.
    let device: @Sendable () async throws -> DeviceIdentity

    /// Opens the secret, as late as possible.
    let secret: @Sendable () async throws -> Secret

    /// Decides whether the secret may be sent to a peer, by the pairing as it is then. Called right before each send.
    /// Throws if the credential is no longer live, or if that cannot be found out: then nothing is sent.
    let decide: @Sendable (TrustAttempt.Shown, Endpoint) async throws -> TrustDecision

    /// Reports that a connection is open, and the proof that the peer has shown; returns whether a session is to be
    /// asked for.
    let opened: @Sendable (TrustAttempt.Shown, Endpoint) async -> Bool

    /// Reports the session that the gateway has granted.
    let granted: @Sendable (GrantedSession) async -> Void

    /// Reports a sign of life, and the time that it took if it was requested.
    let signOfLife: @Sendable (Duration?) async -> Void

    /// Takes an event that the gateway has sent. Nothing more is read until it returns.
    let received: @Sendable (GatewayEvent) async -> Void

    /// The orders.
    let commands: AsyncStream<Command>
}

/// The messages that were received in all sessions of one credential, for its attempts to share.
final class ReceivedMessages: Sendable {
    private let history = Mutex(MessageHistory())

    /// The last message that was noted, to be stored.
    private let noted = Mutex<String?>(nil)

    /// The identifier of the last message.
    var last: String? { history.withLock { $0.last } }

    /// Records a message; returns `false` if it was received before.
    func isNew(_ event: GatewayEvent) -> Bool { history.withLock { $0.isNew(event) } }

    /// Goes on after the last message that an earlier process has received, if none was received in this one.
    func begin(after last: String?) {
        let isFirst = history.withLock { history in
            guard history.last == nil else { return false }
            history = MessageHistory(after: last)
            return true
        }
        if isFirst { noted.withLock { $0 = last } }
    }

    /// Returns whether the last message is another than it was when this was asked last.
    func takesNews() -> Bool {
        let last = last
        return noted.withLock { noted in
            defer { noted = last }
            return noted != last
        }
    }

    /// Forgets all messages.
    func reset() { history.withLock { $0.reset() } }
}

/// The session that a gateway has granted, as far as ``Connections`` needs it.
struct GrantedSession: Sendable {
    let endpoint: Endpoint

    /// The certificate of the peer; `nil` without TLS.
    let leaf: LeafFingerprint?

    /// The time between two ticks that the gateway has promised.
    let tick: Duration?

    /// The device token that came with it, which replaces the former one.
    let deviceToken: Secret?

    /// The scopes of the device token; `nil` where the gateway does not list them.
    var scopes: [String]?

    /// The description that the gateway has given of itself on the connection, if it was asked.
    let told: DiscoverPayload?

    let roundTrip: Duration

    /// Sends a request over the connection of the session, and waits for its answer.
    let ask: GatewaySession.Ask

    /// Sends a message over it in a dialect without requests, and waits until the gateway has read it.
    var say: GatewaySession.Say = GatewaySession.cannotSay

    /// The details that a Clawline provider gives.
    var clawline: ClawlineSession?
}

/// The part that opens connections: the network, or in tests a script.
protocol SessionDialer: Sendable {
    /// Makes an attempt, and stays with its session until that ends or the task is cancelled.
    func dial(_ call: SessionCall) async -> SessionFailure
}
