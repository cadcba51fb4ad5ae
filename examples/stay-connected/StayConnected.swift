import Clawradar

/// Stays connected with the gateway that was paired first, sends a request whenever it is connected, and prints what it
/// says of its own accord, until Ctrl-C.
@main
struct StayConnected {
    static func main() async throws {
        let (store, scanner) = (try PairingStore(.standard()), try GatewayScanner())
        let connections = Connections(store: store, constellation: scanner.constellation)
        guard let credential = try store.pairings().first?.credentials.first else { return print("not paired") }
        try await runUntilSignal(scanner, connections) {
            while !Task.isCancelled {
                do {
                    try await connections.withSession(of: credential.id) { session in
                        let answer = try await session.request(session.dialect == .openClaw ? "health" : "ping")
                        let text = String(decoding: answer.json.encoded, as: UTF8.self)
                        print("connected at \(session.path): \(DisplayText(text))")
                        for try await event in session.events { print(DisplayText(event.name)) }
                    }
                } catch let end as SessionEnd { print("disconnected: \(end)") }
            }
        }
    }
}
