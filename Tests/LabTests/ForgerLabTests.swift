import Foundation
import Glibc
import Synchronization
import Testing

extension LabTests {
    /// A forger sends false records of a gateway that answers probes: the watches must show what answers, not the
    /// forged records.
    @Suite struct ForgerLabTests {
        private static let everything = ["srv", "a", "aaaa", "txt", "goodbye", "types"]

        /// An attack by a forger, on a LAN of its own.
        private struct Attack: Sendable, CustomTestStringConvertible {
            let kind: LabHost.Kind
            let hasImpostor: Bool
            let lan: Int

            var name: String { "\(kind)\(hasImpostor ? "-impostor" : "")" }
            var testDescription: String { name }
        }

        /// The hosts of an attack.
        private struct Cast: Sendable {
            let victim: LabHost
            let innocent: LabHost
            let forger: LabHost
            let crowd: [LabHost]
            let watchingHosts: [LabHost]

            init(_ attack: Attack) async throws {
                let other = attack.kind == .avahi ? LabHost.Kind.bare : .avahi
                let hosts = try await LabHost.add(
                    [
                        ("victim-\(attack.name)", attack.kind, 1), ("innocent-\(attack.name)", other, 1),
                        ("forger-\(attack.name)", .bare, 1), ("crowd1-\(attack.name)", .bare, 1),
                        ("crowd2-\(attack.name)", .bare, 1), ("witness-avahi-\(attack.name)", .avahi, 1),
                        ("witness-bare-\(attack.name)", .bare, 1),
                    ],
                    lan: attack.lan
                )
                (victim, innocent, forger) = (hosts[0], hosts[1], hosts[2])
                (crowd, watchingHosts) = (Array(hosts[3...4]), Array(hosts[5...6]))
            }
        }

        /// Forged records must neither make a gateway that answers lost, nor give its row to another gateway.
        @Test
        func forgedRecordsNeitherEndNorHijackARow() async throws {
            var attacks = [
                Attack(kind: .avahi, hasImpostor: false, lan: 30), Attack(kind: .bare, hasImpostor: true, lan: 31),
            ]
            if Lab.isLong {
                attacks += [
                    Attack(kind: .avahi, hasImpostor: true, lan: 32), Attack(kind: .bare, hasImpostor: false, lan: 33),
                ]
            }
            // Two attacks run at a time. With more, the machine would be too busy to keep the time limits.
            for pair in [attacks.prefix(2), attacks.dropFirst(2)] {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for attack in pair { group.addTask { try await Self.play(attack) } }
                    try await group.waitForAll()
                }
            }
        }

        private static func play(_ attack: Attack) async throws {
            let cast = try await Cast(attack)
            let folder = try ScratchFolder()
            let victim = LabGateway("Victim", on: cast.victim, ["--state", folder.path("victim")])
            try await victim.start(port: 4_000)
            try await LabGateway("Innocent", on: cast.innocent, ["--state", folder.path("innocent")]).start(port: 4_000)
            let copy = try folder.copy("victim", as: "impostor")
            if attack.hasImpostor {
                // The impostor copies everything that can be copied, but has another bot.
                let impostor = LabGateway("Victim", on: cast.forger, ["--no-advertise", "--state", copy])
                try await impostor.start(port: 4_000, ["--bot", "bot-9=Mallory:😈"])
            }
            var (farms, manual): ([LabProcess], [String]) = ([], [])
            for host in cast.crowd {
                let farm = try Lab.start(
                    on: host.name,
                    Lab.testTool,
                    "gateway-farm",
                    "10",
                    "5000",
                    "Crowd \(host.name)"
                )
                _ = try await farm.line(within: .seconds(20), "message that all listen") { $0 == "ready" }
                farms.append(farm)
                manual += (5_000..<5_010).flatMap { ["--gateway", "\(host.address):\($0)"] }
            }
            let watches = try cast.watchingHosts.map { try RowWatch(on: $0, manual) }
            for watch in watches { try await watch.answering("", count: 22) }
            let fingerprint = try #require(watches[0].rows.values.first { $0.name == "Victim" }?.fingerprint)

            // For five seconds, forged records lead to the impostor's host, and to another gateway of the LAN.
            let forgers = try forge(cast, fingerprint)
            for forger in forgers {
                _ = try await forger.line(within: .seconds(10), "message that it is ready") { $0 == "ready" }
            }
            try await Scenario.letTimePass(.seconds(1))
            let frozen = ContinuousClock.now
            for farm in farms { farm.signal(SIGSTOP) }
            try await Scenario.letTimePass(.seconds(1))
            try await victim.stop()
            try await victim.start(port: 4_000, isPublished: false)
            let back = ContinuousClock.now
            for forger in forgers {
                let sent = try await forger.finish(within: .seconds(30))
                #expect(sent.status == 0, "\(sent.errors)")
            }
            try await Scenario.letTimePass(max(.zero, .seconds(7) - (.now - frozen)))
            for farm in farms { farm.signal(SIGCONT) }
            try await Scenario.letTimePass(.seconds(Lab.isLong ? 60 : 12))
            for watch in watches { try await watch.stop() }
            for watch in watches {
                // Each kind of complaint is reported once: one that applies to every line would hide the others.
                let complaints =
                    complaintsOfVictim(in: watch, cast, fingerprint, back: back) + complaintsOfInnocent(in: watch, cast)
                    + complaintsOfCrowd(in: watch, frozen: frozen)
                for (complaint, count) in Dictionary(complaints.map { ($0.summary, 1) }, uniquingKeysWith: +) {
                    let example = complaints.first { $0.summary == complaint }?.example ?? ""
                    Issue.record("\(attack.name), on \(watch.host.kind), \(count) times: \(complaint): \(example)")
                }
            }
        }

        /// A deviation from the expected behaviour.
        private struct Complaint {
            let summary: String
            let example: String

            init(_ summary: String, _ example: Any = "") { (self.summary, self.example) = (summary, "\(example)") }
        }

        /// Starts the two forgers.
        private static func forge(_ cast: Cast, _ fingerprint: String) throws -> [LabProcess] {
            try [(cast.forger, "mallory"), (cast.innocent, "nobody")].map { target, name in
                try Lab.start(
                    on: cast.forger.name,
                    [
                        Lab.tool("mdns-forge"), "--seconds", "5", "--rate", "50", "--instance", "Victim",
                        "--host", cast.victim.name, "--port", "4000", "--fp", fingerprint,
                        "--address", cast.victim.address, "--address6", cast.victim.address6,
                        "--lie", "\(target.address):4000", "--lie6", target.address6, "--lie-host", name,
                    ] + everything
                )
            }
        }

        /// Checks that the victim's row keeps its id, its name and its bots, that its first path is the victim's, and
        /// that it is *answering* except around the restart.
        private static func complaintsOfVictim(
            in watch: RowWatch,
            _ cast: Cast,
            _ fingerprint: String,
            back: ContinuousClock.Instant
        ) -> [Complaint] {
            let claims = watch.events.filter { $0.row.fingerprint == fingerprint }
            guard let id = claims.first?.row.id else { return [Complaint("no row has the victim's fingerprint")] }
            var complaints: [Complaint] = []
            let own = claims.filter { $0.row.id == id }
            if let last = own.last, last.row.liveness != "answering" {
                complaints.append(Complaint("the victim is \(last.row.liveness ?? "nothing") at the end", last))
            }
            for event in own {
                let row = event.row
                if ["lost", "joined"].contains(event.event) {
                    complaints.append(Complaint("the victim's row was lost", event))
                }
                if row.name != "Victim" { complaints.append(Complaint("the victim is called \(row.name)")) }
                if row.bots.map(\.name) != ["Jarvis"] {
                    complaints.append(Complaint("the victim has other bots", row.bots.map(\.name)))
                }
                if row.paths.first.map({ isAt($0, cast.victim) }) != true {
                    complaints.append(Complaint("the first path of the victim's row is not the victim's", row.paths))
                }
                if row.liveness == "gone" { complaints.append(Complaint("the victim is gone", event.time - back)) }
                let delay = event.time - back
                if row.liveness == "suspect", delay < .seconds(-3) || delay > .seconds(4) {
                    complaints.append(Complaint("the victim is suspect, but answers", "\(delay) after its restart"))
                }
            }
            for other in claims where other.row.id != id && !other.row.paths.allSatisfy({ isAt($0, cast.forger) }) {
                complaints.append(Complaint("a second row has the victim's fingerprint", other.row))
            }
            return complaints
        }

        /// Checks that another gateway of the LAN has a single row, which always shows its own bots and paths.
        private static func complaintsOfInnocent(in watch: RowWatch, _ cast: Cast) -> [Complaint] {
            let events = watch.events.filter { $0.row.name == "Innocent" }
            let ids = Set(events.map(\.row.id))
            var complaints = ids.count == 1 ? [] : [Complaint("the innocent gateway has \(ids.count) rows", ids)]
            for event in events {
                let row = event.row
                if ["lost", "joined"].contains(event.event) {
                    complaints.append(Complaint("the innocent gateway is lost", row))
                }
                if row.liveness != "answering" {
                    complaints.append(Complaint("the innocent gateway is \(row.liveness ?? "nothing")", row))
                }
                if row.flags != [] { complaints.append(Complaint("the innocent gateway is flagged", row.flags)) }
                if row.bots.map(\.name) != ["Jarvis"] {
                    complaints.append(Complaint("the innocent gateway has other bots"))
                }
                if !row.paths.allSatisfy({ isAt($0, cast.innocent) }) {
                    complaints.append(Complaint("the innocent gateway has paths of others", row.paths))
                }
            }
            return complaints
        }

        /// Checks that the gateways that were frozen for seven seconds became *suspect* after five seconds, and were
        /// *answering* in the end. One second more is tolerated.
        private static func complaintsOfCrowd(in watch: RowWatch, frozen: ContinuousClock.Instant) -> [Complaint] {
            let crowd = watch.events.filter { $0.row.name.hasPrefix("Crowd ") }
            let names = Set(crowd.map(\.row.name))
            var complaints = names.count == 20 ? [] : [Complaint("only \(names.count) crowd gateways were found")]
            for name in names {
                let own = crowd.filter { $0.row.name == name }
                if let suspect = own.first(where: { $0.row.liveness == "suspect" }) {
                    let delay = suspect.time - frozen
                    if delay < .zero {
                        complaints.append(Complaint("a crowd gateway was suspect before it was frozen", name))
                    }
                    if delay > .seconds(6) { complaints.append(Complaint("a crowd gateway was suspect late", delay)) }
                } else {
                    complaints.append(Complaint("a crowd gateway was frozen for 7 s and never suspect", name))
                }
                if own.last?.row.liveness != "answering" {
                    complaints.append(Complaint("a crowd gateway was not answering at the end", own.last?.row ?? ""))
                }
            }
            return complaints
        }

        private static func isAt(_ path: FoundGateway.Path, _ host: LabHost) -> Bool {
            host.addresses.contains(String(path.address.prefix { $0 != "%" }))
        }
    }
}
