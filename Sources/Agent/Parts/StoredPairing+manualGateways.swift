internal import GatewayClient
package import PairingStore
package import Scanning
internal import Trust

extension StoredPairing {
    /// The stored endpoints of the gateway, for a scanner to ask.
    package var manualGateways: [ManualGateway] {
        // Separately, because each address can belong to another gateway by now.
        endpoints.map { endpoint in
            ManualGateway(
                endpoints: [endpoint],
                expected: dialect,
                transports: trust.isPlain ? .plainFirst : .tlsFirst
            )
        }
    }
}
