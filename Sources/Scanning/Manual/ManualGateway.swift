package import Constellation
package import DNSSD
package import GatewayClient
package import GatewayProtocol

/// A gateway that the user named, since DNS-SD does not show it: a host on another network, or a tunnel.
package struct ManualGateway: Hashable, Sendable {
    /// Its endpoints, all of the same gateway.
    package var endpoints: [Endpoint]

    /// The distance to it.
    package var reach: Reach

    /// The dialect that it is likely to speak.
    package var expected: GatewayDialect?

    /// The transports to try: with TLS or without, and which first.
    package var transports: ProbeTransports

    /// Creates a gateway that the user named.
    ///
    /// - Parameters:
    ///   - endpoints: Its endpoints. Of more than 16, the first 16 in sorted order are asked.
    ///   - reach: The distance to it.
    ///   - expected: The dialect that it is likely to speak; `nil` when anything is possible.
    ///   - transports: The transports to try, and which first.
    package init(
        endpoints: [Endpoint],
        reach: Reach = .local,
        expected: GatewayDialect? = nil,
        transports: ProbeTransports = .plainFirst
    ) {
        self.endpoints = endpoints
        self.reach = reach
        self.expected = expected
        self.transports = transports
    }
}
