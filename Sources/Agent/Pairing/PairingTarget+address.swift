package import DNSSD
internal import GatewayClient
internal import GatewayProtocol
package import Pairing
package import Scanning

extension PairingTarget {
    /// Creates the target of an address. A `wss://` host outside of this network is trusted by the certificate for its
    /// host name alone; any other host by that too, or else as if its address had been typed.
    ///
    /// - Parameters:
    ///   - address: The address that the user gave.
    ///   - addresses: Those of its host.
    package init(_ address: ProbeAddress, addresses: [IPAddress]) {
        let place: PairingTarget.Place
        let isRemote =
            address.transports == .tlsOnly && IPAddress(address.host) == nil && !addresses.isEmpty
            && !addresses.contains { $0.isLoopback || $0.isLocalNetwork }
        if isRemote, let url = GatewayURL("wss://\(address)\(address.resource)") {
            place = .remote(url)
        } else {
            place = .endpoints(addresses.map(address.endpoint(at:)))
        }
        self.init(
            place: place,
            // Some gateways tell no name.
            name: address.hostName,
            hostName: address.hostName,
            resource: address.resource,
            dialect: address.dialect,
            // A gateway that speaks both is paired over TLS, where nobody can eavesdrop.
            transports: address.transports == .plainFirst ? .tlsFirst : address.transports
        )
    }
}

extension Gateway {
    /// The certificates that its advertisements name, as hexadecimal digits; `nil` if it is not advertised.
    package var advertisedLeaves: Set<String>? {
        guard !discoveredServices.isEmpty else { return nil }
        return Set(
            discoveredServices.compactMap { service in
                GatewayAdvertisement(instance: service.instance, txt: service.txt ?? TXTRecord()).tls?.sha256
            }
        )
    }
}
