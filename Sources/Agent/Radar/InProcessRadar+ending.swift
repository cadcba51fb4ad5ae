package import GatewayProtocol
package import Pairing
package import Reports
package import Scanning

/// Ending pairings, and taking them back.
extension InProcessRadar {
    package func forget(_ id: PairingID) async throws(RadarError) -> PairingDocument {
        let pairing = try await pairing(id)
        try await write { store throws(StoreError) in
            try store.moveToBin(id, reason: .forgotten, at: Timestamp.now.milliseconds)
        }
        return PairingDocument(PairingReport(pairing), withdrawal: .notInformed)
    }

    /// Returns what is in the bin.
    package func bin() async throws(RadarError) -> [BinnedPairing] {
        try await read { store throws(StoreError) in try store.bin() }
    }

    package func restore(_ id: PairingID) async throws(RadarError) -> PairingDocument {
        let items = try await bin().filter { $0.pairing.id == id }
        guard !items.isEmpty else { throw RadarError(.notFound, "there is no such pairing in the bin") }
        let pairing = try await write { store throws(StoreError) -> Result<StoredPairing?, RadarError> in
            for item in items {
                if let successor = try store.successor(of: item) { return .failure(RadarError(replacedBy: successor)) }
            }
            try store.restore(id)
            return .success(try store.pairing(id))
        }
        guard let pairing = try pairing.get() else { throw .noPairing }
        return PairingDocument(PairingReport(pairing))
    }

    package func unpair(
        _ id: PairingID,
        bots: BotSelection,
        seenIn rows: [Gateway]
    ) async throws(RadarError) -> PairingDocument {
        let pairing = try await pairing(id)
        if case .some(let bots) = bots, !Set(bots).isSubset(of: pairing.bots.map(\.id)) { throw .noBot }
        let rows = rows.isEmpty ? await constellation?.snapshot.gateways ?? [] : rows
        let coordinator = try coordinator
        do throws(PairingError) {
            let result = try await coordinator.unpair(id, bots: bots.bots, seenIn: rows)
            return PairingDocument(PairingReport(pairing), withdrawal: result.report)
        } catch {
            throw RadarError(error)
        }
    }
}
