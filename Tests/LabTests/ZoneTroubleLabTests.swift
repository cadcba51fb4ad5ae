import Foundation
import Testing

extension LabTests {
    /// Servers of zones that do wrong: each is told with its reason, nothing false is shown, and what multicast brings is not
    /// touched. The server is a double, `Tools/dns-server`.
    @Suite struct ZoneTroubleLabTests {
        /// The behaviours of the double, and what is said of each; `nil` for one of which the truth is shown.
        private static let behaviours: [(name: String, reason: String?)] = [
            ("well", nil), ("guessed", nil), ("slow", "does not answer"), ("cut", "has ended the connection"),
            ("truncated", "cuts its answer also over TCP"), ("lame", "does not serve this domain"),
            ("refused", "refuses the question (REFUSED)"), ("bomb", "sends answers that cannot be read"),
        ]

        @Test func eachIsToldAndNothingFalseIsShown() async throws {
            let hosts = try await LabHost.add(
                [("zone-trouble", .bare, 1), ("zone-trouble-near", .bare, 1), ("zone-trouble-device", .bare, 1)],
                lan: 128
            )
            let (server, near, device) = (hosts[0], hosts[1], hosts[2])
            let gateway = LabGateway("Near", on: near)
            try await gateway.start(port: 4_000)
            let doubles = try await Self.doubles(on: server)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, behaviour) in Self.behaviours.enumerated() {
                    group.addTask {
                        let place = "\(server.address):\(5_400 + index)"
                        try await Self.scan(device, place, behaviour.name, behaviour.reason)
                    }
                }
                try await group.waitForAll()
            }
            for double in doubles { try await double.stop(SIGKILL) }
            try await gateway.stop()
        }

        /// Starts a double for each behaviour, at ports from 5400.
        private static func doubles(on server: LabHost) async throws -> [LabProcess] {
            var doubles: [LabProcess] = []
            for (index, behaviour) in behaviours.enumerated() {
                let command = ["python3", Lab.tool("dns-server"), server.address, "\(5_400 + index)", behaviour.name]
                doubles.append(try Lab.start(on: server.name, command))
            }
            for double in doubles {
                _ = try await double.line(within: .seconds(10), "message of the double") { $0 == "ready" }
            }
            return doubles
        }

        private static func scan(
            _ device: LabHost,
            _ place: String,
            _ behaviour: String,
            _ reason: String?
        ) async throws {
            let command = ["scan", "--no-probe", "--format", "json", "--timeout", "6", "--domain", "zone.test"]
            let result = try await Lab.run(on: device.name, [Lab.clawradar] + command + ["--server", place])
            let output = try ScanOutput(result.output)
            let shown = output.services.map { "\($0.instance) \($0.addresses.filter { $0.hasPrefix("192.") })" }
            #expect(output.service("Near")?.addresses.isEmpty == false, "\(behaviour): \(shown)")
            let others = shown.filter { !$0.hasPrefix("Near") }
            #expect(others == (reason == nil ? [#"True ["192.0.2.7"]"#] : []), "\(behaviour): \(shown)")
            let told = output.warnings.filter { $0.contains("zone.test cannot be browsed: \(place) ") }
            #expect(told.count == (reason == nil ? 0 : 1), "\(behaviour): \(output.warnings)")
            if let reason { #expect(told.first?.contains(reason) == true, "\(behaviour): \(output.warnings)") }
        }
    }
}
