internal import CoreMetrics

/// The counters of all connections to gateways, made once for the process.
struct ClientMetrics: Sendable {
    /// Made with the first connection: the program has chosen where metrics go by then.
    static let shared = ClientMetrics()

    let connections = Counter(label: "clawradar_gateway_connections_total")
    let receivedBytes = Counter(label: "clawradar_gateway_received_bytes_total")
    private let failures: [GatewayConnectionError.Code: Counter] = Dictionary(
        uniqueKeysWithValues: GatewayConnectionError.Code.all.map {
            ($0, Counter(label: "clawradar_gateway_connection_failures_total", dimensions: [("code", $0.name)]))
        }
    )

    /// Counts a connection that did not come about.
    func noteFailure(_ code: GatewayConnectionError.Code) {
        failures[code]?.increment()
    }
}
