package import DNSSD
package import GatewayProtocol
package import Pairing
internal import Reports
package import Scanning

/// Trust in another place of a gateway without TLS.
extension InProcessRadar {
    /// Trusts a gateway without TLS at the address at which it answers now, as the user was shown it.
    ///
    /// - Parameters:
    ///   - extent: The way to trust it.
    ///   - address: The address, with or without its port.
    ///   - id: The pairing.
    ///   - shown: The trust as the user was shown it; `nil` for that of now.
    func trust(
        _ extent: PlainTrust,
        at address: String,
        in id: PairingID,
        shown: TrustReport?
    ) async throws(RadarError) -> PairingDocument {
        let pairing = try await pairing(id, shown: shown)
        try Self.checkThatPlaceDecides(pairing)
        let rows = await constellation?.snapshot.gateways ?? []
        let places = pairing.plainPlaces(in: rows, at: address)
        guard let place = places.first else {
            throw RadarError(
                .notFound,
                "expected \(pairing.label) at \(DisplayText(address, limit: 64)) without TLS, found nothing there that claims "
                    + "to be it"
            )
        }
        guard places.count == 1 else {
            let list = places.prefix(8).map(\.description).joined(separator: ", ")
            throw RadarError(.conflict, "expected one place, found several that say they are \(pairing.label): \(list)")
        }
        return try await accept(try await Self.change(to: extent, at: place, of: pairing), for: pairing)
    }

    /// Throws unless a gateway is one without TLS, about whose place the user decides.
    package static func checkThatPlaceDecides(_ pairing: StoredPairing) throws(RadarError) {
        guard !pairing.trust.isPlain else { return }
        throw RadarError(.inapplicable, "\(pairing.label) was paired with TLS, and is never trusted without.")
    }

    /// Returns the change by which a gateway without TLS is trusted at a place from now on.
    package static func change(
        to extent: PlainTrust,
        at place: Endpoint,
        of pairing: StoredPairing
    ) async throws(RadarError) -> TrustChange {
        let network = await NetworkObservation.settled(to: place.address)
        let decision = extent.decision(for: pairing.dialect, at: place, in: network)
        guard case .allowed(let policy) = decision else { throw RadarError(refusing: extent, decision, at: place) }
        return TrustChange(policy: policy, endpoint: place)
    }
}

extension RadarError {
    /// Makes the error of a way to trust a gateway without TLS that its place or network does not allow.
    package init(refusing extent: PlainTrust, _ decision: PlainTrustDecision, at place: Endpoint) {
        let sentence =
            switch decision {
            case .unknownNetwork: "the network of \(place) could not be told from others. Try again."
            case .unknownNode:
                "the tailnet does not say which machine has \(place.address). Is Tailscale running on this host?"
            case .indistinct:
                "\(place) is in a network without routers and hardware addresses, such as a tunnel, where the same "
                    + "address may be anybody's tomorrow. Pair with the gateway anew, with TLS."
            case .zoneAlone:
                "only a DNS zone leads to \(place), and no token goes there without TLS. Give its address if you know it to be "
                    + "the gateway's."
            case .publicPlace:
                "\(place) is not an address of your own networks, and no token goes there without TLS. Pair with the gateway "
                    + "anew, with TLS."
            case .noRouter:
                "this network has no default router, by which it could be told from others. Consent to its address: "
                    + "--trust address."
            case .otherwise(let choices):
                "--trust \(extent.rawValue) is not for the network that leads there. Give \(choices.options)."
            case .allowed: "--trust \(extent.rawValue) is not for the network that leads there."
            }
        let isLasting = [.indistinct, .publicPlace].contains(decision)
        self.init(isLasting ? .inapplicable : .unavailable, sentence)
    }
}

extension [PlainTrust] {
    /// The options that give these choices in advance.
    package var options: String {
        map { choice in
            switch choice {
            case .address: "--trust address (only where it is now)"
            case .lan: "--trust lan (anywhere in this network)"
            case .tailnet: "--trust tailnet (only the machine that has its address there now)"
            case .tunnel: "--trust tunnel (whoever has its address through this tunnel)"
            }
        }
        .joined(separator: " or ")
    }
}

// MARK: Where it is

extension StoredPairing {
    /// Returns the endpoints at which something without TLS claims to be this gateway. One that tells no fingerprint claims
    /// nothing: at another address it is what the user says, who gives that whole.
    ///
    /// - Parameters:
    ///   - rows: The rows of the map.
    ///   - address: The address that the user gave, with or without a port; `nil` if there is none.
    package func plainPlaces(in rows: [Gateway], at address: String? = nil) -> [Endpoint] {
        let claiming = rows.filter { row in
            row.id.description == gatewayID || fingerprint != nil && row.fingerprint == fingerprint
                || fingerprint == nil && row.fingerprint == nil
                    && row.paths.contains { "\($0.endpoint)" == address || "\($0.endpoint.unnamed)" == address }
        }
        let found = claiming.flatMap { row in
            let places = row.paths.filter { path in
                let identity = path.outcome?.identity
                return !path.contradicts && identity?.dialect == dialect && identity?.leaf == nil
            }
            .map(\.endpoint)
            // The paths of one row lead to the same gateway, so only the first one, which is the one to try first,
            // counts.
            guard let address else { return Array(places.prefix(1)) }
            return places.filter { $0.isNamed(by: address) }
        }
        // What is advertised has no name, which the front of a gateway that was paired by one may need.
        var places: [Endpoint] = []
        for place in found.map(endpoints.naming) where !places.contains(place) { places.append(place) }
        return places
    }
}

extension Endpoint {
    /// Reads a numeric address with a port, and perhaps with a path and the host name by which it is asked.
    package init?(numeric text: String) {
        guard let place = try? ProbeAddress(text), let address = IPAddress(place.host) else { return nil }
        self = place.endpoint(at: address)
    }

    /// Indicates whether a text is the endpoint as it is shown, that without its host name, or its address.
    package func isNamed(by text: String) -> Bool { ["\(self)", "\(unnamed)", "\(address)"].contains(text) }
}
