import Clawradar
import Logging
import ServiceLifecycle
import UnixSignals

/// Keeps this device connected to the gateways that it is paired with, and prints the states of their bots, until
/// Ctrl-C or SIGTERM.
@main
struct PairedScanner {
    static func main() async throws {
        let store = try PairingStore(.standard())
        let scanner = try GatewayScanner()
        let connections = Connections(store: store, constellation: scanner.constellation)

        let parts: [any Service] = [scanner, connections, BotPrinter(connections: connections)]
        let services = ServiceGroup(
            services: parts,
            gracefulShutdownSignals: [.sigint, .sigterm],
            logger: Logger(label: "paired-scanner")
        )
        Line.print("\(try store.pairings().count) pairings")
        try await services.run()
    }
}
