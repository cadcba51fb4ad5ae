import DNSSD
import Foundation
import GatewayClient
import GatewayProtocol
import HostSystem
import Logging
import Pairing
import Scanning

/// The program of `scripts/bench sessions`. Its store is the one that the environment names.
///
/// `test-tool session-bench pair` pairs with the gateways whose addresses and ports are the lines of its input, and
/// prints `paired N`. `test-tool session-bench keep` keeps the sessions of a daemon that discovers nothing, with the
/// stored endpoints alone. It prints a line of JSON for each state of a session, with the keys of `clawradar connect`.
enum SessionBench {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 1 else { usage() }
        _ = ProcessLimits.raise()
        let store = try PairingStore(.standard())
        switch arguments[0] {
        case "pair": try await pair(store)
        case "keep": try await keep(store)
        default: usage()
        }
    }

    private static func usage() -> Never {
        print("usage: test-tool session-bench pair|keep")
        exit(64)
    }

    // MARK: Pairing

    /// The maximum number of pairings at once.
    private static let pairingsAtOnce = 8

    private static func pair(_ store: PairingStore) async throws {
        var endpoints: [Endpoint] = []
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 2, let address = IPAddress(String(words[0])), let port = UInt16(words[1]) else {
                usage()
            }
            endpoints.append(Endpoint(address: address, port: port))
        }
        // What is measured are the sessions: that a machine is too busy to answer within a second does not matter here.
        var probe = GatewayProbeConfiguration(duration: .seconds(30))
        (probe.limits.connecting, probe.limits.duration) = (.seconds(10), .seconds(10))
        let coordinator = PairingCoordinator(
            store: store,
            constellation: Constellation(),
            configuration: PairingConfiguration(version: "bench", probe: probe),
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
        var waiting = endpoints[...]
        try await withThrowingTaskGroup(of: Void.self) { group in
            func next() {
                guard let endpoint = waiting.popFirst() else { return }
                group.addTask {
                    let target = PairingTarget(place: .endpoints([endpoint]), dialect: .optaplus, transports: .tlsOnly)
                    _ = try await coordinator.pair(target) { state in
                        if case .confirming = state { .confirm(PairingConsent()) } else { nil }
                    }
                }
            }
            for _ in 0..<pairingsAtOnce { next() }
            while try await group.next() != nil { next() }
        }
        print("paired \(try store.pairings().count)")
    }

    // MARK: Sessions

    private static func keep(_ store: PairingStore) async throws {
        let connections = Connections(store: store, constellation: Constellation())
        async let running: Void = connections.run()
        for await event in connections.events {
            switch event {
            case .snapshot(let sessions): for session in sessions { show(session) }
            case .changed(let session): show(session)
            case .removed: break
            }
        }
        try await running
    }

    private static func show(_ session: SessionSnapshot) {
        let state = session.detail.isConnected ? "connected" : "disconnected"
        let line: JSONValue = .object([
            "event": "session", "name": .string(session.gatewayName), "state": .string(state),
        ])
        print(String(decoding: line.encoded, as: UTF8.self))
        fflush(nil)
    }
}
