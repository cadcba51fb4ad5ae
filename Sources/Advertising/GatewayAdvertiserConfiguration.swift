package import DNSSD
package import GatewayClient
package import GatewayProtocol

/// The configuration of a ``GatewayAdvertiser``: which gateway it advertises, and how.
package struct GatewayAdvertiserConfiguration: Sendable {
    /// The endpoints at which the gateway is asked: addresses of this host itself, usually loopback, all with the port
    /// that the gateway listens on.
    package var endpoints: [Endpoint]

    /// The dialect that the gateway is likely to speak, before it has answered; `nil` when anything is possible.
    package var expected: GatewayDialect?

    /// The transports to try, and which first, before the gateway has answered.
    package var transports: ProbeTransports

    /// The service types to advertise under; empty means the one of the gateway's dialect.
    package var types: [ServiceType]

    /// The name of the gateway. A gateway that reports another name is not advertised; a gateway that reports none is
    /// advertised under this name.
    package var name: String?

    /// The name to use where the gateway reports none and ``name`` is `nil`: usually the name of this host.
    package var defaultName: String

    /// The names of the interfaces to publish on; empty means all.
    package var interfaces: Set<String>

    /// Additional entries of the TXT record. Keys that the gateway itself answers for are refused.
    package var additions: TXTRecord

    /// Indicates whether the gateway is advertised even if it does not answer at any address that others can reach.
    package var isForced: Bool

    /// The time from one check to the next, doubled for gateways that are only asked whether they answer. Two misses
    /// withdraw the advertisement: with an interval of 1 s and a ``timeout`` of 1 s that takes 4 s at most, and a
    /// second after the goodbye packet the others have dropped the records (RFC 6762 §10.1).
    package var interval: Duration

    /// The time that a known gateway may take to answer.
    package var timeout: Duration

    /// Creates a configuration, which the ``GatewayAdvertiser`` checks, with these defaults for all but the endpoints:
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints at which the gateway is asked.
    ///   - expected: `nil`.
    ///   - transports: `plainFirst`.
    ///   - types: The service type of the dialect.
    ///   - name: The name that the gateway reports.
    ///   - defaultName: `gateway`.
    ///   - interfaces: All.
    ///   - additions: None.
    ///   - isForced: `false`.
    ///   - interval: 1 s.
    ///   - timeout: 1 s.
    package init(
        endpoints: [Endpoint],
        expected: GatewayDialect? = nil,
        transports: ProbeTransports = .plainFirst,
        types: [ServiceType] = [],
        name: String? = nil,
        defaultName: String = "gateway",
        interfaces: Set<String> = [],
        additions: TXTRecord = TXTRecord(),
        isForced: Bool = false,
        interval: Duration = .seconds(1),
        timeout: Duration = .seconds(1)
    ) {
        self.endpoints = endpoints
        self.expected = expected
        self.transports = transports
        self.types = types
        self.name = name
        self.defaultName = defaultName
        self.interfaces = interfaces
        self.additions = additions
        self.isForced = isForced
        self.interval = interval
        self.timeout = timeout
    }

    /// The port of the gateway.
    var port: UInt16 { endpoints.first?.port ?? 0 }

    /// Checks what can be checked before the gateway has answered.
    func validate() throws(BackendError) {
        guard let first = endpoints.first else {
            throw BackendError(.invalid, "there is no address to ask the gateway at.")
        }
        guard first.port > 0, endpoints.allSatisfy({ $0.port == first.port }) else {
            throw BackendError(.invalid, "a gateway has one port from 1 to 65535, the same at each of its addresses.")
        }
        if let entry = additions.entries.first(where: { AdvertisedFacts.keys.contains($0.key.lowercased()) }) {
            throw BackendError(.invalid, "the gateway itself answers for the TXT entry \(entry.key); leave it out.")
        }
        // The rest of the record has at most 340 bytes, and the whole record has a limit.
        let length = additions.entries.reduce(0) { $0 + $1.key.utf8.count + ($1.value?.count ?? 0) + 2 }
        guard length <= 8_000, additions.entries.count <= 48 else {
            throw BackendError(.invalid, "at most 48 more TXT entries of 8,000 bytes together can be added.")
        }
    }
}
