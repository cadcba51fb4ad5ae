import DNSSD
import Foundation
import GatewayProtocol
import Logging
import ReferenceGateway

/// Runs many reference gateways in one process, until it is killed. Prints `ready` when all of them listen.
///
/// It advertises none of them: fifty daemons that each hear of a thousand services keep two cores busy for minutes.
///
/// usage: test-tool gateway-farm COUNT PORT PREFIX [FOLDER]
///
/// With a folder, the gateways have TLS, and their certificates and pairings are kept there, so that a farm that is
/// started again has the same gateways.
enum GatewayFarm {
    static func run(_ arguments: [String]) async throws {
        guard (3...4).contains(arguments.count), let count = Int(arguments[0]), let port = UInt16(arguments[1]) else {
            print("usage: test-tool gateway-farm COUNT PORT PREFIX [FOLDER]")
            exit(64)
        }
        let folder = arguments.count == 4 ? arguments[3] : nil
        let (listening, listens) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                let name = "\(arguments[2]) \(index)"
                let port = port + UInt16(index)
                let file = folder.map { StateFile(path: "\($0)/\(name).json") }
                group.addTask { try await run(name, port: port, file) { listens.yield() } }
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

    private static func run(
        _ name: String,
        port: UInt16,
        _ file: StateFile?,
        listens: @escaping @Sendable () -> Void
    ) async throws {
        guard let state = try file?.read() ?? made(name, hasTLS: file != nil) else { return }
        let configuration = GatewayServerConfiguration(
            endpoint: Endpoint(address: .v4(IPv4Address(bits: 0)), port: port),
            certificate: state.certificate,
            file: file
        )
        let logger = Logger(label: "farm") { _ in SwiftLogNoOpLogHandler() }
        try await GatewayServer.withServer(state, configuration, logger: logger) { _ in
            listens()
            let (never, _) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
        }
    }

    private static func made(_ name: String, hasTLS: Bool) throws -> GatewayState? {
        let certificate = hasTLS ? try GatewayCertificate.make(commonName: name) : nil
        // With TLS, the fingerprint is the hash of the certificate, as for real gateways.
        let text = certificate?.fingerprint.description ?? "fp \(name)"
        guard let fingerprint = GatewayFingerprint(text), let bot = BotID("bot-1") else { return nil }
        var state = GatewayState(
            fingerprint: fingerprint,
            name: name,
            bots: [BotDescription(id: bot, name: "Jarvis", emoji: "🤖", status: "online")]
        )
        state.certificate = certificate
        return state
    }
}
