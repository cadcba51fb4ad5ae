internal import DNSSD

extension [GatewayPath] {
    /// The place of the path to an endpoint.
    func index(of endpoint: Endpoint) -> Int? {
        indices.first { self[$0].endpoint == endpoint }
    }
}
