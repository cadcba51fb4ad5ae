package import DNSSD

/// The recognition of a paired gateway by what an endpoint shows.
extension PairedMarks {
    /// Indicates whether an answer at an endpoint gives the proof of the pairing, as far as can be seen without a session.
    package func isGiven(by identity: GatewayIdentity, at endpoint: Endpoint) -> Bool {
        guard identity.dialect == dialect else { return false }
        let endpoint = naming(endpoint)
        switch proof {
        case .leaf(let pin):
            // A leaf is that of a front. Without a fingerprint, the port and path tell which gateway it is behind that.
            return identity.leaf == pin && (identity.fingerprint != nil || places.hasSite(of: endpoint))
        case .certificate: return identity.leaf != nil && places.contains(endpoint)
        case .address: return identity.leaf == nil && places.contains(endpoint)
        }
    }

    /// Indicates whether an endpoint that shows the certificate of another pairing is a place of this one: both have one
    /// certificate, or this one trusts it for its host; or both have one host, whose front may have got a new certificate that
    /// was accepted for one pairing alone.
    package func hasPlace(_ endpoint: Endpoint, besides other: PairedMarks) -> Bool {
        guard dialect == other.dialect else { return false }
        let place = naming(endpoint)
        if proof == other.proof, places.hasSite(of: place) { return true }
        return places.contains(place)
            && (proof == .certificate || other.places.contains { $0.address == endpoint.address })
    }
}
