internal import DNSSD
internal import GatewayProtocol

/// The merge engine: everything that is known of gateways and their bots, as one picture.
///
/// A value: no clock, no I/O. It holds *facts*, one for each service, endpoint and bot, and the rows are a function of
/// these. So events about different facts may come in any order; only where a ``BotMapLimits`` bound is hit does it
/// matter who came first. An event costs time in proportion to what it is about, not to the number of gateways.
///
/// Rules: what is paired is always shown, also when its gateway is not here; what is discovered is shown if it is not
/// paired; a connection overrides the state. A gateway whose services are lost stays while it answers.
///
/// Which leads are one gateway: those that claim one fingerprint, and besides have the same TLS leaf, or conclusive proof,
/// or the same SRV host with the same address on the same link, or the very same endpoints. Others are rows of their own,
/// flagged ``GatewayFlag/sameFingerprint``. One that answers with another fingerprint than it advertises is flagged
/// ``GatewayFlag/contradicts`` and merges with nothing.
///
/// ## Usage
///
/// ```swift
/// var map = BotMap()
/// for change in map.apply(.serviceFound(service)) { print(change) }
/// for gateway in map.gateways { print(gateway.name, gateway.liveness ?? "?") }
/// ```
public struct BotMap: Sendable {
    /// How much it takes in.
    public let limits: BotMapLimits

    // Facts.
    var leads = Slab<Lead>()
    var endpoints = Slab<EndpointFacts>()
    var records: [GatewayID: [BotID: BotRecord]] = [:]

    /// How many records there are.
    var recordCount = 0

    // What follows from them.
    var groups = Slab<LeadGroup>()
    var rows = Slab<Row>()

    /// Leads that are lost and were not shown when they were put here.
    var lostLeads = ForgettingQueue<GatewayLead>()

    /// Endpoints to which nothing led when they were put here.
    var strayEndpoints = ForgettingQueue<Endpoint>()

    /// Whether it was told that there is no room.
    var isFull = false

    // The present event.
    var dirty: [Dirty] = []
    var changes: [BotMapChange] = []

    /// Makes an empty map.
    public init(limits: BotMapLimits = BotMapLimits()) {
        self.limits = limits
    }

    /// Takes one event in.
    ///
    /// - Returns: What it changed; nothing when it was known already.
    @discardableResult
    public mutating func apply(_ event: BotMapEvent) -> [BotMapChange] {
        switch event {
        case .serviceFound(let service): found(service)
        case .serviceLost(let instance): leads.slot(of: .service(instance)).map { lost($0) }
        case .endpointAdded(let endpoint, let reach): typedIn(endpoint, reach)
        case .endpointRemoved(let endpoint): leads.slot(of: .endpoint(endpoint)).map { forget($0) }
        case .probed(let endpoint, let outcome): learn(endpoint, outcome: outcome)
        case .liveness(let endpoint, let liveness, let roundTrip): learn(endpoint, liveness, roundTrip)
        case .paired(let bot): paired(bot)
        case .unpaired(let key), .revoked(let key): unpaired(key)
        case .stateChanged(let key, let state): become(state, key)
        }
        refresh()
        leads.reclaim()
        endpoints.reclaim()
        groups.reclaim()
        rows.reclaim()
        // Taken out, so that the array is not copied at the next event.
        var told: [BotMapChange] = []
        swap(&told, &changes)
        return told
    }

    /// The rows, sorted by their identifiers.
    public var gateways: [Gateway] { rows.slots.map { rows[$0].gateway }.sorted { $0.id < $1.id } }

    /// The bots of all gateways, sorted by their keys.
    public var bots: [Bot] { rows.slots.flatMap { rows[$0].gateway.bots }.sorted { $0.id < $1.id } }

    /// One row.
    public subscript(id: GatewayID) -> Gateway? { rows.slot(of: id).map { rows[$0].gateway } }
}
