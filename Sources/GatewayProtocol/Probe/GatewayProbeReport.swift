package import DNSSD

/// The result of asking an endpoint which gateway it is. There is always a report, whatever the endpoint does.
package struct GatewayProbeReport: Hashable, Sendable {
    /// The service that answered, or the reason why nothing did.
    package let verdict: GatewayVerdict

    /// The path on which the service answered; `nil` when nothing did.
    package let path: GatewayProbePath?

    /// The steps that were tried, in the order in which they ended.
    package let steps: [GatewayProbeStep]

    /// The time that the whole probe took.
    package let elapsed: Duration

    /// The time between the question and the answer that identified the gateway; `nil` when no gateway answered.
    package let roundTrip: Duration?

    /// The time that connecting took on the path on which the service answered, which is about one round trip; `nil`
    /// when nothing answered.
    package let connecting: Duration?

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - verdict: The service that answered, or the reason why nothing did.
    ///   - path: The path on which the service answered; `nil` when nothing did.
    ///   - steps: The steps that were tried, in the order in which they ended.
    ///   - elapsed: The time that the whole probe took.
    ///   - roundTrip: The time between the question and the gateway's answer; `nil` when no gateway answered.
    ///   - connecting: The time that connecting took on the path; `nil` when nothing answered.
    package init(
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

/// A path to a gateway: the endpoint to connect to, and the certificate that it showed.
package struct GatewayProbePath: Hashable, Sendable {
    /// The address and port that were connected to.
    package let endpoint: Endpoint

    /// The leaf certificate of the peer; `nil` without TLS.
    package let leaf: LeafFingerprint?

    /// Indicates whether the path uses TLS.
    package var isTLS: Bool { leaf != nil }

    /// Creates a path to an endpoint: over TLS with the leaf certificate that was shown, or without TLS if there is
    /// none.
    package init(endpoint: Endpoint, leaf: LeafFingerprint?) {
        self.endpoint = endpoint
        self.leaf = leaf
    }
}
