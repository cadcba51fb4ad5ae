package import DNSSD
internal import GatewayProtocol
package import Scanning

/// The withdrawal of pairings that were ended while their gateways were away.
extension PairingCoordinator {
    /// The time after a failed withdrawal before it is tried again.
    private static let withdrawalRetryInterval = Duration.seconds(30)

    /// Withdraws ended pairings at their gateways as soon as these are seen again, until the task is cancelled.
    ///
    /// - Parameter withdrawn: A closure that is called with each pairing of which its gateway knows now that it has ended.
    package func withdrawWhatIsSeen(_ withdrawn: @Sendable (StoredPairing) -> Void) async {
        guard let constellation else { return }
        var tried: [String: ContinuousClock.Instant] = [:]
        for await update in constellation.updates {
            let rows: [Gateway] =
                switch update {
                case .snapshot(let snapshot): snapshot.gateways
                case .change(.found(let row), _): [row]
                case .change(.changed(let row, let aspects), _):
                    aspects.isSubset(of: [.latency, .bots, .name, .flags]) ? [] : [row]
                case .change(.lost, _), .change(.joined, _), .change(.problem, _): []
                }
            let alive = rows.filter { $0.liveness == .answering }
            guard !alive.isEmpty else { continue }
            let found = try? await store.perform { store throws(StoreError) in try store.bin() }
            guard let items = found else { continue }
            for item in items where item.reason == .unpaired(withdrawnThere: false) {
                guard item.pairing.dialect.letsDevicesLeave, alive.contains(where: item.pairing.mayBe) else { continue }
                if let last = tried[item.id], clock.now - last < Self.withdrawalRetryInterval { continue }
                tried[item.id] = clock.now
                let shown = alive.flatMap { item.pairing.placesOfItsCertificate(in: $0) }
                if case .withdrawn? = try? await withdraw(item, at: shown) { withdrawn(item.pairing) }
            }
        }
    }
}

extension StoredPairing {
    /// Indicates whether a row has an endpoint of the pairing, or claims to be its gateway. It has to prove that before
    /// any token is sent.
    fileprivate func mayBe(_ row: Gateway) -> Bool {
        if let fingerprint, row.fingerprint == fingerprint { return true }
        if !placesOfItsCertificate(in: row).isEmpty { return true }
        return row.paths.contains { endpoints.contains($0.endpoint) }
    }

    /// Returns the endpoints of a row at which the gateway has presented the pinned certificate; none if no certificate is
    /// pinned.
    package func placesOfItsCertificate(in row: Gateway) -> [Endpoint] {
        guard case .pinned(let pin) = trust else { return [] }
        return row.paths.compactMap { path in
            guard let identity = path.outcome?.identity, identity.leaf == pin,
                isPlace(path.endpoint, telling: identity.fingerprint)
            else { return nil }
            return path.endpoint
        }
    }
}
