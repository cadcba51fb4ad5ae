public import DNSSD

/// One thing that was learned: what a ``BotMap`` is fed with.
///
/// Each event sets one fact: of a service, of an endpoint, or of a bot. Events about different facts may come in any
/// order, and lead to the same map.
public enum BotMapEvent: Hashable, Sendable {
    /// A service is there, or something about it is new.
    case serviceFound(Service)

    /// A service is lost. Its gateway stays while it answers.
    case serviceLost(ServiceInstance)

    /// An endpoint was typed in, or is remembered from pairing.
    case endpointAdded(Endpoint, Reach)

    /// An endpoint is no longer wanted.
    case endpointRemoved(Endpoint)

    /// An endpoint was asked what it is.
    case probed(Endpoint, ProbeOutcome)

    /// Whether an endpoint answers, and how long that took; `nil` keeps the last time.
    case liveness(Endpoint, Liveness, roundTrip: Duration? = nil)

    /// A bot is paired: from the store, or as pairing's result.
    case paired(PairedBot)

    /// The user has unpaired a bot.
    case unpaired(BotKey)

    /// The gateway said, proved, that a bot is not paired any more.
    case revoked(BotKey)

    /// Pairing or a connection has come to another state.
    case stateChanged(BotKey, BotState)

    /// The event that a browser's change is.
    public init(_ change: ServiceChange) {
        switch change {
        case .found(let service), .changed(let service, _): self = .serviceFound(service)
        case .lost(let service, _): self = .serviceLost(service.instance)
        }
    }
}
