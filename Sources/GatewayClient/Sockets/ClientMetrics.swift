internal import CoreMetrics

/// The counters of all connections to gateways, created once for the process.
struct ClientMetrics: Sendable {
    /// The counters of this process, created with the first connection: by then, the program has chosen where metrics
    /// go.
    static let shared = ClientMetrics()

    let connections = Counter(label: "clawradar_gateway_connections_total")
    let receivedBytes = Counter(label: "clawradar_gateway_received_bytes_total")
    private let failures: [GatewayConnectionError.Code: Counter] = Dictionary(
        uniqueKeysWithValues: GatewayConnectionError.Code.allCases.map {
            ($0, Counter(label: "clawradar_gateway_connection_failures_total", dimensions: [("code", $0.rawValue)]))
        }
    )

    /// Counts a connection that could not be established.
    func noteFailure(_ code: GatewayConnectionError.Code) {
        failures[code]?.increment()
    }
}
