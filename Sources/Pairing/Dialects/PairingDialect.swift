internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// The way in which gateways of one dialect pair.
protocol PairingDialect: Sendable {
    /// Requests a pairing, once.
    ///
    /// - Throws: ``/GatewayProtocol/SessionRefusal``, ``/GatewayClient/GatewayConnectionError`` or ``PairingError``.
    func pair(
        _ attempt: PairingAttempt,
        as device: DeviceDescription,
        through connection: PairingConnection
    ) async throws -> PairingGrant

    /// Gives up the pairing with some bots at the gateway.
    ///
    /// - Throws: The same errors as ``pair(_:as:through:)``.
    func unpair(_ bots: BotSelection, as device: DeviceDescription, through connection: PairingConnection) async throws
}

/// The only access to a gateway for a pairing: a connection to the endpoint and with the certificate that the user
/// consented to, and the check whether a secret may be sent over it.
struct PairingConnection: Sendable {
    let endpoints: [Endpoint]
    let transport: GatewayTransport
    let policy: TrustPolicy

    /// The fingerprint that the gateway has to tell on the connection before anything else is said; `nil` if it has not
    /// to.
    let fingerprint: GatewayFingerprint?

    /// The endpoints at which the gateway was verified, or which the user consented to.
    let knownEndpoints: [Endpoint]

    let limits: ConnectionLimits

    /// The time in milliseconds since 1970.
    let time: Int

    /// Returns the network that leads to an address.
    let network: @Sendable (IPAddress) -> NetworkObservation?

    /// Returns the same, once the kernel has reached the neighbours that matter there.
    let settledNetwork: @Sendable (IPAddress) async -> NetworkObservation?

    /// Shows that the request waits for an approval, of which the gateway will tell on this connection; returns `false`
    /// if the user gives the pairing up.
    var waits: @Sendable (SessionRefusal) async -> Bool = { _ in true }

    /// Throws unless a secret may be sent on this path now.
    ///
    /// A wait for an approval lasts longer than the kernel remembers its neighbours: it is made to reach them again, and
    /// then what it knows at this moment counts; and the word of the tailnet's service, which was just asked.
    func check(_ path: GatewayProbePath) async throws(PairingError) {
        let settled = policy.isPlain ? await settledNetwork(path.endpoint.address) : nil
        let host: String? = if case .certified(let host) = transport { host } else { nil }
        let attempt = TrustAttempt(
            shown: TrustAttempt.Shown(path.leaf, certifiedFor: host),
            endpoint: path.endpoint,
            knownEndpoints: knownEndpoints,
            network: policy.isPlain ? network(path.endpoint.address)?.at(nodeOf: settled) : nil
        )
        try PairingError.check(policy.decision(for: attempt))
    }

    /// Connects, and runs the closure, unless another gateway than the intended one says that it is there.
    func open<Value: Sendable>(_ body: (GatewayConversation) async throws -> Value) async throws -> Value {
        try await GatewayConversation.withConversation(
            to: endpoints,
            transport: transport,
            limits: limits
        ) { gateway in
            if let fingerprint,
                !PairedTerms.decision(told: try await gateway.discover().fingerprint, wanted: fingerprint).isAllowed
            {
                throw PairingError(.anotherGateway, "expected the gateway that was shown, found another one there")
            }
            return try await body(gateway)
        }
    }
}
