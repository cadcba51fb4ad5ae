import Foundation
import GatewayProtocol
import Glibc
import Reports
import Testing

extension LabTests {
    /// The alarm about a gateway that the user has named or paired, while somebody on the LAN wants to keep it back: the death
    /// is told within ten seconds, nothing else is taken for a return, and the history is true.
    @Suite struct PresenceLabTests {
        /// A way to keep the alarm back.
        private enum Attack: String, CaseIterable, Sendable {
            /// A record leads the gateway's service to an impostor with its fingerprint, before it dies or after that.
            case forgedPath, forgedAfter
            /// The impostor has a service of its own.
            case copiedFingerprint
            /// An impostor at an address of a tailnet comes and goes, until the messages of the hour are used up.
            case flapping
            /// Hundreds of other gateways appear and die, and all are watched.
            case manyOthers
            /// The impostor takes over the address of the dead gateway.
            case addressTaken
        }

        private struct Case: Sendable {
            let attack: Attack
            let naming: PresenceStage.Naming
            let number: Int
        }

        @Test func deathsAreToldWhoeverAnswersInstead() async throws {
            var cases: [Case] = []
            for attack in Attack.allCases {
                for naming in PresenceStage.Naming.allCases {
                    cases.append(Case(attack: attack, naming: naming, number: cases.count))
                }
            }
            let always = cases.filter {
                $0.attack == .forgedPath || $0.attack == .addressTaken && $0.naming == .address
            }
            let chosen = Lab.isLong ? cases : always
            // On the LANs of those before, whose gateways and agents have ended.
            let lans = [3, 4, 5, 6, 7]
            // Hundreds of gateways keep the machine busy enough for one case.
            let (crowded, quiet) = (
                chosen.filter { $0.attack == .manyOthers }, chosen.filter { $0.attack != .manyOthers }
            )
            let rounds = stride(from: 0, to: quiet.count, by: lans.count).map { Array(quiet[$0...].prefix(lans.count)) }
            for some in rounds + crowded.map({ [$0] }) {
                let lines = try await Array(zip(some, lans)).atOnce { item, lan in
                    do {
                        return try await Self.play(item, lan)
                    } catch {
                        Issue.record("\(item.attack), \(item.naming): \(error)")
                        return "\(error)"
                    }
                }
                for (item, line) in zip(some, lines) { print("presence: \(item.attack), \(item.naming): \(line)") }
            }
        }

        private static func play(_ item: Case, _ lan: Int) async throws -> String {
            let stage = try await PresenceStage(item.naming, lan: lan, name: "p\(item.number)")
            let agent = try await stage.startAgent(
                item.attack == .manyOthers
                    ? ["watch: all", "per-hour: 2"] : item.attack == .flapping ? ["per-hour-and-gateway: 2"] : []
            )
            var end: () async throws -> Void = {}
            if item.attack != .forgedAfter && item.attack != .addressTaken { end = try await begin(item, stage) }
            let (start, died) = (ContinuousClock.now, Timestamp.now)
            try await stage.gateway.stop(SIGKILL)
            if item.attack == .addressTaken { try await Lab.control("link", stage.home.name, "eth0", "down") }
            if item.attack == .forgedAfter { end = try await begin(item, stage) }
            let gone = try await stage.told(["gone"], since: start, within: .seconds(20))
            #expect(gone <= .seconds(10), "\(item.attack), \(item.naming)")
            if item.attack == .addressTaken { end = try await begin(item, stage) }
            // It stays away, whatever answers.
            try await Scenario.letTimePass(.seconds(15))
            #expect(stage.presence == ["gone"], "\(item.attack), \(item.naming): \(stage.messages)")
            let history = try await stage.device.run(["history"]).output
            #expect(history.contains(" lasts "), "\(item.attack), \(item.naming): \(history)")
            try await expectTruth(item, stage)
            try await end()
            if item.attack == .addressTaken {
                try await stage.mallory.ip("address del \(stage.home.address)/16 dev eth0")
                try await Lab.control("link", stage.home.name, "eth0", "up")
            }
            let (revived, returned) = (ContinuousClock.now, Timestamp.now)
            try await stage.revive()
            let back = try await stage.told(["gone", "back"], since: revived, within: .seconds(80))
            try await expectHistory(item, stage, died: died, returned: returned)
            let lasting = try await stage.device.run(["history"]).output.split(separator: "\n").filter {
                $0.contains(" lasts ") && ($0.contains("Home Gateway") || $0.contains("Attic"))
            }
            #expect(lasting.isEmpty, "\(item.attack), \(item.naming): \(lasting)")
            try await agent.stop()
            try await stage.gateway.stop()
            return "gone after \(gone), back after \(back)"
        }

        /// Checks that the history has the one outage, with the times of the death and the return, and the share that follows.
        private static func expectHistory(
            _ item: Case,
            _ stage: PresenceStage,
            died: Timestamp,
            returned: Timestamp
        ) async throws {
            let told = Timestamp.now
            let history = try await stage.history()
            let what: Comment = "\(item.attack), \(item.naming): \(history)"
            func time(_ value: JSONValue?) throws -> Timestamp {
                try #require(value?.string.flatMap { Timestamp($0) }, what)
            }
            let (gateways, outages) = (
                stage.own(history["gateways"], "name"), stage.own(history["outages"], "gatewayName")
            )
            try #require(gateways.count == 1 && outages.count == 1, what)
            let (began, ended) = (try time(outages[0]["began"]), try time(outages[0]["ended"]))
            // It begins with the last answer that came, or with the first that did not.
            #expect(abs(began.milliseconds - died.milliseconds) < 10_000, what)
            #expect(ended >= returned && ended <= told, what)
            guard case .number(let share)? = gateways[0]["uptimePercent"], let percent = share.double else {
                Issue.record(what)
                return
            }
            let since = try time(gateways[0]["watchedSince"])
            let watched = try time(history["until"]).milliseconds - since.milliseconds
            let unknown = (history["unknown"]?.array ?? []).filter {
                $0["pairing"] == gateways[0]["pairing"] || $0["pairing"] == .null
            }
            #expect(unknown.isEmpty, what)
            // The last answer may have come before it was watched.
            let down = Double(ended.milliseconds - max(began, since).milliseconds) / Double(watched)
            #expect(abs(percent - 100 * (1 - down)) < 0.1, what)
        }

        /// Checks that the views say that the gateway is gone.
        private static func expectTruth(_ item: Case, _ stage: PresenceStage) async throws {
            // What answers at an address that the user has named is shown as answering there, whoever it is.
            let isNamedAlone = item.naming == .address || item.naming == .alias
            guard item.attack != .addressTaken || !isNamedAlone else { return }
            let rows = (try await PresenceStage.scan(stage.device)["gateways"]?.array ?? []).filter { row in
                // Whoever has taken over the address has a row of its own, where it is not taken for the gateway.
                if item.attack == .addressTaken { return row["id"]?.string == stage.id }
                return row["paths"]?.array?.contains { $0["address"]?.string == stage.home.address } == true
            }
            #expect(
                !rows.contains { $0["liveness"] == .string("answering") },
                "\(item.attack), \(item.naming): \(rows)"
            )
        }

        /// The number of other gateways that appear and die, and of the addresses at which they are.
        private static let others = 480
        private static let otherPlaces = 24

        /// Begins an attack.
        ///
        /// - Returns: Its end.
        private static func begin(_ item: Case, _ stage: PresenceStage) async throws -> () async throws -> Void {
            switch item.attack {
            case .forgedPath, .forgedAfter:
                let impostor = try await stage.startImpostor()
                let forger = try stage.forge(for: 60)
                if item.attack == .forgedPath { try await stage.waitForImpostor() }
                return {
                    try await impostor.stop()
                    try await forger.stop(SIGKILL)
                }
            case .copiedFingerprint:
                let impostor = try await stage.startImpostor()
                let advertisement = try Lab.start(
                    on: stage.mallory.name,
                    [Lab.clawradar, "advertise", "--name", "Evil", "--port", "4000", "--fp", stage.fingerprint]
                )
                // A claimant is not shown before the gateway has answered again, which a session does for it.
                try await Scenario.letTimePass(.seconds(4))
                return {
                    try await impostor.stop()
                    try await advertisement.stop()
                }
            case .flapping:
                let address = "100.64.\(item.number).9"
                try await stage.mallory.ip("address add \(address)/24 dev eth0")
                try await stage.device.host.ip("address add 100.64.\(item.number).1/24 dev eth0")
                let forger = try stage.forge(for: 120, to: address)
                let impostor = try await stage.startImpostor()
                try await stage.waitForImpostor(at: address)
                for isThere in [false, true, false] {
                    if isThere { try await impostor.start(port: 4_000) } else { try await impostor.stop(SIGKILL) }
                    try await Scenario.letTimePass(.seconds(14))
                }
                return {
                    try await impostor.stop()
                    try await forger.stop(SIGKILL)
                }
            case .manyOthers:
                let farm = try Lab.start(
                    on: stage.mallory.name,
                    [
                        "sh", "-c", "ulimit -n 4096; exec \"$@\"", "sh", Lab.testTool, "gateway-farm", "\(others)",
                        "20000", "Other",
                    ]
                )
                _ = try await farm.line(within: .seconds(60), "message that all listen") { $0 == "ready" }
                // At addresses of their own: each has a budget of connections.
                let network = stage.mallory.address.split(separator: ".").prefix(2).joined(separator: ".") + ".200"
                for place in 1...otherPlaces {
                    try await stage.mallory.ip("address add \(network).\(place)/16 dev eth0")
                }
                let strangers = try Lab.start(
                    on: stage.mallory.name,
                    [
                        Lab.tool("mdns-strangers"), "\(network).1", "--spread", "\(otherPlaces)", "--farm", "Other",
                        "--count", "\(others)", "--rate", "100", "--ttl", "1200",
                    ]
                )
                // A few packets of so many may be lost.
                let most = others * 9 / 10
                try await stage.wait("others that are watched", within: .seconds(180)) { _ in
                    try await stage.history()["gateways"]?.array?.count ?? 0 > most
                }
                try await farm.stop(SIGKILL)
                try await stage.wait("others that are gone", within: .seconds(90)) { _ in
                    try await stage.history()["outages"]?.array?.count ?? 0 > most
                }
                try await Scenario.letTimePass(.seconds(12))
                return { try await strangers.stop(SIGKILL) }
            case .addressTaken:
                try await stage.mallory.ip("address add \(stage.home.address)/16 brd + dev eth0")
                let impostor = try await stage.startImpostor()
                return { try await impostor.stop() }
            }
        }
    }
}
