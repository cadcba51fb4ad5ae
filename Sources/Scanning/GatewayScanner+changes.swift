internal import Constellation

/// The entries of a scanner, which its user changes before and while it runs.
extension GatewayScanner {
    /// Adds a gateway that DNS-SD does not show, and asks it, once the scanner runs. A gateway that equals a known one is not
    /// added twice.
    package func add(_ gateway: ManualGateway) {
        guard isRunning else { return manualGateways.append(gateway) }
        change { $0.add(gateway, now: $1) }
    }

    /// Removes a gateway that was added or configured, compared by equality. It stays in the map while it answers, or
    /// something else leads to it.
    package func remove(_ gateway: ManualGateway) {
        guard isRunning else { return manualGateways.removeAll { $0 == gateway } }
        change { $0.remove(gateway, now: $1) }
    }

    /// Sets whether somebody watches: if so, the first path of each gateway is checked at ``ScannerConfiguration/interval``,
    /// else at ``ScannerConfiguration/refresh``. A gateway that has missed an answer is asked as often in both cases.
    public func setWatched(_ isWatched: Bool) {
        guard isRunning else {
            state.isWatched = isWatched
            return
        }
        change { $0.setWatched(isWatched, now: $1) }
    }

    /// Takes in what sessions and pairings have reported of an endpoint to the constellation.
    func take(_ notice: EndpointNotice) async {
        let gatewayCount = await constellation.gatewayCount
        let endpoint = notice.endpoint
        let (isPinReported, isSessionNew) = noticed.take(endpoint, session: notice.session, pin: notice.pin)
        change { state, now in
            state.gatewayCount = gatewayCount
            state.serve(notice.demands.map { EndpointDemand(endpoint, $0) }, now: now)
            if isPinReported { state.pin(notice.pin, at: endpoint, now: now) }
            if isSessionNew { state.noteSession(notice.session, at: endpoint, notice.identity, now: now) }
        }
    }
}
