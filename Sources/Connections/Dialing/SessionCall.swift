internal import DNSSD
internal import GatewayProtocol
internal import PairingStore

/// One attempt at a session, by all that whoever opens connections has to know of it, and has to tell.
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

    /// This device.
    let device: DeviceIdentity

    /// Opens the secret: as late as can be.
    let secret: @Sendable () throws -> Secret

    /// Decides whether the secret may go to a peer. Asked directly before each send, without waiting; throws where the credential
    /// is kept no more, and where that cannot be told: then nothing is sent.
    let decide: @Sendable (TrustAttempt.Shown, Endpoint) throws -> TrustDecision

    /// Is told that a connection is open, and by whom it is answered; returns whether a session is to be asked for.
    let opened: @Sendable (TrustAttempt.Shown, Endpoint) async -> Bool

    /// Is told of the session that the gateway has granted.
    let granted: @Sendable (GrantedSession) async -> Void

    /// Is told of a sign of life, and of the time that it took where it was asked for.
    let heard: @Sendable (Duration?) async -> Void

    /// Takes what the gateway says of its own accord. Nothing more is read until it returns.
    let received: @Sendable (GatewayEvent) async -> Void

    /// The orders.
    let commands: AsyncStream<Command>
}

/// The session that a gateway has granted, as far as the keeper of sessions needs it.
struct GrantedSession: Sendable {
    let endpoint: Endpoint

    /// The certificate of the peer; `nil` without TLS.
    let leaf: LeafFingerprint?

    /// The time between two ticks that the gateway has promised.
    let tick: Duration?

    /// The device token that came along, which takes the place of the one before.
    let deviceToken: Secret?

    /// The bots that the gateway has named.
    let bots: [BotDescription]

    let roundTrip: Duration
}

/// The part that opens connections: the network, or in tests a script.
protocol SessionDialer: Sendable {
    /// Makes an attempt, and stays with its session until that ends or the task is cancelled.
    func dial(_ call: SessionCall) async -> SessionFailure
}
