public import Constellation
public import DNSSD
public import GatewayClient
public import GatewayProtocol

/// A gateway that no DNS-SD shows, since the user named it: a host on another network, or a tunnel.
public struct ManualGateway: Hashable, Sendable {
    /// Its addresses, all of the same gateway.
    public var endpoints: [Endpoint]

    /// The distance to it.
    public var reach: Reach

    /// The dialect that it is likely to speak.
    public var expected: GatewayDialect?

    /// With TLS or without, and which first.
    public var transports: ProbeTransports

    /// The path to upgrade on.
    public var resource: String

    public init(
        endpoints: [Endpoint],
        reach: Reach = .local,
        expected: GatewayDialect? = nil,
        transports: ProbeTransports = .plainFirst,
        resource: String = "/"
    ) {
        self.endpoints = endpoints
        self.reach = reach
        self.expected = expected
        self.transports = transports
        self.resource = resource
    }
}
