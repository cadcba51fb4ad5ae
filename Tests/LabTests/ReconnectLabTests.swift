import Testing

extension LabTests {
    /// A device that is paired with gateways that restart and move: how soon its sessions are connected again, and
    /// where they must not connect.
    ///
    /// With `CLAWRADAR_LAB_LONG` every change happens ten times, and the medians are checked as well.
    @Suite struct ReconnectLabTests {
        /// A change that affects all gateways of a host.
        private struct Change: Sendable {
            let title: String
            /// The address of the gateways after the change.
            let address: String
            var isOtherPort = false
            /// Indicates whether the gateways go on running during the change.
            var isLive = false
            /// The kinds of pairing, by the names of their gateways, that do not follow the gateway to the new address.
            /// Their sessions become *moved*, and nothing is sent.
            var notFollowedBy: Set<String> = []
            /// The kinds of pairing that prefer the place of pairing to the new one, and give it a head start of 1.75 s.
            var preferringTheirPlace: Set<String> = []
            /// Makes the change, and returns for each gateway the time at which it was back.
            let play: @Sendable () async throws -> [ContinuousClock.Instant]

            /// Returns the time after the change within which a kind of pairing must be connected again.
            func limit(for kind: String) -> Duration {
                preferringTheirPlace.contains(kind) ? .milliseconds(4_750) : .seconds(3)
            }
        }

        private static let rounds = Lab.isLong ? 10 : 1
        private static let otherPort = 50

        @Test func sessionsFollowTheirGateways() async throws {
            let host = try await LabHost.add("followed", .bare, lan: 45, interfaces: 2)
            let router = try await LabHost.add("followed-router", .bare, lan: 45)
            let deviceHost = try await LabHost.add("followed-device", .avahi, lan: 45, interfaces: 2)
            try await Lab.control("link", host.name, "eth1", "down")
            try await deviceHost.ip("route add default via \(router.address) dev eth0")
            let folder = try ScratchFolder()
            let token = try SecretFile(folder.path("token"))
            let kinds = PairedKind.all(token: token)
            let logs = kinds.map { SecretLogFile(folder.path("received by \($0.name)")) }
            let gateways = zip(kinds, logs).map { $0.gateway(on: host, in: folder, log: $1) }
            _ = try await Self.start(gateways, kinds)
            let device = try LabDevice(on: deviceHost)
            for kind in kinds { try await device.pair(kind.name, kind.pairingOptions) }
            let tokens = try await device.tokens()
            #expect(Set(tokens).count == kinds.count)
            let announcements = try await Announcements(of: kinds.map(\.name), on: deviceHost)
            let watch = try SessionWatch(of: device, ["--verbose"])
            for kind in kinds { #expect(try await watch.settles(kind.name, "connected"), "\(kind.name)") }

            let changes = try await Self.changes(of: host, gateways, kinds)
            var figures = [[[Duration]]](
                repeating: [[Duration]](repeating: [], count: kinds.count),
                count: changes.count
            )
            for _ in 0..<Self.rounds {
                for (index, change) in changes.enumerated() {
                    // A short pause, so that the change does not coincide with the reconnection after the previous one.
                    try await Scenario.letTimePass(.seconds(1))
                    let began = ContinuousClock.now
                    let received = logs.map(\.lines.count)
                    let back = try await change.play()
                    for (column, kind) in kinds.enumerated() {
                        let place = "\(change.address):\(kind.port + (change.isOtherPort ? Self.otherPort : 0))"
                        let isLeftBehind = change.notFollowedBy.contains(kind.name)
                        let (state, path) = isLeftBehind ? ("moved", nil) : ("connected", place)
                        guard let time = try await watch.first(kind.name, state, at: path, after: began) else {
                            Issue.record(
                                """
                                \(change.title): \(kind.name) is not \(state)
                                \(watch.transcript(of: kind.name, since: began))
                                \(watch.lastLog)
                                """
                            )
                            continue
                        }
                        // A gateway that runs on announces its new address after probing for its names (RFC 6762 §8.1).
                        // The printed figures begin with that announcement, before which the session may be connected;
                        // the limit includes the probing.
                        let announced = announcements.first(of: kind.name, from: change.address, after: began)
                        let start = change.isLive ? announced ?? back[column] : back[column]
                        figures[index][column].append(max(.zero, time - start))
                        #expect(
                            time - back[column] <= change.limit(for: kind.name),
                            "\(change.title): \(kind.name)\n\(watch.transcript(of: kind.name, since: began))"
                        )
                        guard isLeftBehind else { continue }
                        #expect(logs[column].lines.count == received[column], "\(change.title): sent to \(kind.name)")
                    }
                }
            }
            try await watch.stop()
            try await announcements.stop()
            print(Self.table(changes, kinds, figures))
            for (change, row) in zip(changes, figures) {
                for (kind, figures) in zip(kinds, row) where Lab.isLong && !change.notFollowedBy.contains(kind.name) {
                    let limit = change.limit(for: kind.name) - .milliseconds(1_500)
                    #expect(Self.median(figures) ?? .zero <= limit, "\(change.title): \(kind.name)")
                }
            }
            // The pairings and their tokens are still the same: the device has not paired again.
            #expect(try await device.tokens() == tokens)
            _ = try await gateways.atOnce { try await $0.stop() }
        }

        // MARK: Changes

        private static func changes(
            of host: LabHost,
            _ gateways: [LabGateway],
            _ kinds: [PairedKind]
        ) async throws -> [Change] {
            let (home, elsewhere) = (host.address, Scenario.otherAddress(of: host))
            let secondLink = try await Lab.address(host.name, "eth1")
            let restart = { @Sendable (hostName: String?, port: Int) in
                _ = try await gateways.atOnce { try await $0.stop() }
                if let hostName { _ = try await Lab.run(on: host.name, "hostname", hostName) }
                return try await start(gateways, kinds, offset: port)
            }
            let live = { @Sendable (play: @Sendable () async throws -> Void) in
                try await play()
                return [ContinuousClock.Instant](repeating: .now, count: gateways.count)
            }
            return [
                Change(title: "stopped and started", address: home) { try await restart(nil, 0) },
                Change(title: "another host name", address: home) { try await restart("renamed", 0) },
                Change(title: "its host name again", address: home) { try await restart(host.name, 0) },
                Change(title: "another port", address: home, isOtherPort: true, notFollowedBy: ["Address"]) {
                    try await restart(nil, otherPort)
                },
                Change(title: "its port again", address: home) { try await restart(nil, 0) },
                Change(
                    title: "another address",
                    address: elsewhere,
                    isLive: true,
                    notFollowedBy: ["Address"],
                    preferringTheirPlace: ["Lan"]
                ) {
                    try await live { try await Scenario.changeAddress(of: host) }
                },
                Change(title: "its address again", address: home, isLive: true) {
                    try await live { try await Scenario.changeAddress(of: host, from: elsewhere, to: home) }
                },
                Change(
                    title: "another interface",
                    address: secondLink,
                    isLive: true,
                    notFollowedBy: ["Address", "Lan"]
                ) {
                    try await live { try await move(host, from: "eth0", to: "eth1") }
                },
                Change(title: "its interface again", address: home, isLive: true) {
                    try await live { try await move(host, from: "eth1", to: "eth0") }
                },
                // The device now knows former addresses, where nothing answers. They must not delay the sessions.
                Change(title: "stopped and started once more", address: home) { try await restart(nil, 0) },
            ]
        }

        private static func start(
            _ gateways: [LabGateway],
            _ kinds: [PairedKind],
            offset: Int = 0
        ) async throws -> [ContinuousClock.Instant] {
            try await Array(zip(gateways, kinds)).atOnce { try await $0.start(port: $1.port + offset) }
        }

        private static func move(_ host: LabHost, from old: String, to new: String) async throws {
            try await Lab.control("link", host.name, old, "down")
            try await Lab.control("link", host.name, new, "up")
        }

        // MARK: Figures

        private static func median(_ figures: [Duration]) -> Duration? {
            guard !figures.isEmpty else { return nil }
            let sorted = figures.sorted()
            return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        }

        private static func table(_ changes: [Change], _ kinds: [PairedKind], _ figures: [[[Duration]]]) -> String {
            func seconds(_ duration: Duration?) -> String {
                guard let duration else { return "never" }
                let thousandths = duration / .milliseconds(1)
                return "\((thousandths / 10).rounded() / 100)"
            }
            var table = TextTable(
                heading: ["median (longest) of \(rounds), s from the announcement"] + kinds.map(\.title)
            )
            for (change, row) in zip(changes, figures) {
                let cells = zip(kinds, row).map { kind, figures in
                    let state = change.notFollowedBy.contains(kind.name) ? "moved " : ""
                    return "\(state)\(seconds(median(figures))) (\(seconds(figures.max())))"
                }
                table.rows.append([change.title] + cells)
            }
            return table.text
        }
    }
}
