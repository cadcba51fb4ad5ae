internal import DNSSD
internal import GatewayClient

/// One gateway probe of one endpoint that is to run, or runs.
struct ProbeJob: Hashable, Sendable {
    let id: Int
    let endpoint: Endpoint
    let question: GatewayProbeTarget

    /// The connections that were set aside for it.
    let connections: Int
    let standing: ProbeStanding
}
