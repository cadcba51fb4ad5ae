public import Constellation
public import DNSSD
internal import Discovery
public import GatewayProtocol

/// The settings of a scanner that can be changed before and while it runs; they remain from one ``run()`` to the next.
extension Scanner {
    /// Adds a gateway that DNS-SD does not show. It is asked now if the scanner runs, and in each ``run()`` from then
    /// on. A gateway that equals a known one is not added twice.
    public func add(_ gateway: ManualGateway) {
        guard !manualGateways.contains(gateway) else { return }
        manualGateways.append(gateway)
        change { $0.add(gateway, now: $1) }
    }

    /// Removes a gateway that was added or configured, compared by equality. It stays in the map while it answers, or
    /// something else leads to it. The map is updated even when the scanner does not run.
    public func remove(_ gateway: ManualGateway) async {
        manualGateways.removeAll { $0 == gateway }
        guard isRunning else {
            let events = state.removeEntry(of: gateway)
            if !events.isEmpty { await constellation.apply(events) }
            return
        }
        change { $0.remove(gateway, now: $1) }
    }

    /// Pins the leaf certificate that an endpoint has to show, whatever leads to it; `nil` allows any.
    ///
    /// It is asked over TLS alone from then on. An endpoint that shows another leaf is sent nothing after the
    /// handshake, and its outcome in the map is `.nothing(.wrongLeaf(found:))`: its former identity, and the proof of
    /// it, have ended.
    public func pin(_ leaf: LeafFingerprint?, at endpoint: Endpoint) {
        pins[endpoint] = leaf
        change { $0.pin(leaf, at: endpoint, now: $1) }
    }

    /// Takes in the liveness that the owner of a session reports for its endpoint; `nil` when the session has ended. It
    /// is passed to the map, even when the scanner does not run, as
    /// ``/Constellation/BotMapEvent/sessionLiveness(_:_:roundTrip:)``: an endpoint has one such liveness, however many
    /// sessions there are with it.
    ///
    /// While it is `answering` or `suspect`, the session is alive: nothing is asked of the endpoint, and no connection
    /// to it is kept. When that ends, it is asked at once. The owner of a session with an endpoint that was never asked
    /// must report its identity to the map itself.
    ///
    /// - Parameters:
    ///   - liveness: The liveness according to the session, reported whenever the session has received something new.
    ///   - endpoint: The endpoint of the session.
    ///   - roundTrip: The time that the answer took; `nil` keeps the previous one.
    public func noteSession(_ liveness: Liveness?, at endpoint: Endpoint, roundTrip: Duration? = nil) async {
        sessions[endpoint] = liveness
        guard isRunning else {
            await constellation.apply(.sessionLiveness(endpoint, liveness, roundTrip: roundTrip))
            return
        }
        change { $0.noteSession(liveness, at: endpoint, roundTrip: roundTrip, now: $1) }
    }

    /// Passes the latest reports of the scanner's users to the map, since they will not be repeated. Everything else
    /// that was learned is asked again by the next run.
    func flushUserEvents() async {
        while true {
            var events: [BotMapEvent] = []
            swap(&events, &pendingEvents)
            for case .emit(let event) in state.actions { events.append(event) }
            state.actions = []
            events.removeAll { !$0.isFromUser }
            guard !events.isEmpty else { return }
            await constellation.apply(events)
        }
    }
}

extension BotMapEvent {
    /// Indicates whether the event comes from a user of the scanner.
    fileprivate var isFromUser: Bool {
        switch self {
        case .sessionLiveness, .endpointAdded, .endpointRemoved: true
        default: false
        }
    }
}
