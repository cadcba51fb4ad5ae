import Clawradar

/// Prints the gateways on the network with their bots, again whenever something changes, until Ctrl-C.
@main
struct ListGateways {
    static func main() async throws {
        let scanner = try GatewayScanner()
        try await runUntilSignal(scanner) {
            for await gateways in scanner.gateways {
                print("\(gateways.count) rows")
                for gateway in gateways where gateway.classification == .gateway {
                    let bots = gateway.bots.map { DisplayText($0.name).text }
                    print("  \(DisplayText(gateway.name)), \(gateway.liveness?.rawValue ?? "not asked"), bots: \(bots)")
                }
            }
        }
    }
}
