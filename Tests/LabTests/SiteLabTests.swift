import Foundation
import Glibc
import Testing

extension LabTests {
    /// An agent publishes the gateways of its LAN in the zone of its site, and whoever browses the domain above finds them.
    @Suite struct SiteLabTests {
        private static let zone = ZonePublishLabTests.zone

        @Test(arguments: ["bind", "knot"])
        func theLANIsInTheZoneWhileItAnswers(kind: String) async throws {
            let hosts = try await LabHost.add(
                ["server", "gateway", "agent"].map { ("site-\(kind)-\($0)", .bare, 1) },
                lan: kind == "bind" ? 129 : 130
            )
            let stage = try await ZonePublishLabTests.Stage(kind, on: hosts[0].name)
            let gateway = LabGateway("Studio", on: hosts[1], ["--fp", "studio"])
            try await gateway.start(port: 4_000)
            // One that the site does not name stays where it is.
            let other = LabGateway("Private", on: hosts[1])
            try await other.start(port: 4_001)

            let config = stage.folder.path("config/clawradar")
            try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
            let key = stage.folder.path("zone/site1.key")
            let setting = "zone: \(Self.zone), key: \(key), server: '\(stage.server)', gateways: [Studio]"
            try "site: {\(setting)}\n".write(
                toFile: config + "/config.yaml",
                atomically: true,
                encoding: .utf8
            )
            let device = try LabDevice(
                on: hosts[2],
                environment: ["RUNTIME_DIR", "CONFIG_HOME"].map { name in
                    "XDG_\(name)=\(stage.folder.path(name == "CONFIG_HOME" ? "config" : "run"))"
                }
            )

            // What would be published, which changes nothing, is what `nsupdate` takes and what the agent publishes.
            let dry = try await device.run(["agent", "--dry-run"])
            #expect(dry.status == 0 && dry.output.contains("Studio."), "\(dry.output) \(dry.errors)")
            #expect(try await stage.records() == [])
            let update = dry.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("server") }
            try await stage.update(update)
            let byHand = try await stage.shape()
            for text in ["SRV", hosts[1].address] { #expect(byHand.contains { $0.contains(text) }, "\(byHand)") }
            try await stage.zone("down")
            try await stage.zone("up", kind, "--address", hosts[0].address)

            let agent = try Lab.start(on: hosts[2].name, device.command(["agent"]))
            try await AgentLabTests.waitForSocket("\(stage.folder.path("run"))/clawradar/agent.sock", agent)
            try await stage.waitFor("what was published by hand") { $0 == byHand }
            let preview = try await device.run(["agent", "--dry-run"])
            #expect(Self.withoutTimes(preview.output) == Self.withoutTimes(dry.output), "\(preview.errors)")

            // The domain above leads to the site.
            let scan = try await device.run([
                "scan", "--no-agent", "--domain", "example.internal", "--server", stage.server, "--format", "json",
            ])
            #expect(scan.output.contains(#""domain":"\#(Self.zone)""#), "\(scan.output) \(scan.errors)")
            #expect(!byHand.joined().contains("Private"))

            // What answers no more is withdrawn, and comes back with its gateway.
            try await gateway.stop(SIGKILL)
            try await stage.waitFor("nothing of the gateway") { lines in !lines.contains { $0.contains("SRV") } }
            try await gateway.start(port: 4_000)
            try await stage.waitFor("the gateway again") { $0 == byHand }
            #expect(try await agent.stop(SIGTERM).status == 0)
            let left = try await stage.records()
            #expect(left.allSatisfy { $0.contains("lb._dns-sd") }, "\(left)")
            try await stage.zone("down")
            for gateway in [gateway, other] { try await gateway.stop() }
        }

        /// The lines of a preview without the time until which a lease is valid.
        private static func withoutTimes(_ text: String) -> [String] {
            text.split(separator: "\n").map { String($0).replacing(/until=\d+/, with: "until") }
        }
    }
}

extension LabTests.ZonePublishLabTests.Stage {
    /// The records without the times of leases, in order.
    fileprivate func shape() async throws -> [String] {
        try await records().map { $0.replacing(/until=\d+/, with: "until") }.sorted()
    }

    fileprivate func waitFor(_ what: String, _ isThere: ([String]) -> Bool) async throws {
        var patience = Patience(.seconds(40))
        while try await !isThere(shape()), patience.isLeft() { try await Task.sleep(for: patience.step) }
        let shape = try await shape()
        #expect(isThere(shape), "expected \(what), found \(shape)")
    }
}
