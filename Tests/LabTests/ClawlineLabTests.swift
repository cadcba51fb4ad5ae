import Foundation
import Testing

extension LabTests {
    /// A Clawline provider, at an address that the user types in: paired, restarted, suspended, moved and revoked.
    @Suite struct ClawlineLabTests {
        @Test func aProviderIsPairedAndKept() async throws {
            let hosts = try await LabHost.add(["provider", "device"].map { ("clawline-\($0)", .bare, 1) }, lan: 41)
            let folder = try ScratchFolder()
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path(""))
            let state = ["--state", folder.path("clawline.json")]
            let gateway = LabGateway("Claw", on: hosts[0], ["--dialect", "clawline"] + state)
            try await gateway.start(port: 18_800, isPublished: false)
            let address = try await Lab.address(hosts[0].name)
            let device = try LabDevice(on: hosts[1])
            let person = LabOperator(host: hosts[0], state: state)

            let pair = ["\(address):18800", "--yes", "--trust", "address", "--name", "Claw"]
            let id = try await person.rejectsAndApproves(device, pair, sentence: "that it was denied")
            let tokens = try await device.tokens()
            try #require(tokens.count == 1)

            let watch = try SessionWatch(of: device)
            _ = try await watch.next("Claw", "connected", at: ":18800", within: .seconds(10))
            try await gateway.stop()
            _ = try await watch.next("Claw", "gone", within: .seconds(10))
            try await gateway.start(port: 18_800, isPublished: false)
            _ = try await watch.next("Claw", "connected", at: ":18800", within: .seconds(40))
            #expect(try await device.tokens() == tokens)

            // It gives no second token to a device that it knows, and that is said.
            let again = try await device.run(["pair"] + pair)
            #expect(again.status != 0 && again.errors.contains("must remove device \(id) first"), "\(again)")

            try await person.decide("revoke", id)
            _ = try await watch.next("Claw", "revoked", within: .seconds(10))
            try await watch.stop()
            #expect(try await device.pairings().isEmpty)
            let log = try #require(try await gateway.stop())
            #expect(!(log.output + log.errors).contains("TOO OFTEN"))
        }

        /// While the network comes and goes for ten minutes, the provider counts no request too many, and the session is
        /// there again in the end.
        @Test(.enabled(if: Lab.isLong, "it takes ten minutes: set CLAWRADAR_LAB_LONG"))
        func itsLimitsAreKeptForTenMinutes() async throws {
            let hosts = try await LabHost.add(["counting", "eager"].map { ("clawline-\($0)", .bare, 1) }, lan: 43)
            let gateway = LabGateway("Count", on: hosts[0], ["--dialect", "clawline", "--approve", "auto"])
            try await gateway.start(port: 18_800, isPublished: false)
            let device = try LabDevice(on: hosts[1])
            try await device.pair("\(hosts[0].address):18800", ["--trust", "address", "--name", "Count"])
            let watch = try SessionWatch(of: device)
            _ = try await watch.next("Count", "connected", within: .seconds(20))
            let end = ContinuousClock.now + .seconds(600)
            var outages = 0
            while ContinuousClock.now < end {
                // Without a reset, a connection outlives a short outage.
                try await hosts[1].ip("address flush dev eth0")
                try await Scenario.flap(hosts[1], down: .seconds(1))
                try await hosts[1].ip("address replace \(hosts[1].address)/16 brd + dev eth0")
                outages += 1
                try await Scenario.letTimePass(.seconds(4))
            }
            #expect(try await watch.settles("Count", "connected", within: .seconds(90)))
            try await watch.stop()
            let log = try #require(try await gateway.stop())
            let text = log.output + log.errors
            let asked = text.ranges(of: "connects as device").count
            print("clawline: \(outages) outages in ten minutes, \(asked) sessions")
            #expect(!text.contains("TOO OFTEN"), "\(text)")
            #expect(asked >= 2 && asked <= 55)
        }
    }
}
