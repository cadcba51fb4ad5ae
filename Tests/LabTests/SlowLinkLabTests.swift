import Foundation
import Glibc
import Testing

extension LabTests {
    /// Gateways behind a link that is slow, such as a tunnel to another continent, or that loses packets.
    @Suite struct SlowLinkLabTests {
        /// Two hosts with a slow link between them.
        private struct Link: Sendable {
            let near: LabHost
            let far: LabHost

            /// The far host's address on that link.
            let address: String

            init(_ name: String, near: LabHost.Kind, far: LabHost.Kind, lan: Int, _ quality: [String]) async throws {
                // The hosts are in different LANs, so that only the slow link connects them.
                let hosts = try await [
                    LabHost.add("near-\(name)", near, lan: lan), LabHost.add("far-\(name)", far, lan: lan + 1),
                ]
                address = "10.220.\(lan).2"
                let relay = try LabProcess(
                    [Lab.tool("slow-link"), hosts[0].name, "10.220.\(lan).1/24", hosts[1].name, "\(address)/24"]
                        + quality
                )
                _ = try await relay.line(within: .seconds(10), "message that the link is ready") { $0 == "ready" }
                // The values are created anew, so that they include the addresses of that link.
                self.near = try await LabHost(hosts[0].name, near)
                self.far = try await LabHost(hosts[1].name, far)
            }
        }

        /// Starts a gateway without TLS, and another one behind a TLS terminator.
        private static func startGateways(_ link: Link, _ name: String) async throws {
            try await LabGateway("\(name) plain", on: link.far).start(port: 4_000)
            try await LabGateway("\(name) TLS", on: link.far, listen: "127.0.0.1", ["--no-advertise"]).start(
                port: 4_200
            )
            let tls = try Lab.start(on: link.far.name, Lab.tool("tls-terminator"), "4300", "4200")
            _ = try await tls.line(within: .seconds(20), "message that it listens") { $0 == "ready" }
            let command = [
                Lab.clawradar, "advertise", "--name", "\(name) TLS", "--port", "4300", "--txt", "gatewayTls=1",
            ]
            let advertiser = try Lab.start(on: link.far.name, command)
            _ = try await advertiser.line(within: .seconds(20), "message that it is published") {
                $0.contains("published")
            }
        }

        @Test func aGatewayBehindASlowLinkIsRecognizedAndAnswers() async throws {
            var tries: [(near: LabHost.Kind, far: LabHost.Kind)] = [(.bare, .avahi)]
            if Lab.isLong { tries.append((.avahi, .bare)) }
            for (offset, kinds) in tries.enumerated() {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, milliseconds) in [100, 400, 800].enumerated() {
                        group.addTask {
                            let link = try await Link(
                                "\(milliseconds)-\(kinds.near)",
                                near: kinds.near,
                                far: kinds.far,
                                lan: 50 + 10 * offset + 2 * index,
                                ["--delay", "\(milliseconds / 2)"]
                            )
                            try await Self.play(link, "After \(milliseconds) ms")
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        private static func play(_ link: Link, _ name: String) async throws {
            try await startGateways(link, name)
            let expectations = ["plain", "TLS"].map { LineExpectation("\(name) \($0)", on: link.far, .found) }
            let watch = try LineWatch(on: link.near)
            let scan = try await Lab.run(
                on: link.near.name,
                Lab.clawradar,
                "scan",
                "--format",
                "json",
                "--timeout",
                "10"
            )
            let findings = try FindingsOutput(scan.output)
            for expectation in expectations {
                let row = findings.gateway(expectation.gateway)
                #expect(row?.dialect == "optaplus", "\(expectation.gateway): scan says \(scan.output)")
                #expect(row?.liveness == "answering", "\(expectation.gateway)")
            }
            for target in ["\(link.address):4000", "wss://\(link.address):4300"] {
                let probe = try await Lab.run(on: link.near.name, Lab.clawradar, "probe", target)
                #expect(probe.status == 0, "\(name), probe \(target): \(probe.output) \(probe.errors)")
                #expect(probe.output.contains("gateway “\(name)"), "\(probe.output)")
            }
            let nothing = Scenario(expectations: expectations)
            try await Scenario.play([nothing], watchedBy: [watch], for: .seconds(Lab.isLong ? 60 : 15))
        }

        @Test(
            "a link that loses one packet in ten makes no gateway gone",
            .enabled(if: Lab.isLong, "it takes ten minutes: set CLAWRADAR_LAB_LONG")
        )
        func packetLossMakesNoGatewayGone() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, near) in LabHost.Kind.allCases.enumerated() {
                    group.addTask {
                        let link = try await Link(
                            "lossy-\(near)",
                            near: near,
                            far: .avahi,
                            lan: 80 + 2 * index,
                            ["--loss", "10", "--delay", "1"]
                        )
                        let design = LabGateway("Kept", on: link.far)
                        let openClaw = LabGateway("Asked", on: link.far, ["--dialect", "openclaw"])
                        try await design.start(port: 4_000)
                        try await openClaw.start(port: 4_001)
                        let watch = try LineWatch(on: link.near)
                        try await watch.found(["Kept", "Asked"])
                        try await Scenario.letTimePass(.seconds(600))
                        try await watch.stop()
                        for (name, most) in [("Kept", 2), ("Asked", 6)] {
                            let lines = watch.lines.filter { $0.name == name }
                            let facts = lines.flatMap(\.facts)
                            let ofPaths = lines.flatMap(\.details).count { $0.contains(" suspect") }
                            let suspects = facts.count { $0 == "~ suspect" }
                            print(
                                "10 % loss for ten minutes, on \(near): \(name) was suspect \(suspects) times, "
                                    + "single paths \(ofPaths) times"
                            )
                            #expect(suspects <= most, "\(name), on \(near): \(facts)")
                            #expect(
                                !facts.contains { $0 == "~ gone" || $0.hasPrefix("- ") },
                                "\(name), on \(near): \(facts)"
                            )
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
