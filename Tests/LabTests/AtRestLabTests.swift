import Foundation
import Testing

extension LabTests {
    /// Paired gateways that are as they were at pairing: nobody accuses them, and nobody says that they are away.
    @Suite struct AtRestLabTests {
        private struct Row: Decodable {
            struct Bot: Decodable { let isPaired: Bool }
            let id: String
            let name: String
            let flags: [String]
            let liveness: String?
            let bots: [Bot]
            var isPaired: Bool { bots.contains(where: \.isPaired) }
        }

        /// A line of `watch` or `scan`; lines about services have no gateway.
        private struct Line: Decodable { let gateway: Row? }

        private struct Scan: Decodable { let gateways: [Row] }

        private struct Bots: Decodable {
            struct Bot: Decodable {
                let gatewayName: String
                let state: String
                let isPaired: Bool
            }
            let bots: [Bot]
        }

        private struct Status: Decodable {
            struct Holder: Decodable { let process: Int }
            struct Gateway: Decodable {
                let name: String
                let state: String
                let heldBy: Holder?
            }
            let gateways: [Gateway]
        }

        private static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
            try JSONDecoder().decode(type, from: Data(text.utf8))
        }

        /// The statements of the views about gateways that are as they were.
        private struct Sayings {
            var accusations: [String] = []
            var absences: [String] = []
            var starts: [String: Int] = [:]
        }

        /// Starts of `scan`, `bots`, `watch`, `status` and `connect` beside a pairing of every kind, on devices of both kinds at
        /// once.
        @Test func nothingIsSaidOfThem() async throws {
            _ = try await LabHost.Kind.allCases.atOnce(Self.besideAllKinds)
        }

        private static func besideAllKinds(kind: LabHost.Kind) async throws {
            let folder = try ScratchFolder()
            let lan = kind == .avahi ? 64 : 65
            let host = try await LabHost.add("rest-gateways-\(kind)", .bare, lan: lan)
            let router = try await LabHost.add("rest-router-\(kind)", .bare, lan: lan)
            let deviceHost = try await LabHost.add("rest-device-\(kind)", kind, lan: lan)
            try await deviceHost.ip("route add default via \(router.address) dev eth0")
            let kinds = PairedKind.all(token: try SecretFile(folder.path("token")))
            let gateways = kinds.map { $0.gateway(on: host, in: folder) }
            for (gateway, kind) in zip(gateways, kinds) { try await gateway.start(port: kind.port) }
            let device = try LabDevice(on: deviceHost)
            for kind in kinds { try await device.pair(kind.name, kind.pairingOptions) }
            try await look(at: kinds.map(\.name), with: device, "at rest, \(kind)", rounds: Lab.isLong ? 30 : 3)
        }

        /// The same beside gateways of every kind that have several addresses, or two links of which the device has both.
        @Test func nothingIsSaidOfSeveralPlaces() async throws {
            _ = try await LabHost.Kind.allCases.atOnce(Self.besideSeveralPlaces)
        }

        private static func besideSeveralPlaces(kind: LabHost.Kind) async throws {
            let folder = try ScratchFolder()
            let lan = kind == .avahi ? 2 : 4
            let router = try await LabHost.add("places-router-\(kind)", .bare, lan: lan)
            let deviceHost = try await LabHost.add("places-device-\(kind)", kind, lan: lan, interfaces: 2)
            try await deviceHost.ip("route add default via \(router.address) dev eth0")
            let homes = [
                ("Two", try await LabHost.add("places-addresses-\(kind)", .bare, lan: lan)),
                ("Linked", try await LabHost.add("places-links-\(kind)", .bare, lan: lan, interfaces: 2)),
            ]
            let second = Scenario.otherAddress(of: homes[0].1)
            try await homes[0].1.ip("address add \(second)/16 brd + dev eth0")
            let token = try SecretFile(folder.path("token"))
            let device = try LabDevice(on: deviceHost)
            var names: [String] = []
            for (word, home) in homes {
                for kind in PairedKind.all(token: token).map({ $0.named(word) }) {
                    let gateway = kind.gateway(on: home, in: folder, listen: LabGateway.everywhere)
                    try await gateway.start(port: kind.port)
                    try await device.pair(kind.name, kind.pairingOptions)
                    names.append(kind.name)
                }
            }
            try await look(
                at: names,
                with: device,
                "several places, \(kind)",
                rounds: Lab.isLong ? 30 : 1
            )
        }

        /// The same beside gateways behind one front, which are known to the device by what was typed alone.
        @Test func nothingIsSaidBehindOneFront() async throws {
            _ = try await LabHost.Kind.allCases.atOnce(Self.besideOneFront)
        }

        private static func besideOneFront(kind: LabHost.Kind) async throws {
            let lan = kind == .avahi ? 6 : 7
            let hosts = try await LabHost.add(
                [("fronted-home-\(kind)", .bare, 1), ("fronted-device-\(kind)", kind, 1)],
                lan: lan
            )
            let kinds: [FrontLabTests.Kind] = [
                .optaplus("Attic", 8_440, "/attic/"), .openClaw("Bath", 8_440, "/bath/"), .openClaw("Cellar", 8_441),
                .optaplus("Den", 8_442),
            ]
            let stage = try await FrontStage(home: hosts[0], device: LabDevice(on: hosts[1]), kinds)
            try await stage.eachIsAPairing()
            let (names, typed) = (kinds.map(\.name), stage.typed)
            let title = "behind a front, \(kind)"
            try await look(at: names, typed, with: stage.device, title, rounds: Lab.isLong ? 30 : 1)
            try await stage.stop()
        }

        /// Starts each view again and again, and expects nothing but that all gateways are as they were.
        ///
        /// - Parameters:
        ///   - typed: The options with which `scan` and `watch` ask for those that are not advertised.
        private static func look(
            at names: [String],
            _ typed: [String] = [],
            with device: LabDevice,
            _ title: String,
            rounds: Int
        ) async throws {
            var said = Sayings()
            for _ in 0..<rounds {
                try await scan(device, names, typed, &said)
                try await watch(device, names, typed, &said)
                try await bots(device, names, "paired", &said)
                try await status(device, names, "paired", &said)
                let sessions = try SessionWatch(of: device)
                said.starts["connect", default: 0] += 1
                for name in names {
                    let isConnected = try await sessions.settles(name, "connected", within: .seconds(20))
                    #expect(isConnected, "\(title): \(name) is \(sessions.last(name)?.state ?? "not there")")
                }
                // What another process has connected is connected in every view.
                try await bots(device, names, "connected", &said)
                try await status(device, names, "connected", &said)
                for line in sessions.process.lines {
                    let state = try decode(SessionWatch.Session.self, line.text).state
                    if ["moved", "changed-certificate", "uncertified"].contains(state) {
                        said.accusations.append(line.text)
                    }
                }
                try await sessions.stop()
            }
            print("\(title): \(said.starts), \(said.accusations.count) accusations, \(said.absences.count) absences")
            #expect(said.accusations == [], "\(title)")
            #expect(said.absences == [], "\(title)")
        }

        private static func scan(
            _ device: LabDevice,
            _ names: [String],
            _ typed: [String],
            _ said: inout Sayings
        ) async throws {
            let scan = try await device.run(["scan", "--format", "json"] + typed)
            said.starts["scan", default: 0] += 1
            let rows = try decode(Scan.self, scan.output).gateways
            if rows.count != names.count { said.absences.append("scan: \(rows.map(\.name)) of \(names)") }
            for row in rows {
                if !row.flags.isEmpty { said.accusations.append("scan: \(row.name) \(row.flags)") }
                if row.liveness != "answering" { said.absences.append("scan: \(row.name) \(row.liveness ?? "-")") }
                if !row.isPaired { said.absences.append("scan: \(row.name) is not paired") }
            }
        }

        private static func bots(
            _ device: LabDevice,
            _ names: [String],
            _ state: String,
            _ said: inout Sayings
        ) async throws {
            let bots = try decode(Bots.self, try await device.run(["bots", "--format", "json"]).output).bots
            said.starts["bots", default: 0] += 1
            let missing = Set(names).subtracting(bots.map(\.gatewayName))
            if !missing.isEmpty { said.absences.append("bots: no bot of \(missing)") }
            for bot in bots where bot.state != state || !bot.isPaired {
                said.absences.append("bots: \(bot.gatewayName) \(bot.state), and not \(state)")
            }
            guard state == "paired" else { return }
            let table = try await device.run(["bots"])
            for line in table.output.split(separator: "\n").dropFirst() where !line.hasSuffix(" now") {
                said.absences.append("bots: \(line)")
            }
        }

        private static func status(
            _ device: LabDevice,
            _ names: [String],
            _ state: String,
            _ said: inout Sayings
        ) async throws {
            let shown = try decode(Status.self, try await device.run(["status", "--format", "json"]).output).gateways
            said.starts["status", default: 0] += 1
            if shown.count != names.count { said.absences.append("status: \(shown.map(\.name)) of \(names)") }
            for gateway in shown where gateway.state != state || (gateway.heldBy == nil) != (state == "paired") {
                said.absences.append("status: \(gateway.name) \(gateway.state), and not \(state)")
            }
        }

        private static func watch(
            _ device: LabDevice,
            _ names: [String],
            _ typed: [String],
            _ said: inout Sayings
        ) async throws {
            let watch = try Lab.start(on: device.host.name, device.command(["watch", "--format", "ndjson"] + typed))
            said.starts["watch", default: 0] += 1
            var seen: Set<String> = []
            while seen.count < names.count {
                let line = try await watch.line(within: .seconds(10), "answer \(seen.count + 1) of \(names.count)") {
                    (try? decode(Line.self, $0))?.gateway?.liveness == "answering"
                }
                if let row = try decode(Line.self, line.text).gateway { seen.insert(row.id) }
            }
            // Two seconds, in which it accused gateways until their second answer.
            try await Scenario.letTimePass(.milliseconds(2_500))
            let watched = try await watch.stop(SIGINT)
            for line in watched.output.split(separator: "\n") {
                guard let row = try decode(Line.self, String(line)).gateway else { continue }
                if !row.flags.isEmpty { said.accusations.append("watch: \(row.name) \(row.flags)") }
                if row.liveness == "gone" || row.liveness == "suspect" { said.absences.append("watch: \(line)") }
            }
        }

        /// A watch shows what is paired while it runs, and that a gateway has stopped, once.
        @Test func aWatchLearnsOfPairings() async throws {
            let folder = try ScratchFolder()
            let host = try await LabHost.add("learn-gateway", .bare, lan: 66)
            let deviceHost = try await LabHost.add("learn-device", .avahi, lan: 66)
            let gateway = LabGateway("Late", on: host, isPlain: false, ["--state", folder.path("late")])
            try await gateway.start(port: 4_000)
            let device = try LabDevice(on: deviceHost)
            let watch = try Lab.start(on: deviceHost.name, device.command(["watch", "--format", "ndjson"]))
            func row(_ what: String, _ isMeant: @escaping @Sendable (Row) -> Bool) async throws {
                _ = try await watch.line(within: .seconds(20), what) { text in
                    (try? Self.decode(Line.self, text))?.gateway.map(isMeant) ?? false
                }
            }
            try await row("the gateway") { $0.liveness == "answering" && !$0.isPaired }
            try await device.pair("Late")
            try await row("the paired gateway") { $0.isPaired && $0.flags.isEmpty }
            try await gateway.stop()
            try await row("the gateway that is gone") { $0.isPaired && $0.liveness == "gone" }
            _ = try await watch.stop(SIGINT)
        }
    }
}
