import DNSSD
import Discovery
import Foundation
import GatewayProtocol
import Logging
import ReferenceGateway

/// Runs gateways side by side and advertises each, until it is killed. Prints `ready` when all are published.
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
        let backend = try Backends.system()
        let (published, publish) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                let name = "\(arguments[3]) \(index)"
                let port = port + UInt16(index)
                group.addTask { try await run(name, port: port, backend) { publish.yield() } }
            }
            var left = count
            for await _ in published {
                left -= 1
                if left == 0 { break }
            }
            print("ready")
            fflush(nil)
            try await group.waitForAll()
        }
    }

    private static func run(
        _ name: String,
        port: UInt16,
        _ backend: any ServiceBackend,
        published: @escaping @Sendable () -> Void
    ) async throws {
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
        let txt = try GatewayAdvertisement.txtRecord(fingerprint: fingerprint, name: name, bots: 1, version: 3)
        try await GatewayServer.withServer(state, configuration, logger: logger) { server in
            let advertiser = try Advertiser(
                Advertisement(name: name, types: [.openClaw], port: server.endpoint.port, txt: txt),
                backend: backend
            )
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await advertiser.run() }
                for await state in advertiser.states {
                    if case .published = state { break }
                }
                published()
                await group.waitForAll()
            }
        }
    }
}
