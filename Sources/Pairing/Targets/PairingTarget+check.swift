internal import GatewayProtocol

extension PairingTarget {
    /// Indicates whether what is known of it does not tell it from the gateway of a pairing.
    func mayBeGateway(of pairing: StoredPairing) -> Bool {
        guard dialect == nil || dialect == pairing.dialect, fingerprint == pairing.fingerprint else { return false }
        guard case .pinned(let pin) = pairing.trust else { return true }
        return leaf == pin
    }

    /// Throws the reason why what has answered is not the gateway that is meant, or cannot be paired with.
    func check(_ offer: PairingOffer) throws(PairingError) {
        if let leaf, offer.leaf != leaf {
            throw PairingError(.anotherGateway, "expected the certificate of this gateway, found another one")
        }
        // A link may be older than the gateway's fingerprint; a row of the map has just answered with it.
        if let fingerprint, offer.fingerprint != fingerprint, gatewayID != nil || offer.fingerprint != nil {
            throw PairingError(.anotherGateway, "expected the gateway that was asked for, found another one there")
        }
        guard offer.dialect.isPairedWith(overTLS: true) else {
            let name = offer.dialect.rawValue
            throw PairingError(.unsupported, "expected a gateway of a dialect that pairs, found one of \(name)")
        }
        if rights != .member, offer.dialect != .openClaw {
            throw PairingError(
                .unsupported,
                "expected an OpenClaw gateway, found one of \(offer.dialect.rawValue), at which no device approves others: "
                    + "pair as an ordinary device"
            )
        }
        if let conflict = offer.conflict {
            throw PairingError(.changedLeaf, conflict.message, conflict: conflict)
        }
        try offer.checkCanBeTrusted()
    }
}
