import DNSSD
import Discovery
import Foundation
import GatewayProtocol
import UnixSignals

/// Publishes a sample gateway whose number of bots changes, and withdraws it at Ctrl-C or SIGTERM.
@main
struct AdvertiseGateway {
    static func main() async throws {
        let name = CommandLine.arguments.dropFirst().first ?? "Example Gateway"
        let advertiser = try Advertiser(
            Advertisement(name: name, types: [.openClaw], port: 3000, txt: try record(name: name, bots: 1)),
            backend: try Backends.system()
        )

        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Returns when it is cancelled, with everything withdrawn, or when it has failed for good.
                await advertiser.run()
            }
            group.addTask {
                for await _ in signals { break }
            }
            group.addTask { try await changeBots(of: advertiser, name: name) }
            group.addTask {
                for await state in advertiser.states { show(state) }
            }
            // Whatever ends first ends everything.
            try await group.next()
            group.cancelAll()
        }
        if case .failed = advertiser.currentState { exit(1) }
        say("withdrawn")
    }

    /// A new number of bots every three seconds: 1, 2, 3, 1, …
    private static func changeBots(of advertiser: Advertiser, name: String) async throws {
        var bots = 1
        while true {
            try await Task.sleep(for: .seconds(3))
            guard case .published = advertiser.currentState else { continue }
            bots = bots % 3 + 1
            // Only the TXT record changes: nothing is withdrawn, and nobody sees the gateway go and come.
            try advertiser.update(txt: record(name: name, bots: bots))
            say("bots: \(bots)")
        }
    }

    private static func record(name: String, bots: Int) throws -> TXTRecord {
        try GatewayAdvertisement.txtRecord(
            fingerprint: GatewayFingerprint("example-fingerprint"),
            name: name,
            bots: bots,
            version: 3
        )
    }

    private static func show(_ state: PublicationState) {
        switch state {
        case .withdrawn: break
        case .publishing(waitingFor: nil): say("publishing …")
        case .publishing(waitingFor: let trouble?): say("waiting: \(trouble)")
        case .published(let name): say("published as “\(name)”")
        case .renamed(let from, let to): say("“\(from)” is taken; trying “\(to)”")
        case .failed(let error): say("failed: \(error)")
        }
    }

    /// Prints a line at once, also into a pipe.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
