internal import DNSSD
internal import GatewayProtocol
package import Pairing
package import Reports
package import Scanning

extension PairedStatus {
    /// Returns the states of the pairings in the bin that their gateways have revoked, and that nothing has replaced since:
    /// no row says that a gateway is to be paired again that is.
    ///
    /// - Parameter pairings: The live pairings. One of the same gateway can have another row, and another certificate.
    package static func revoked(_ bin: [BinnedPairing], besides pairings: [StoredPairing]) -> [PairedStatus] {
        bin.compactMap(revoked).filter { status in
            let former = status.pairing
            return !pairings.contains { pairing in
                pairing.gatewayID == former.gatewayID || pairing.isSameGateway(as: former)
                    || pairing.dialect == former.dialect && !Set(pairing.endpoints).isDisjoint(with: former.endpoints)
            }
        }
    }

    /// Returns the state of a pairing in the bin that its gateway has revoked; `nil` for any other.
    private static func revoked(_ item: BinnedPairing) -> PairedStatus? {
        guard case .revoked(let reason) = item.reason, item.isWhole else { return nil }
        return PairedStatus(revoked: item, reason: reason)
    }

    /// The state as outsiders read it.
    package var report: PairedStatusReport {
        PairedStatusReport(
            pairing,
            state: state.rawValue,
            since: since.map { Timestamp(milliseconds: $0) },
            path: path,
            reason: reasonText,
            command: command,
            holder: holder,
            readiness: readiness
        )
    }

    /// The reason for the state, with the command that ends it.
    package var reasonText: String? {
        let meaning = isToBePairedAnew ? reason : reason ?? state.meaning
        guard let remedy else { return meaning }
        let purpose = isToBePairedAnew ? "To pair it anew" : "To accept it"
        return "\(meaning.map { "\($0). " } ?? "")\(purpose): \(remedy)"
    }

    /// The command that helps against the state, or says more of it; `nil` where nothing is wrong.
    package var command: String? {
        if let remedy { return remedy }
        switch state {
        case .revoked:
            // Its number is that of a pairing that is none any more.
            return (ShellWord(name: pairing.name) ?? pairing.endpoints.first.flatMap { ShellWord($0.description) })
                .map { "clawradar pair \($0)" }
        case .connected, .connecting, .paired:
            guard let readiness, !readiness.isReady else { return nil }
        case .gone, .waiting, .refused, .failed, .uncertified, .moved, .changedLeaf, .awaitsTrust: break
        }
        return "clawradar doctor \(pairing.word)"
    }

    /// The command that ends the state.
    private var remedy: String? {
        if pairing.deviceMovedAt != nil { return "clawradar device restore" }
        if isToBePairedAnew || pairing.isToBePairedHere { return "clawradar pair \(pairing.word)" }
        return switch state {
        case .changedLeaf, .awaitsTrust: "clawradar trust \(pairing.shortID)"
        case .moved where pairing.trust.isPlain:
            "clawradar trust \(pairing.shortID) --trust \(pairing.trust.acceptingWord)"
        default: nil
        }
    }
}

extension PairedState {
    /// The meaning of a state in which nothing is sent, for people; `nil` for all others.
    var meaning: String? {
        switch self {
        case .changedLeaf: "another certificate than the pinned one is shown there: nothing is sent to it"
        case .moved: "it is not where or what it was at pairing: nothing is sent to it"
        case .uncertified: "no trusted certificate proves that it is the host it was paired as: nothing is sent to it"
        case .awaitsTrust: "nobody has trusted it yet: nothing is sent to it"
        case .connected, .connecting, .paired, .gone, .waiting, .refused, .failed, .revoked: nil
        }
    }
}

extension PairedGateways {
    /// Returns the states of pairings.
    ///
    /// - Parameters:
    ///   - rows: The rows of the map.
    ///   - held: The sessions that processes have.
    package func states(
        of pairings: [StoredPairing],
        in rows: [Gateway],
        _ held: [CredentialID: HeldSession]
    ) -> [PairedStatus] {
        let rows = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        return pairings.map { pairing in
            PairedStatus(
                pairing,
                row: row(of: pairing.id).flatMap { rows[$0] },
                sessions: pairing.credentials.compactMap { held[$0.id] }
            )
        }
    }
}

extension [PairedStatus] {
    /// The same in the order in which they are shown.
    package var inOrder: [PairedStatus] {
        sorted { ($0.pairing.name, $0.pairing.id) < ($1.pairing.name, $1.pairing.id) }
    }
}
