internal import GatewayProtocol

extension PairingTarget {
    /// Throws the reason why what has answered is not the gateway that is meant, or cannot be paired with.
    func check(_ offer: PairingOffer) throws(PairingError) {
        if let leaf, offer.leaf != leaf {
            throw PairingError(.anotherGateway, "expected the certificate of this gateway, found another one")
        }
        if let fingerprint, let found = offer.fingerprint, found != fingerprint {
            throw PairingError(.anotherGateway, "expected the gateway that was asked for, found another one there")
        }
        guard PairingDialects.all[offer.dialect] != nil else {
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
