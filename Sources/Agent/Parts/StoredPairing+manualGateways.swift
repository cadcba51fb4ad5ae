package import DNSSD
internal import GatewayClient
internal import GatewayProtocol
package import Pairing
package import Scanning

extension StoredPairing {
    /// The stored endpoints of the gateway, for a scanner to ask.
    package var manualGateways: [ManualGateway] {
        // Separately, because each address can belong to another gateway by now.
        endpoints.map { ManualGateway(endpoints: [$0], expected: dialect, transports: transports) }
    }

    /// The host names by which the user named the gateway, each with the places to which it led.
    package var hostNames: [ProbeAddress: Set<Endpoint>] {
        endpoints.reduce(into: [:]) { names, place in
            guard let name = ProbeAddress(place, transports: transports) else { return }
            names[name, default: []].insert(place)
        }
    }

    private var transports: ProbeTransports { trust.isPlain ? .plainFirst : .tlsFirst }
}
