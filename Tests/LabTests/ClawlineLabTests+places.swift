import Foundation
import Testing

extension LabTests.ClawlineLabTests {
    /// A provider without TLS that another host has under the same address is moved, and gets no token until that is
    /// accepted; and at another address nothing is sent to it until the user says that it is there.
    @Test func aPlainProviderThatMovesGetsNoTokenBeforeTrust() async throws {
        let names = ["provider", "other", "device"]
        let hosts = try await LabHost.add(names.map { ("claw-moved-\($0)", .bare, 1) }, lan: 25)
        let folder = try ScratchFolder()
        let state = ["--state", folder.path("clawline.json")]
        let logs = (0..<3).map { SecretLogFile(folder.path("secrets-\($0)")) }
        func provider(_ host: LabHost, _ log: Int) -> LabGateway {
            let options = ["--dialect", "clawline", "--approve", "auto", "--log-secrets", logs[log].path]
            return LabGateway("Claw", on: host, options + state)
        }
        let address = hosts[0].address
        let first = provider(hosts[0], 0)
        try await first.start(port: 18_800, isPublished: false)
        let device = try LabDevice(on: hosts[2])
        try await device.pair("\(address):18800", ["--trust", "address", "--name", "Claw"])
        let watch = try SessionWatch(of: device)
        _ = try await watch.next("Claw", "connected", within: .seconds(20))
        try await first.stop()
        _ = try await watch.next("Claw", "gone", within: .seconds(20))

        try await hosts[0].ip("address delete \(address)/16 dev eth0")
        try await hosts[1].ip("address add \(address)/16 brd + dev eth0")
        let second = provider(hosts[1], 1)
        try await second.start(port: 18_800, isPublished: false)
        #expect(try await watch.settles("Claw", "moved", within: .seconds(60)), "\(watch.lastLog)")
        #expect(logs[1].lines.isEmpty, "\(logs[1].lines)")
        let trust = ["trust", "Claw", "--trust", "address", "--timeout", "6", "--address"]
        let accepted = try await device.run(trust + ["\(address):18800"])
        #expect(accepted.status == 0, "\(accepted.errors)")
        #expect(try await watch.settles("Claw", "connected", within: .seconds(90)), "\(watch.lastLog)")
        #expect(!logs[1].lines.isEmpty)
        try await second.stop()

        let other = address.split(separator: ".").dropLast().joined(separator: ".") + ".200"
        try await hosts[1].ip("address add \(other)/16 brd + dev eth0")
        try await hosts[1].ip("address delete \(address)/16 dev eth0")
        let third = provider(hosts[1], 2)
        try await third.start(port: 18_800, isPublished: false)
        #expect(try await watch.settles("Claw", "gone", within: .seconds(60)), "\(watch.lastLog)")
        #expect(logs[2].lines.isEmpty)
        let named = try await device.run(trust + ["\(other):18800"])
        #expect(named.status == 0, "\(named.errors)")
        #expect(try await watch.session("Claw", "connected", on: ["\(other):18800"], within: .seconds(90)) != nil)
        try await watch.stop()
        let log = try #require(try await third.stop())
        #expect(!(log.output + log.errors).contains("TOO OFTEN"))
    }

    /// Behind nginx with a certificate of an authority it is paired by its host name, and connects again after the
    /// certificate was renewed.
    @Test func aProviderBehindAFrontIsKnownByItsName() async throws {
        let name = "claw.clawradar.test"
        let hosts = try await LabHost.add([("claw-front", .bare, 1), ("claw-named", .bare, 1)], lan: 26)
        let folder = try ScratchFolder()
        let options = ["--dialect", "clawline", "--approve", "auto", "--state", folder.path("clawline.json")]
        let gateway = LabGateway("Claw", on: hosts[0], listen: "127.0.0.1", options)
        try await gateway.start(port: 18_800, isPublished: false)
        let front = try LabFront(on: hosts[0], named: name, [.init(port: 8_443, path: "/", gatewayPort: 18_800)])
        try await front.certify()
        let device = try LabDevice(on: hosts[1])
        try await FrontStage.know([name], at: hosts[0], by: front.authority, on: hosts[1], folder)
        try await front.start()
        try await device.pair("\(name):8443", ["--name", "Claw"])
        let shown = try await device.run(["pairings", "--format", "json"]).output
        #expect(shown.contains("\"kind\":\"certified\""), "\(shown)")
        let tokens = try await device.tokens()
        let watch = try SessionWatch(of: device, ["--verbose"])
        #expect(try await watch.settles("Claw", "connected", within: .seconds(20)), "\(watch.lastLog)")
        try await front.stop()
        #expect(try await watch.settles("Claw", "gone", within: .seconds(20)), "\(watch.lastLog)")
        let before = try await front.leaf()
        try await front.certify()
        #expect(try await front.leaf() != before)
        try await front.start()
        #expect(try await watch.settles("Claw", "connected", within: .seconds(60)), "\(watch.lastLog)")
        #expect(try await device.tokens() == tokens)
        try await watch.stop()
        try await front.stop()
        try await gateway.stop()
    }

    /// However many processes of one user ask, the provider counts no request too many: those that are one too many wait,
    /// and say for how long.
    @Test func allProcessesOfAUserCountTogether() async throws {
        let hosts = try await LabHost.add(["asked", "asking"].map { ("claw-\($0)", .bare, 1) }, lan: 27)
        let waiting = LabGateway("Waiting", on: hosts[0], ["--dialect", "clawline"])
        try await waiting.start(port: 18_800, isPublished: false)
        let device = try LabDevice(on: hosts[1])
        let pair = ["pair", "\(hosts[0].address):18800", "--yes", "--trust", "address"]
        let pairs = try (0..<8).map { _ in try Lab.start(on: hosts[1].name, device.command(pair)) }
        func count(_ text: String) -> Int { pairs.count { $0.errorText.contains(text) } }
        let areTold = await InProcess.wait(within: .seconds(30)) {
            count("waiting for approval") == 5 && count("as many in a minute as the gateway allows") == 3
        }
        #expect(areTold, "\(pairs.map(\.errorText))")
        #expect(count("It is tried again in 6") == 3, "\(pairs.map(\.errorText))")
        for process in pairs { try await process.stop() }
        let first = try #require(try await waiting.stop())
        let log = first.output + first.errors
        #expect(log.ranges(of: "asks to pair device").count == 5 && !log.contains("TOO OFTEN"), "\(log)")

        let granting = LabGateway("Granting", on: hosts[0], ["--dialect", "clawline", "--approve", "auto"])
        try await granting.start(port: 18_801, isPublished: false)
        try await device.pair("\(hosts[0].address):18801", ["--trust", "address", "--name", "Granting"])
        for number in 1...7 {
            let watch = try SessionWatch(of: device)
            let state = number <= 5 ? "connected" : "waiting"
            #expect(try await watch.settles("Granting", state, within: .seconds(10)), "\(number): \(watch.lastLog)")
            try await watch.stop()
        }
        let second = try #require(try await granting.stop())
        let text = second.output + second.errors
        #expect(text.ranges(of: "connects as device").count == 5 && !text.contains("TOO OFTEN"), "\(text)")
    }
}
