internal import DNSSD
internal import GatewayProtocol

extension GatewayURL {
    /// Indicates whether it is the address of the gateway of an offer: the same host, by its name or an address, the same
    /// port and path, no other name than a place was asked by, and TLS or none on both sides.
    ///
    /// - Parameters:
    ///   - offer: The gateway.
    ///   - others: Further endpoints, at which it has shown the certificate that is demanded.
    ///   - addresses: The addresses of its host, if that is a name.
    func names(_ offer: PairingOffer, or others: [Endpoint], addresses: [IPAddress]) -> Bool {
        guard isSecure != offer.isPlain else { return false }
        let places = [offer.endpoint] + (offer.leaf == nil ? [] : others)
        let name = ServerName(host)
        if port == offer.endpoint.port, hasPath(of: offer.endpoint), let certified = offer.certifiedHost, name != nil,
            ServerName(certified) == name
        {
            return true
        }
        let named = ([address].compactMap(\.self) + addresses).map(\.unscoped)
        return places.contains { place in
            // By another name, another gateway may be behind the same front. All are asked by the name of the offer.
            let asked = place.serverName ?? offer.endpoint.serverName
            return place.port == port && hasPath(of: place) && named.contains(place.address.unscoped)
                && (asked == nil || asked == name)
        }
    }

    /// Indicates whether it has the path of an endpoint, with or without a slash at its end.
    private func hasPath(of endpoint: Endpoint) -> Bool {
        func plain(_ path: String) -> Substring { path.hasSuffix("/") ? path.dropLast() : path[...] }
        return plain(resource) == plain(endpoint.resource)
    }
}

extension IPAddress {
    /// The address without the interface of its link, which a URL does not name, as IPv4 if it is that.
    fileprivate var unscoped: IPAddress {
        guard case .v6(let address) = unmapped else { return unmapped }
        return .v6(IPv6Address(bits: address.bits))
    }
}
