import Foundation
import Testing

extension LabTests {
    /// Paired gateways that are as they were at pairing: nobody accuses them, and nobody says that they are away.
    @Suite struct AtRestLabTests {
        private struct Row: Decodable {
            struct Bot: Decodable { let isPaired: Bool }
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

        private static var rounds: Int {
            ProcessInfo.processInfo.environment["CLAWRADAR_LAB_LONG"] == nil ? 3 : 30
        }

        /// Starts of `scan`, `bots`, `watch`, `status` and `connect` beside a pairing of every kind.
        @Test(arguments: LabHost.Kind.allCases) func nothingIsSaidOfThem(kind: LabHost.Kind) async throws {
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
            let names = Set(kinds.map(\.name))

            var accusations: [String] = []
            var absences: [String] = []
            var starts: [String: Int] = [:]
            func look(_ verb: String, _ row: Row) {
                if !row.flags.isEmpty { accusations.append("\(verb): \(row.name) \(row.flags)") }
            }
            for _ in 0..<Self.rounds {
                let scan = try await device.run(["scan", "--format", "json"])
                starts["scan", default: 0] += 1
                for row in try Self.decode(Scan.self, scan.output).gateways {
                    look("scan", row)
                    if row.liveness != "answering" { absences.append("scan: \(row.name) \(row.liveness ?? "-")") }
                    if !row.isPaired { absences.append("scan: \(row.name) is not paired") }
                }

                let bots = try await device.run(["bots", "--format", "json"])
                starts["bots", default: 0] += 1
                for bot in try Self.decode(Bots.self, bots.output).bots where bot.state != "paired" || !bot.isPaired {
                    absences.append("bots: \(bot.gatewayName) \(bot.state)")
                }
                let table = try await device.run(["bots"])
                for line in table.output.split(separator: "\n").dropFirst() where !line.hasSuffix(" now") {
                    absences.append("bots: \(line)")
                }

                let watch = try Lab.start(on: deviceHost.name, device.command(["watch", "--format", "ndjson"]))
                starts["watch", default: 0] += 1
                var seen: Set<String> = []
                while seen != names {
                    let line = try await watch.line(within: .seconds(10), "answers of \(names.subtracting(seen))") {
                        (try? Self.decode(Line.self, $0))?.gateway?.liveness == "answering"
                    }
                    if let row = try Self.decode(Line.self, line.text).gateway { seen.insert(row.name) }
                }
                // Two seconds, in which it accused gateways until their second answer.
                try await Scenario.letTimePass(.milliseconds(2_500))
                let watched = try await watch.stop(SIGINT)
                for line in watched.output.split(separator: "\n") {
                    guard let row = try Self.decode(Line.self, String(line)).gateway else { continue }
                    look("watch", row)
                    if row.liveness == "gone" || row.liveness == "suspect" { absences.append("watch: \(line)") }
                }

                let alone = try await device.run(["status", "--format", "json"])
                starts["status", default: 0] += 1
                for gateway in try Self.decode(Status.self, alone.output).gateways where gateway.state != "paired" {
                    absences.append("status: \(gateway.name) \(gateway.state)")
                }

                let sessions = try SessionWatch(of: device)
                starts["connect", default: 0] += 1
                for name in names {
                    let isConnected = try await sessions.settles(name, "connected", within: .seconds(20))
                    #expect(isConnected, "\(name) is \(sessions.last(name)?.state ?? "not there")")
                }
                // What another process has connected is connected in every view.
                let status = try await device.run(["status", "--format", "json"])
                for gateway in try Self.decode(Status.self, status.output).gateways
                where gateway.state != "connected" || gateway.heldBy == nil {
                    absences.append("status beside connect: \(gateway.name) \(gateway.state)")
                }
                let connected = try await device.run(["bots", "--format", "json"])
                for bot in try Self.decode(Bots.self, connected.output).bots where bot.state != "connected" {
                    absences.append("bots beside connect: \(bot.gatewayName) \(bot.state)")
                }
                for line in sessions.process.lines {
                    let state = try Self.decode(SessionWatch.Session.self, line.text).state
                    if ["moved", "changed-leaf", "uncertified"].contains(state) { accusations.append(line.text) }
                }
                try await sessions.stop()
            }
            print("at rest, \(kind): \(starts), \(accusations.count) accusations, \(absences.count) absences")
            #expect(accusations == [])
            #expect(absences == [])
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
