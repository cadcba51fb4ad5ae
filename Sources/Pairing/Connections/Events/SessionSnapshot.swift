public import DNSSD
package import GatewayProtocol
public import Scanning

/// The session of one credential at one moment.
public struct SessionSnapshot: Hashable, Sendable, Identifiable {
    /// The credential.
    public let id: CredentialID

    /// The pairing that it belongs to, as it was last read from the store.
    package let stored: StoredPairing

    /// The pairing that it belongs to.
    public var pairing: PairingID { stored.id }

    /// The gateway's name as it was last reported. Untrusted.
    public var gatewayName: String { stored.name }

    /// The bots that the credential opens. Their names are untrusted.
    public let bots: [StoredBot]

    /// The state, with its details.
    package let detail: SessionState

    /// The state in the words of the map: `paired` while no session is wanted or another process has it, `error` once the gateway
    /// has revoked the credential. The ``reason`` says more.
    public var state: BotState { detail.botState }

    /// The way that the session takes; `nil` while there is none.
    package let way: SessionPath?

    /// The path of the session, such as `10.0.0.1:3000`; `nil` while there is none.
    public var path: String? { way?.description }

    /// The endpoint of the session; `nil` while there is none, or where the system looks up its host name.
    public var endpoint: Endpoint? { way?.endpoint }

    /// The time that the gateway's last answer took; `nil` while there is none.
    public let latency: Duration?

    /// The time at which the state began.
    public let since: ContinuousClock.Instant

    /// The devices that wait at the gateway for an approval; `nil` where this device is no admin, or while that is not
    /// known. All of it is untrusted.
    package var requests: [DeviceRequest]?

    /// The words of a Clawline provider about the messages that were missed.
    package enum HistoryNotice: Hashable, Sendable {
        /// Some of them are lost.
        case truncated
        /// It knows the last message that was received no more, and begins anew.
        case reset

        init?(_ session: ClawlineSession) {
            guard session.isHistoryReset || session.isReplayTruncated else { return nil }
            self = session.isHistoryReset ? .reset : .truncated
        }
    }

    /// The notice of the provider as this session began; `nil` if nothing was lost.
    package var history: HistoryNotice?

    init(
        id: CredentialID,
        stored: StoredPairing,
        bots: [StoredBot],
        state: SessionState,
        path: SessionPath?,
        latency: Duration?,
        since: ContinuousClock.Instant,
        requests: [DeviceRequest]? = nil,
        history: HistoryNotice? = nil
    ) {
        self.id = id
        self.stored = stored
        self.bots = bots
        self.detail = state
        self.way = path
        self.latency = latency
        self.since = since
        self.requests = requests
        self.history = history
    }

    /// The reason for the state, as a sentence for people; `nil` if there is nothing to explain. It quotes no secret.
    public var reason: String? {
        switch detail {
        case .connected(let path) where path.isElsewhere:
            "not where it was paired: --trust lan sends its tokens to whoever answers under its fingerprint"
        case .connected where history == .reset: "it has begun its history anew: messages that were missed do not come"
        case .connected where history == .truncated: "some of the messages that were missed are lost"
        case .connected(let path) where path.tunnel != nil:
            "in clear through the tunnel \(path.tunnel?.name ?? ""): you answer for who is at its other end"
        case .stopped where stored.awaitsTrust: "nobody has trusted it yet: nothing is sent to it"
        case .stopped where stored.deviceMovedAt != nil: stored.obstacle
        case .stopped, .connecting, .authenticating, .connected: nil
        case .idle: "no way leads to the gateway"
        case .waiting: "the gateway does not answer, and is tried again"
        case .queued: "its gateway has \(SessionTurns.most) sessions, the most of one: it takes its turn when one ends"
        case .held(let holder): holder.sentence
        case .moved(let reason): "\(reason): nothing is sent to it"
        case .changedLeaf: "another certificate than the pinned one is shown there: nothing is sent to it"
        case .uncertified: "\(TrustRefusal.notCertified): nothing is sent to it"
        case .deferred(let refusal, let until): refusal.description(whileRetriedAfter: until - since)
        case .refused(let refusal), .revoked(let refusal): refusal.description
        case .failed(let reason): reason
        }
    }
}
