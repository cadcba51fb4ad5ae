import Clawradar

/// Pairs this device with the gateway of a name, once it has shown it and the user has agreed.
@main
struct PairGateway {
    static func main() async throws {
        let name = CommandLine.arguments.dropFirst().first ?? "Home Gateway"
        let scanner = try GatewayScanner()
        let coordinator = PairingCoordinator(store: try PairingStore(.standard()), constellation: scanner.constellation)
        try await runUntilSignal(scanner) {
            for await gateways in scanner.gateways {
                let found = gateways.first { $0.name == name }
                guard let target = found.flatMap({ PairingTarget($0) }) else { continue }
                let id = try await coordinator.pair(target) { state in
                    guard case .confirming(let offer) = state else { return nil }
                    let leaf = offer.leaf?.description ?? "-"
                    print("\(DisplayText(offer.name)) at \(offer.endpoint), certificate \(leaf)")
                    print("Pair with it? [y/N]")
                    return readLine() == "y" ? .confirm(PairingConsent()) : .cancel
                }
                return print("paired: \(id)")
            }
        }
    }
}
