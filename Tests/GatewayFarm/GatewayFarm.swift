import DNSSD
import Foundation
import GatewayProtocol
import Logging
import ReferenceGateway

/// Runs gateways side by side, until it is killed. Prints `ready` when all listen.
///
/// It advertises none of them: fifty daemons that hear of a thousand services each keep two cores busy for minutes.
///
/// usage: gateway-farm COUNT PORT PREFIX
@main
struct GatewayFarm {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[1]), let port = UInt16(arguments[2]) else {
            print("usage: gateway-farm COUNT PORT PREFIX")
            exit(64)
        }
        let (listening, listens) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                let name = "\(arguments[3]) \(index)"
                let port = port + UInt16(index)
                group.addTask { try await run(name, port: port) { listens.yield() } }
            }
            var left = count
            for await _ in listening {
                left -= 1
                if left == 0 { break }
            }
            print("ready")
            fflush(nil)
            try await group.waitForAll()
        }
    }

    private static func run(_ name: String, port: UInt16, listens: @escaping @Sendable () -> Void) async throws {
        guard let fingerprint = GatewayFingerprint("fp \(name)"), let bot = BotID("bot-1") else { return }
        let state = GatewayState(
            fingerprint: fingerprint,
            name: name,
            bots: [BotDescription(id: bot, name: "Jarvis", emoji: "🤖", status: "online")]
        )
        let configuration = GatewayServerConfiguration(
            endpoint: Endpoint(address: .v4(IPv4Address(bits: 0)), port: port)
        )
        let logger = Logger(label: "farm") { _ in SwiftLogNoOpLogHandler() }
        try await GatewayServer.withServer(state, configuration, logger: logger) { _ in
            listens()
            let (never, _) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
        }
    }
}
