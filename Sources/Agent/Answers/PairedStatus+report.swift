package import PairedFacts
package import PairingStore
package import Reports
internal import Trust

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
            holder: holder,
            readiness: readiness
        )
    }

    /// The reason for the state, with the command that ends it.
    package var reasonText: String? {
        if isToBePairedAnew {
            return "\(reason.map { "\($0). " } ?? "")To pair it anew: clawradar pair \(pairing.word)"
        }
        let remedy: String? =
            switch state {
            case .changedLeaf: "clawradar trust \(pairing.shortID)"
            case .moved where pairing.trust.isPlain:
                "clawradar trust \(pairing.shortID) --trust \(pairing.trust.acceptingWord)"
            case .awaitsTrust: "clawradar trust \(pairing.shortID)"
            default: nil
            }
        let meaning = reason ?? state.meaning
        return remedy.map { "\(meaning.map { "\($0). " } ?? "")To accept it: \($0)" } ?? meaning
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
