import Clawradar

// A listing of the README, word for word: change both together.

func listGateways() async throws {
    let scanner = try GatewayScanner()
    try await runUntilSignal(scanner) {
        for await gateways in scanner.gateways {
            for gateway in gateways { print(DisplayText(gateway.name), gateway.liveness?.rawValue ?? "not known") }
        }
    }
}
