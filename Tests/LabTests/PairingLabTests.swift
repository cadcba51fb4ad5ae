import Foundation
import Testing

extension LabTests {
    /// A paired device: its session comes back when the gateway does, and its bots are listed once each.
    @Suite struct PairingLabTests {
        /// A session is connected again within three seconds after its gateway is published again, also at another
        /// port.
        @Test
        func aPairedGatewayComesBack() async throws {
            let gatewayHost = try await LabHost.add("paired-gateway", .avahi, lan: 40)
            let deviceHost = try await LabHost.add("paired-device", .bare, lan: 40)
            let folder = try ScratchFolder()
            let gateway = LabGateway("Paired", on: gatewayHost, isPlain: false, ["--state", folder.path("gateway")])
            try await gateway.start(port: 4_000)
            let device = try LabDevice(on: deviceHost)
            try await device.pair("Paired")
            let tokens = try await device.tokens()
            #expect(tokens.count == 1)

            let watch = try SessionWatch(of: device)
            _ = try await watch.next("Paired", "connected", at: ":4000", within: .seconds(10))
            for (change, port) in [("restarted", 4_000), ("at another port", 4_001)] {
                try await gateway.stop()
                let published = try await gateway.start(port: port)
                let connected = try await watch.next("Paired", "connected", at: ":\(port)", within: .seconds(10))
                print("\(change): connected \(connected - published) after it was published")
                #expect(connected - published <= .seconds(3), "\(change)")
            }
            try await watch.stop()
            // The pairing and its token are still the same: the device has not paired again.
            #expect(try await device.tokens() == tokens)
            try await gateway.stop()
        }

        /// Each bot is one row of `bots`, whether its gateway is paired or not, present or not, or has revoked the
        /// pairing.
        @Test func everyBotIsOneRow() async throws {
            struct Bots: Decodable {
                struct Bot: Decodable, Hashable {
                    let gatewayName: String
                    let state: String
                    let isPaired: Bool
                }
                let bots: [Bot]
            }
            let gatewayHost = try await LabHost.add("row-gateways", .bare, lan: 53)
            let device = try LabDevice(on: try await LabHost.add("row-device", .avahi, lan: 53))
            let folder = try ScratchFolder()
            let names = ["Stranger", "Here", "Away", "Forgetful"]
            let gateways = names.map { name in
                // A gateway without TLS that lost its pairings is still recognized as the same by its fingerprint.
                LabGateway(
                    name,
                    on: gatewayHost,
                    listen: "0.0.0.0",
                    isPlain: name == "Forgetful",
                    ["--fp", "fp-\(name)"]
                )
            }
            let kept = { (name: String) in ["--state", folder.path(name)] }
            for (port, gateway) in gateways.enumerated() {
                try await gateway.start(port: 4_000 + port, kept(gateway.name))
                guard gateway.name != "Stranger" else { continue }
                try await device.pair(gateway.name, gateway.name == "Forgetful" ? ["--trust", "address"] : [])
            }
            try await gateways[2].stop()
            try await gateways[3].stop()
            try await gateways[3].start(port: 4_003)

            let watch = try SessionWatch(of: device)
            for (name, state) in [("Here", "connected"), ("Forgetful", "revoked"), ("Away", "gone")] {
                #expect(try await watch.settles(name, state), "\(name) is \(watch.last(name)?.state ?? "not there")")
            }
            #expect(watch.last("Stranger") == nil)
            try await watch.stop()
            let shown = try await device.run(["bots", "--format", "json"])
            let bots = try JSONDecoder().decode(Bots.self, from: Data(shown.output.utf8)).bots
            let expected = [("Stranger", false), ("Here", true), ("Away", true), ("Forgetful", false)].map {
                name,
                isPaired in
                Bots.Bot(
                    gatewayName: name,
                    state: !isPaired ? "discovered" : name == "Away" ? "gone" : "paired",
                    isPaired: isPaired
                )
            }
            #expect(bots.count == expected.count && Set(bots) == Set(expected), "\(shown.output)")

            // Once it is paired anew, what it has revoked comes back no more: it would be a second row of no use.
            try await device.pair("Forgetful", ["--trust", "address"])
            let restored = try await device.run(["restore", "Forgetful"])
            #expect(restored.status == 1 && restored.errors.contains("nothing was restored"), "\(restored.errors)")
            #expect(try await device.pairings().filter { $0.name == "Forgetful" }.count == 1)
        }
    }
}
