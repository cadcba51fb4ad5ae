internal import DNSSD
internal import GatewayProtocol
internal import Scanning

/// The facts that the sessions have reported to the map, kept so that only what has changed is reported again. A value.
struct ReportedFacts {
    /// A leaf that an endpoint has shown, and the pairings that demand it there: several, behind one front.
    private struct ShownPin {
        let leaf: LeafFingerprint
        var pairings: Set<PairingID>
    }

    /// The leaves that endpoints have to show, by what is stored of them.
    private var storedPins: [Endpoint: LeafFingerprint] = [:]

    /// The leaves with which endpoints have proved to be paired gateways. They say more than what is stored: at an older
    /// endpoint of one pairing, there may be another gateway by now.
    private var shownPins: [Endpoint: ShownPin] = [:]

    /// The states of bots as the session of each credential that opens them says: a gateway that was paired twice has two.
    /// The one that says most is reported.
    private var states: [BotKey: [CredentialID: BotState]] = [:]

    /// The liveness of each endpoint as each of its sessions sees it. The best of them is reported.
    private var liveness: [Endpoint: [CredentialID: Liveness]] = [:]

    init() {}

    /// The leaf that an endpoint has to show; `nil` if any will do.
    func pin(at endpoint: Endpoint) -> LeafFingerprint? { shownPins[endpoint]?.leaf ?? storedPins[endpoint] }

    /// Takes in the leaves that endpoints have to show, as they were just read from the store.
    ///
    /// - Returns: The endpoints for which that has changed.
    mutating func store(_ pins: [Endpoint: LeafFingerprint]) -> [Endpoint] {
        changePins(at: Set(storedPins.keys).union(pins.keys)) { $0.storedPins = pins }
    }

    /// Takes in that an endpoint has shown the leaf of a pairing, which it has to show from now on.
    ///
    /// - Returns: The endpoint, if that has changed.
    mutating func pin(_ leaf: LeafFingerprint, at endpoint: Endpoint, of pairing: PairingID) -> [Endpoint] {
        changePins(at: [endpoint]) { facts in
            let known = facts.shownPins[endpoint].flatMap { $0.leaf == leaf ? $0.pairings : nil } ?? []
            facts.shownPins[endpoint] = ShownPin(leaf: leaf, pairings: known.union([pairing]))
        }
    }

    /// Forgets what has been shown of a pairing, but not what other pairings demand.
    ///
    /// - Returns: The endpoints for which that has changed.
    mutating func forgetPins(of pairing: PairingID) -> [Endpoint] {
        let concerned = shownPins.filter { $0.value.pairings.contains(pairing) }.keys
        return changePins(at: Set(concerned)) { facts in
            for endpoint in concerned {
                facts.shownPins[endpoint]?.pairings.remove(pairing)
                if facts.shownPins[endpoint]?.pairings.isEmpty == true { facts.shownPins[endpoint] = nil }
            }
        }
    }

    /// Returns those of the endpoints, sorted, that have to show another leaf after a change.
    private mutating func changePins(
        at endpoints: Set<Endpoint>,
        _ change: (inout ReportedFacts) -> Void
    ) -> [Endpoint] {
        let before = Dictionary(uniqueKeysWithValues: endpoints.map { ($0, pin(at: $0)) })
        change(&self)
        return endpoints.filter { before[$0] != pin(at: $0) }.sorted()
    }

    /// Changes the state of a bot as the session of a credential says; `nil` when there is none any more.
    ///
    /// - Returns: The events for the map: it gets there by way of other states if necessary.
    mutating func set(_ state: BotState?, of key: BotKey, by credential: CredentialID) -> [BotMapEvent] {
        let before = self.state(of: key)
        states[key, default: [:]][credential] = state
        if states[key]?.isEmpty == true { states[key] = nil }
        return before.steps(to: self.state(of: key)).map { .stateChanged(key, $0) }
    }

    private func state(of key: BotKey) -> BotState { states[key]?.values.min { $0.rank < $1.rank } ?? .paired }

    /// Indicates whether the session of any credential says something of a bot.
    func isKnown(_ key: BotKey) -> Bool { states[key] != nil }

    /// Forgets the states of a bot that is not paired any more.
    mutating func forget(_ key: BotKey) { states[key] = nil }

    /// Takes in what a session sees of its endpoint; `nil` when it has ended.
    ///
    /// - Returns: The best that any of its sessions sees now, if that has changed.
    mutating func note(_ seen: Liveness?, at endpoint: Endpoint, by credential: CredentialID) -> Liveness?? {
        let before = Liveness.best(of: liveness[endpoint])
        liveness[endpoint, default: [:]][credential] = seen
        if liveness[endpoint]?.isEmpty == true { liveness[endpoint] = nil }
        let after = Liveness.best(of: liveness[endpoint])
        return before == after ? nil : .some(after)
    }

    /// The events that withdraw all of it but the pins.
    var withdrawal: [BotMapEvent] {
        liveness.keys.map { .sessionLiveness($0, nil) }
            + states.keys.flatMap { key in state(of: key).steps(to: .paired).map { BotMapEvent.stateChanged(key, $0) } }
    }
}

extension Liveness {
    fileprivate static func best(of sessions: [CredentialID: Liveness]?) -> Liveness? { sessions?.values.min() }
}

extension BotState {
    /// The order in which the sessions of one bot count: one that is connected shows where the gateway is.
    fileprivate var rank: Int {
        switch self {
        case .connected: 0
        case .changedLeaf, .moved, .uncertified: 1
        case .connecting: 2
        case .refused, .failed, .error: 3
        case .waiting: 4
        case .disconnected: 5
        case .paired, .pairing, .discovered: 6
        }
    }
}
