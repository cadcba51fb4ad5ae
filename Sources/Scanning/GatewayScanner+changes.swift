/// The entries of a scanner, which its user changes before and while it runs.
extension GatewayScanner {
    /// Adds a gateway that DNS-SD does not show, and asks it, once the scanner runs. A gateway that equals a known one is not
    /// added twice.
    package func add(_ gateway: ManualGateway) {
        guard isRunning else { return manualGateways.append(gateway) }
        change { $0.add(gateway, now: $1) }
    }

    /// Has the gateway at an address asked that DNS-SD does not show: at once, or from the start of the run. A host name is looked
    /// up now, and again when it is added again. A host without a port is asked at the usual ports.
    ///
    /// ## Usage
    ///
    /// ```swift
    /// try await scanner.add(ProbeAddress("192.168.1.50:3000"))
    /// try await scanner.add(ProbeAddress(orHost: "studio.example.org"))
    /// ```
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - limit: The time that looking up its host name may take.
    /// - Throws: An error that describes what is wrong if its host has no address. What was added before stays.
    public func add(_ address: ProbeAddress, within limit: Duration = .seconds(5)) async throws {
        lookupCount += 1
        let number = lookupCount
        lookups[address] = number
        let found = await ManualGateways([address], within: limit)
        // It was removed, or added once more, meanwhile.
        guard lookups[address] == number else { return }
        if let problem = found.problems.first { throw ProbeAddressProblem(problem) }
        let former = entered.updateValue(found.gateways, forKey: address) ?? []
        for gateway in former { removeUnlessWanted(gateway) }
        for gateway in found.gateways where !former.contains(gateway) { add(gateway) }
    }

    /// Asks an address that was added only as long as something answers there, or something else leads to it.
    public func remove(_ address: ProbeAddress) {
        lookups[address] = nil
        for gateway in entered.removeValue(forKey: address) ?? [] { removeUnlessWanted(gateway) }
    }

    /// Removes a gateway to which no address leads any more, and which is not configured.
    private func removeUnlessWanted(_ gateway: ManualGateway) {
        guard !configuration.manualGateways.contains(gateway),
            !entered.values.contains(where: { $0.contains(gateway) })
        else { return }
        remove(gateway)
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
