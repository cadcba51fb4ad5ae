public import DNSSD

/// The result of asking an endpoint which gateway it is. It always comes, whatever the endpoint does.
public struct GatewayProbeReport: Hashable, Sendable {
    /// The service that answered, or the reason why nothing did.
    public let verdict: GatewayVerdict

    /// The way on which it answered; `nil` when nothing did.
    public let path: GatewayProbePath?

    /// The steps that were tried, in the order in which they ended.
    public let steps: [GatewayProbeStep]

    /// The time that all of it took.
    public let elapsed: Duration

    /// The time between the question and the answer that told what is there; `nil` when no gateway answered.
    public let roundTrip: Duration?

    /// The time that connecting took on the way on which it answered: one round trip, as near as can be told from here;
    /// `nil` when nothing answered.
    public let connecting: Duration?

    public init(
        verdict: GatewayVerdict,
        path: GatewayProbePath?,
        steps: [GatewayProbeStep],
        elapsed: Duration,
        roundTrip: Duration? = nil,
        connecting: Duration? = nil
    ) {
        self.verdict = verdict
        self.path = path
        self.steps = steps
        self.elapsed = elapsed
        self.roundTrip = roundTrip
        self.connecting = connecting
    }
}

/// A way to a gateway: where to connect, and what stands between.
public struct GatewayProbePath: Hashable, Sendable {
    /// The address and the port that were connected to.
    public let endpoint: Endpoint

    /// The leaf certificate of the peer; `nil` without TLS.
    public let leaf: LeafFingerprint?

    /// Indicates whether the gateway is spoken to through TLS.
    public var isTLS: Bool { leaf != nil }

    public init(endpoint: Endpoint, leaf: LeafFingerprint?) {
        self.endpoint = endpoint
        self.leaf = leaf
    }
}
