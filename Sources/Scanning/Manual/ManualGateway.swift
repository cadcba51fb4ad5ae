package import DNSSD
package import GatewayClient
package import GatewayProtocol

/// A gateway that the user named, since DNS-SD does not show it: a host on another network, or a tunnel; or a place at which
/// one may be, as a source found.
package struct ManualGateway: Hashable, Sendable {
    /// Its endpoints, all of the same gateway.
    package var endpoints: [Endpoint]

    /// The distance to it.
    package var reach: Reach

    /// The dialect that it is likely to speak.
    package var expected: GatewayDialect?

    /// The transports to try: with TLS or without, and which first.
    package var transports: ProbeTransports

    /// The host at one of whose usual ports it may be, if no port was given: it is one only where it answers. `nil` for a
    /// gateway that the user has named with its port.
    package var soughtHost: String?

    /// The source that has found it: it is a gateway only where it answers. `nil` for what the user has named.
    package var source: PlaceSource?

    /// Indicates whether it is shown only where a gateway answers.
    var isSought: Bool { soughtHost != nil || source != nil }

    /// Creates a gateway that the user named.
    ///
    /// - Parameters:
    ///   - endpoints: Its endpoints. Of more than 16, the first 16 in sorted order are asked.
    ///   - reach: The distance to it.
    ///   - expected: The dialect that it is likely to speak; `nil` when anything is possible.
    ///   - transports: The transports to try, and which first.
    ///   - soughtHost: The host at one of whose usual ports it may be.
    ///   - source: The source that has found it.
    package init(
        endpoints: [Endpoint],
        reach: Reach = .local,
        expected: GatewayDialect? = nil,
        transports: ProbeTransports = .plainFirst,
        soughtHost: String? = nil,
        source: PlaceSource? = nil
    ) {
        self.endpoints = endpoints
        self.reach = reach
        self.expected = expected
        self.transports = transports
        self.soughtHost = soughtHost
        self.source = source
    }
}
