public import Constellation
public import DNSSD
public import GatewayClient
public import GatewayProtocol

/// A gateway that the user named, since DNS-SD does not show it: a host on another network, or a tunnel.
public struct ManualGateway: Hashable, Sendable {
    /// Its endpoints, all of the same gateway.
    public var endpoints: [Endpoint]

    /// The distance to it.
    public var reach: Reach

    /// The dialect that it is likely to speak.
    public var expected: GatewayDialect?

    /// The transports to try: with TLS or without, and which first.
    public var transports: ProbeTransports

    /// Creates a gateway that the user named.
    ///
    /// - Parameters:
    ///   - endpoints: Its endpoints. Of more than 16, the first 16 in sorted order are asked.
    ///   - reach: The distance to it.
    ///   - expected: The dialect that it is likely to speak; `nil` when anything is possible.
    ///   - transports: The transports to try, and which first.
    public init(
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
