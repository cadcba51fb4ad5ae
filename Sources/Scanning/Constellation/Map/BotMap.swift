internal import DNSSD
internal import DequeModule
internal import GatewayProtocol

/// The merge engine: everything that is known about gateways and their bots, in one picture.
///
/// A value, without clock or I/O. It holds *facts*, one for each candidate, endpoint and bot. Endpoints that have not
/// answered are shown by what leads to them, in whatever order that became known; among those that have answered, the
/// first counts. An event costs time in proportion to what it is about, not to the number of gateways.
///
/// **Candidates**, which are services and manual entries, point at **endpoints**; an endpoint has one probe outcome and one
/// liveness, whatever points at it. A **row** is a fold over endpoints:
///
/// * Records add candidates, answers decide. An endpoint that has answered as a gateway is a member of one row until another
///   identity answers there, or it is silent and nothing points at it.
/// * Its row is decided when it first answers (see ``join(_:_:after:)``). No record joins two rows that have answered,
///   and none splits one.
/// * The endpoint that answered first leads: its name and its bots are the row's. Only one that is more trusted, or as
///   trusted and nearer, goes before it.
/// * A paired bot is always shown, even when its gateway is not present; a connection overrides the state.
///
/// Rows that claim the same fingerprint are flagged ``GatewayFlag/sameFingerprint``. A row that answers with a
/// fingerprint other than the one it advertises, or with other bots on a further path, is flagged
/// ``GatewayFlag/contradicts``.
///
/// ## Usage
///
/// ```swift
/// var map = BotMap()
/// for change in map.apply(.serviceFound(service)) { print(change) }
/// for gateway in map.gateways { print(gateway.name, gateway.liveness?.rawValue ?? "?") }
/// ```
package struct BotMap: Sendable {
    /// The limits on how much it takes in.
    package let limits: BotMapLimits

    // Facts.
    var candidates = Facts<GatewayCandidate, Candidate>()
    var endpoints = Facts<Endpoint, EndpointFacts>()
    var records = BotRecords()

    // Derived from the facts.
    var rows = Facts<GatewayID, Row>()

    /// The number of rows shown at whose endpoints a gateway has answered.
    package internal(set) var gatewayCount = 0

    /// The rows and candidates that claim each fingerprint.
    var claims: [GatewayFingerprint: FingerprintClaims] = [:]

    /// The marks by which paired gateways are recognized.
    var marks = PairedMarksIndex()

    /// The rows of TLS gateways by the leaf of a member.
    var leaves: [LeafFingerprint: [GatewayID]] = [:]

    /// The candidates of each manual entry that has a name.
    var entries: [String: [GatewayCandidate]] = [:]

    /// The endpoints that the user named by a host name, by the same endpoint without a name.
    var named: [Endpoint: Set<Endpoint>] = [:]

    /// The candidates for which there was no room at an endpoint, since too many lead there, in order of arrival.
    var leftOut: [Endpoint: [GatewayCandidate]] = [:]

    /// The row to which each candidate belongs that led to a member when that answered.
    var homes: [GatewayCandidate: GatewayID] = [:]

    /// The endpoints to which nothing led when they were added here, the oldest first. They are remembered for a while.
    var endpointsWithoutCandidate: Deque<Endpoint> = []

    /// The names that the user has given to gateways.
    var aliases = GatewayAliases()

    /// Indicates whether it has been reported that there is no room.
    var isFull = false

    /// The number of events so far, which shows which of two answers is newer.
    var sequence: UInt64 = 0

    // The current event.
    var dirty = Dirty()
    var news = EventNews()

    /// The candidates and rows that the current event has marked for refreshing, in order.
    struct Dirty {
        var candidates: [GatewayCandidate] = []
        var rows: [GatewayID] = []
    }

    /// Indicates whether a row that takes the place of another one waits until that has ended or answered.
    let asksRepeatedly: Bool

    /// Indicates whether there are rows of gateways, and not only services.
    let showsGateways: Bool

    /// Makes an empty map.
    ///
    /// - Parameters:
    ///   - limits: The limits on what it keeps.
    ///   - asksRepeatedly: Indicates whether endpoints are asked more than once. If so, a gateway that takes the place of
    ///     another one is shown once that is known to have ended, and its records have until its second answer to
    ///     follow it.
    ///   - showsGateways: Indicates whether services lead to rows. Where nobody asks endpoints and nobody looks at rows, a
    ///     map without them is told of services alone, and takes a small part of the time.
    package init(limits: BotMapLimits = BotMapLimits(), asksRepeatedly: Bool = true, showsGateways: Bool = true) {
        self.limits = limits
        self.asksRepeatedly = asksRepeatedly
        self.showsGateways = showsGateways
    }

    /// Applies one event.
    ///
    /// - Returns: The changes that it caused; none when the fact was known already.
    @discardableResult
    package mutating func apply(_ event: BotMapEvent) -> [BotMapChange] {
        sequence += 1
        news.begin()
        switch event {
        case .serviceFound(let service): if showsGateways { found(service) } else { list(service) }
        case .serviceLost(let instance, let reason):
            guard let candidate = candidates.known(.service(instance)) else { break }
            if showsGateways { remove(candidate, reason) } else { unlist(candidate, reason) }
        case .endpointAdded(let endpoint, let reach, let entry, let source):
            entered(endpoint, reach, entry: entry, source)
        case .endpointRemoved(let endpoint): candidates.known(.endpoint(endpoint)).map { remove($0) }
        case .probed(let endpoint, let outcome, let roundTrip): learn(endpoint, outcome, roundTrip)
        case .proved(let endpoint, let proof, let leaf): learn(endpoint, proof, leaf: leaf)
        case .liveness(let endpoint, let liveness, let roundTrip): learn(endpoint, liveness, roundTrip)
        case .sessionLiveness(let endpoint, let liveness, let roundTrip): learn(endpoint, session: liveness, roundTrip)
        case .flooding(let endpoint, let isFlooding): learn(endpoint, isFlooding: isFlooding)
        case .readiness(let endpoint, let readiness): learn(endpoint, readiness: readiness)
        case .waiting(let endpoint, let reason): learn(endpoint, waiting: reason)
        case .located(let endpoint, let machine): learn(endpoint, machine)
        case .aliased(let aliases): learn(aliases)
        case .retired(let endpoint): endpoints.known(endpoint).map { retire($0) }
        case .paired(let bot): paired(bot)
        case .unpaired(let key), .revoked(let key): unpaired(key)
        case .stateChanged(let key, let state): become(state, key)
        }
        refresh()
        candidates.giveBackRoom()
        endpoints.giveBackRoom()
        rows.giveBackRoom()
        claims.giveBackRoom()
        homes.giveBackRoom()
        leftOut.giveBackRoom()
        return news.take()
    }

    /// The rows, sorted by their identifiers.
    package var gateways: [Gateway] { shownRows.map { rows[$0].gateway }.sorted { $0.id < $1.id } }

    /// The rows that are shown, in no particular order.
    var shownRows: [GatewayID] { rows.keys.filter { rows[$0].isShown } }

    /// The bots of all gateways, sorted by their keys.
    package var bots: [Bot] { gateways.flatMap(\.bots).sorted { $0.id < $1.id } }

    /// The row with an identifier, if it is shown.
    package subscript(id: GatewayID) -> Gateway? {
        rows[id].isShown ? rows[id].gateway : nil
    }
}
