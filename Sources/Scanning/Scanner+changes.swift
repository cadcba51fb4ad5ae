public import Constellation
public import DNSSD
internal import Discovery
public import GatewayProtocol

/// The changes that a scanner takes while it runs, or before; they hold from one ``run()`` to the next.
extension Scanner {
    /// Has a gateway asked that no DNS-SD shows, now if it runs, and from each ``run()`` on. One that it knows already is
    /// not added twice.
    public func add(_ gateway: ManualGateway) {
        guard !manualGateways.contains(gateway) else { return }
        manualGateways.append(gateway)
        change { $0.add(gateway, now: $1) }
    }

    /// Removes a gateway that was added, or that the configuration had; equal is the same. While it answers, or something
    /// else leads to it, it stays in the map. The map is told also when the scanner does not run.
    public func remove(_ gateway: ManualGateway) async {
        manualGateways.removeAll { $0 == gateway }
        guard isRunning else {
            let events = state.removeEntry(of: gateway)
            if !events.isEmpty { await constellation.apply(events) }
            return
        }
        change { $0.remove(gateway, now: $1) }
    }

    /// Browses for these types in these domains from now on, and for nothing else; also in the runs to come. Services of what
    /// is not browsed for any more are lost. A gateway to which they led stays in the map while it answers, as any does that
    /// is not advertised any more.
    ///
    /// The same as ``/Discovery/Browser/browse(for:in:)`` of the ``browser``.
    ///
    /// - Parameters:
    ///   - types: The service types.
    ///   - domains: The domains in which each of them is browsed for.
    public nonisolated func browse(for types: [ServiceType], in domains: [String] = ["local"]) {
        browser.browse(for: types, in: domains)
    }

    /// Pins the leaf certificate that an endpoint has to show, whatever leads to it; `nil` lets it show any.
    ///
    /// It is asked over TLS alone from then on. One that shows another leaf is sent nothing after the handshake, and its
    /// outcome in the map is `.nothing(.wrongLeaf(found:))`: what it was known as, and what was proved of it, has ended.
    public func pin(_ leaf: LeafFingerprint?, at endpoint: Endpoint) {
        pins[endpoint] = leaf
        change { $0.pin(leaf, at: endpoint, now: $1) }
    }

    /// Takes in what the owner of a session says of its endpoint; `nil` when the session has ended. The map is told, also when
    /// the scanner does not run, as ``/Constellation/BotMapEvent/sessionLiveness(_:_:roundTrip:)``: an endpoint has one word,
    /// however many sessions there are with it.
    ///
    /// While the session lives, which is while its word is `answering` or `suspect`, nothing is asked of the endpoint and no
    /// connection to it is kept. When that ends it is asked at once. Whoever has a session with something that was never
    /// asked tells the map itself what that is.
    ///
    /// - Parameters:
    ///   - word: What the session says, each time that it has heard something new.
    ///   - endpoint: Where it leads.
    ///   - roundTrip: The time of the answer; `nil` keeps the last one.
    public func noteSession(_ word: Liveness?, at endpoint: Endpoint, roundTrip: Duration? = nil) async {
        sessions[endpoint] = word
        guard isRunning else {
            await constellation.apply(.sessionLiveness(endpoint, word, roundTrip: roundTrip))
            return
        }
        change { $0.hear(session: word, of: endpoint, roundTrip: roundTrip, now: $1) }
    }

    /// Tells the map what its users have said of late: they do not say it again. What was learned besides is asked anew by
    /// the next run.
    func reportWhatUsersSaid() async {
        while true {
            var events: [BotMapEvent] = []
            swap(&events, &unsaid)
            for case .emit(let event) in state.actions { events.append(event) }
            state.actions = []
            events.removeAll { !$0.isOfUser }
            guard !events.isEmpty else { return }
            await constellation.apply(events)
        }
    }
}

extension BotMapEvent {
    /// Indicates whether it is something that a scanner was told by its users.
    fileprivate var isOfUser: Bool {
        switch self {
        case .sessionLiveness, .endpointAdded, .endpointRemoved: true
        default: false
        }
    }
}
