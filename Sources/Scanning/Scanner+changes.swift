internal import Constellation
internal import DNSSD
internal import Discovery

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

    /// Takes in what sessions and pairings have reported of an endpoint to the constellation.
    func take(_ notice: EndpointNotice) {
        let (former, endpoint) = (sessions[notice.endpoint], notice.endpoint)
        sessions[endpoint] = notice.session
        let hasPin = notice.pin != nil || notedPins.contains(endpoint)
        if hasPin { pins[endpoint] = notice.pin }
        if notice.pin != nil { notedPins.insert(endpoint) } else { notedPins.remove(endpoint) }
        change { state, now in
            // Others have changed the row, so that its changes have not come back as the answer to an event of ours.
            if let row = notice.row { state.learn([.found(row)], now: now) }
            if hasPin { state.pin(notice.pin, at: endpoint, now: now) }
            if notice.session != former { state.noteSession(notice.session, at: endpoint, now: now) }
        }
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
        case .endpointAdded, .endpointRemoved: true
        default: false
        }
    }
}
