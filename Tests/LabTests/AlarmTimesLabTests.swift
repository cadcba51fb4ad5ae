import Foundation
import Testing

extension LabTests {
    /// How soon `connect` and `status` show that a paired gateway has moved, or shows another certificate.
    ///
    /// With `CLAWRADAR_LAB_LONG` each happens 25 times; with `CLAWRADAR_LAB_AGE`, in processes that have run for so many
    /// minutes.
    @Suite struct AlarmTimesLabTests {
        private static let limit = Duration.seconds(3)
        private static let rounds = Lab.isLong ? 25 : 1

        private struct Status: Decodable {
            struct Gateway: Decodable {
                let name: String
                let state: String
            }
            let gateways: [Gateway]
        }

        /// The times of one kind of alarm.
        private struct Times {
            var connect: [Duration] = []
            var status: [Duration] = []

            func print(_ state: String) {
                for (view, times) in [("connect", connect.sorted()), ("status", status.sorted())] where !times.isEmpty {
                    let within = times.count { $0 <= limit }
                    Swift.print(
                        "\(state), \(view): \(within) of \(times.count) within \(limit), median",
                        "\(times[times.count / 2]), longest \(times[times.count - 1])"
                    )
                }
            }
        }

        @Test func alarmsAreShownInTime() async throws {
            let folder = try ScratchFolder()
            let home = try await LabHost.add("alarm-home", .bare, lan: 8)
            let router = try await LabHost.add("alarm-router", .bare, lan: 8)
            let deviceHost = try await LabHost.add("alarm-device", .bare, lan: 8)
            try await deviceHost.ip("route add default via \(router.address) dev eth0")
            let kinds = PairedKind.all(token: try SecretFile(folder.path("token")))
            let (pinned, plain) = (kinds[0], kinds[1])
            let device = try LabDevice(on: deviceHost)
            let gateways = [pinned.gateway(on: home, in: folder), plain.gateway(on: home, in: folder)]
            for (kind, gateway) in zip([pinned, plain], gateways) {
                try await gateway.start(port: kind.port)
                try await device.pair(kind.name, kind.pairingOptions)
            }
            let other = PairedKind.all(token: try SecretFile(folder.path("other")))[0]
            let renewed = LabGateway(
                pinned.name,
                on: home,
                listen: "0.0.0.0",
                isPlain: false,
                other.gatewayOptions + ["--state", folder.path("renewed.json")]
            )
            let sessions = try SessionWatch(of: device)
            for kind in [pinned, plain] { try await sessions.settled(kind.name, "connected") }
            if Lab.age > 0 { try await Task.sleep(for: .seconds(60 * Lab.age)) }
            var (moved, changed) = (Times(), Times())
            let second = Scenario.otherAddress(of: home)
            for _ in 0..<Self.rounds {
                try await gateways[1].stop()
                try await Scenario.changeAddress(of: home)
                try await Self.time(plain.name, "moved", device, sessions, &moved) {
                    try await gateways[1].start(port: plain.port)
                }
                try await gateways[1].stop()
                try await Scenario.changeAddress(of: home, from: second, to: home.address)
                try await gateways[1].start(port: plain.port)
                for kind in [pinned, plain] { try await sessions.settled(kind.name, "connected") }

                try await gateways[0].stop()
                try await Self.time(pinned.name, "changed-certificate", device, sessions, &changed) {
                    try await renewed.start(port: pinned.port)
                }
                try await renewed.stop()
                try await gateways[0].start(port: pinned.port)
                for kind in [pinned, plain] { try await sessions.settled(kind.name, "connected") }
            }
            moved.print("moved")
            changed.print("changed-certificate")
            for times in [moved, changed] {
                #expect(times.connect.allSatisfy { $0 <= Self.limit }, "connect: \(times.connect)")
                #expect(times.status.allSatisfy { $0 <= Self.limit }, "status: \(times.status)")
            }
            try await sessions.stop()
        }

        /// Measures how long after the start of a gateway both views show its state. `status` is started then, and twice more,
        /// since one that begins before others can know of the gateway cannot find it.
        private static func time(
            _ name: String,
            _ state: String,
            _ device: LabDevice,
            _ sessions: SessionWatch,
            _ times: inout Times,
            start: () async throws -> ContinuousClock.Instant
        ) async throws {
            let before = ContinuousClock.now
            let began = try await start()
            let ends = try await [Duration.zero, .milliseconds(500), .milliseconds(1_000)].atOnce { delay in
                try await Task.sleep(until: began + delay)
                let shown = try await device.run(["status", "--format", "json"])
                let status = try JSONDecoder().decode(Status.self, from: Data(shown.output.utf8))
                let isShown = status.gateways.contains { $0.name == name && $0.state == state }
                return isShown ? ContinuousClock.now - began : nil
            }
            times.status.append(ends.compactMap(\.self).min() ?? .seconds(99))
            let time = try await sessions.first(name, state, after: before)
            times.connect.append(time.map { max(.zero, $0 - began) } ?? .seconds(99))
        }
    }
}

extension SessionWatch {
    /// Waits until the session with a gateway has a state, which must come.
    fileprivate func settled(_ name: String, _ state: String) async throws {
        let isSettled = try await settles(name, state, within: .seconds(60))
        try #require(isSettled, "\(name) is \(last(name)?.state ?? "-")\n\(lastLog)")
    }
}
