import Foundation
import Glibc
import Testing

extension LabTests {
    /// Many services at one address, most of them forged: real gateways must be found all the same, and endpoints that
    /// were not probed yet must tell why.
    @Suite struct StrangersLabTests {
        /// A crowd of forged services at the address of a gateway, on a LAN of its own.
        private struct Crowd: Sendable, CustomTestStringConvertible {
            let name: String
            let kind: LabHost.Kind
            let lan: Int
            let count: Int
            let rate: Int
            var isSourceForged = false
            var hasManyHosts = false
            var limit = Duration.seconds(5)

            var testDescription: String { name }

            /// The maximum number of connections per minute to an address that the scanner's budget permits because of
            /// these services.
            var connections: Int { isSourceForged ? 300 : 60 }
        }

        private static func crowds(_ kind: LabHost.Kind, lan: Int) -> [Crowd] {
            var crowds = [
                Crowd(name: "thousand-\(kind)", kind: kind, lan: lan, count: 1_000, rate: 500),
                Crowd(name: "fresh-\(kind)", kind: kind, lan: lan + 1, count: 1_600, rate: 200),
                Crowd(name: "hosts-\(kind)", kind: kind, lan: lan + 2, count: 1_600, rate: 200),
                // If the source address is forged too, it may take a minute to find the gateway.
                Crowd(name: "forged-\(kind)", kind: kind, lan: lan + 3, count: 1_000, rate: 500),
            ]
            crowds[2].hasManyHosts = true
            crowds[3].isSourceForged = true
            crowds[3].limit = .seconds(60)
            return crowds
        }

        @Test func aGatewayBehindManyForgedServicesIsFound() async throws {
            let crowds =
                Lab.isLong
                ? Self.crowds(.avahi, lan: 40) + Self.crowds(.bare, lan: 44)
                : Array(Self.crowds(.bare, lan: 40).prefix(3))
            for crowd in crowds { try await Self.play(crowd) }
        }

        private static func play(_ crowd: Crowd) async throws {
            let hosts = try await LabHost.add(
                [
                    ("hidden-\(crowd.name)", crowd.kind, 1), ("liar-\(crowd.name)", .bare, 1),
                    ("finder-avahi-\(crowd.name)", .avahi, 1), ("finder-bare-\(crowd.name)", .bare, 1),
                ],
                lan: crowd.lan
            )
            let watches = try hosts[2...3].map { try RowWatch(on: $0) }
            let liar = try Lab.start(
                on: hosts[1].name,
                [Lab.tool("mdns-strangers"), hosts[0].address, "--count", "\(crowd.count)", "--rate", "\(crowd.rate)"]
                    + (crowd.hasManyHosts ? ["--hosts"] : [])
                    + (crowd.isSourceForged ? ["--source", hosts[0].address] : [])
            )
            _ = try await liar.line(within: .seconds(10), "message that it is ready") { $0 == "ready" }
            // At their end, the scans list the services that were not probed; forged services do not answer.
            let scans = try hosts[2...3].map {
                try Lab.start(on: $0.name, Lab.clawradar, "scan", "--format", "json", "--timeout", "5")
            }
            // The gateway starts while the forged services are being announced, or after the last of them.
            if crowd.rate == 200 {
                try await Scenario.letTimePass(.seconds(3))
            } else {
                _ = try await liar.line(within: .seconds(20), "message that all are sent") { $0 == "sent" }
            }
            let gateway = LabGateway("True \(crowd.name)", on: hosts[0])
            let start = try await gateway.start(port: 4_000)
            for watch in watches {
                let place = "\(crowd.name), on \(watch.host.kind)"
                let line = try? await watch.process.line(within: crowd.limit + .seconds(5), "the real gateway") {
                    GatewayEvent($0)?.gateway.name == gateway.name
                }
                guard let line else {
                    Issue.record("\(place): the real gateway was not found within \(crowd.limit)")
                    continue
                }
                let delay = line.time - start
                print("\(place): found \(delay) after it was published")
                #expect(delay < crowd.limit, "\(place)")
            }
            for (scan, host) in zip(scans, hosts[2...3]) {
                let findings = try FindingsOutput(try await scan.finish(within: .seconds(20)).output)
                let waiting = findings.others.map(\.reason).filter { $0.hasPrefix("not asked yet") }
                let place = "\(crowd.name), on \(host.kind)"
                // If the daemon has reported only few of the services so far, all may have been probed.
                let reported = findings.others.count
                #expect(
                    !waiting.isEmpty || reported <= crowd.connections,
                    "\(place): \(reported) services at one address are no gateways, and none waits for its probe"
                )
                let unexplained = waiting.count(where: Self.isWithoutReason)
                #expect(unexplained == 0, "\(place): \(unexplained) of \(waiting.count) do not tell why they wait")
            }
            for watch in watches { try await watch.stop() }
        }

        /// Returns whether the text for an endpoint that was not probed yet contains no reason.
        private static func isWithoutReason(_ text: String) -> Bool { text.count < "not asked yet: why".count }

        /// All gateways of this test exist. Probes of all of them take more connections than the budget permits per
        /// minute for endpoints at one address that only unconfirmed records name.
        @Test(arguments: Lab.isLong ? LabHost.Kind.allCases : [.bare])
        func sixtyGatewaysAtOneAddressAreFoundWithinTwoMinutes(kind: LabHost.Kind) async throws {
            let hosts = try await LabHost.add(
                [("farm-\(kind)", .bare, 1), ("counter-\(kind)", kind, 1), ("looker-\(kind)", kind, 1)],
                lan: kind == .avahi ? 48 : 49
            )
            let farm = try Lab.start(on: hosts[0].name, Lab.testTool, "gateway-farm", "60", "5000", "Sixty")
            _ = try await farm.line(within: .seconds(30), "message that all listen") { $0 == "ready" }
            _ = try await Publisher.zeroconf(
                on: hosts[0].name,
                count: 60,
                prefix: "Sixty",
                port: 5_000,
                targets: [hosts[0].address],
                isFarm: true
            )
            let start = ContinuousClock.now
            let watch = try RowWatch(on: hosts[1])
            let scan = try await Lab.run(on: hosts[2].name, Lab.clawradar, "scan", "--format", "json", "--timeout", "3")
            let findings = try FindingsOutput(scan.output)
            let rows = findings.gateways.count + findings.others.count
            #expect(rows == 60, "\(findings.gateways.count) gateways and \(findings.others.count) others, not 60")
            let unexplained = findings.others.map(\.reason).count(where: Self.isWithoutReason)
            #expect(unexplained == 0, "\(unexplained) of \(findings.others.count) do not tell why they wait")
            try await watch.answering("Sixty ", count: 60, within: .seconds(120))
            print("60 gateways at one address, on \(kind): all after \(ContinuousClock.now - start)")
            try await watch.stop()
        }
    }
}
