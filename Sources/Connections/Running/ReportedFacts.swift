internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import PairedFacts
internal import PairingStore

/// What the sessions have reported to the map, so that only what has changed is reported again. A value.
struct ReportedFacts {
    /// The leaves with which endpoints have proved to be paired gateways.
    private(set) var pins: [Endpoint: LeafFingerprint] = [:]

    /// The state of each bot that is not merely paired.
    private var states: [BotKey: BotState] = [:]

    /// The liveness of each endpoint as each of its sessions sees it. The best of them is reported.
    private var liveness: [Endpoint: [CredentialID: Liveness]] = [:]

    init() {}

    /// Takes in the leaf that an endpoint has to show.
    ///
    /// - Returns: `true` if that has changed.
    mutating func pin(_ leaf: LeafFingerprint?, at endpoint: Endpoint) -> Bool {
        guard pins[endpoint] != leaf else { return false }
        pins[endpoint] = leaf
        return true
    }

    /// Changes the state of a bot.
    ///
    /// - Returns: The events for the map: it gets there by way of other states if necessary.
    mutating func set(_ state: BotState, of key: BotKey) -> [BotMapEvent] {
        let before = states.updateValue(state, forKey: key) ?? .paired
        return before.steps(to: state).map { .stateChanged(key, $0) }
    }

    /// Forgets the state of a bot that is not paired any more.
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
            + states.flatMap { key, state in state.steps(to: .paired).map { BotMapEvent.stateChanged(key, $0) } }
    }
}

extension Liveness {
    fileprivate static func best(of sessions: [CredentialID: Liveness]?) -> Liveness? { sessions?.values.min() }
}
