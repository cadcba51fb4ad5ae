import Foundation
import GatewayProtocol
import Testing

extension LabTests {
    /// One gateway with all its names: each of them leads to it in every verb, with and without an agent, whatever happens to
    /// the gateway meanwhile.
    ///
    /// All of it is some 1,400 commands, which take many minutes: they run with `CLAWRADAR_LAB_LONG`, and otherwise a quarter of
    /// them, in each stage another one.
    @Suite struct NamesTableLabTests {
        @Test func everyNameLeadsToItInEveryVerb() async throws {
            let scene = try await Scene()
            var table = Table()
            func look(_ stage: String, isFull: Bool = false) async throws {
                let agent = try await scene.startAgent()
                table.take(try await scene.check(stage, isStoring: true, isFull: isFull))
                try await agent.stop()
                table.take(try await scene.check("\(stage), no agent", isStoring: isFull, isFull: isFull))
            }
            try await look("fresh", isFull: true)
            try await scene.run(["alias", scene.shortID, "Atelier"])
            scene.alias = "Atelier"
            scene.hasAllSpellings = true
            try await look("named", isFull: true)
            scene.hasAllSpellings = false
            try await scene.rename()
            try await look("renamed")
            try await scene.move()
            try await look("moved")
            try await scene.showAnotherCertificate()
            try await look("new certificate")
            for name in scene.names {
                try await scene.run(["forget", scene.shortID, "--yes"])
                let cell = try await scene.cell(.restore, name, "restored")
                table.take([cell])
                if !cell.isRight { try await scene.run(["restore", scene.shortID]) }
            }
            try await look("restored", isFull: true)
            print(table.text)
            #expect(table.failures.isEmpty, "\(table.failures.joined(separator: "\n"))")
            try await scene.gateway.stop()
        }

        // MARK: The cells

        /// A verb that takes a gateway, in a form that does no harm.
        private enum Verb: String, CaseIterable, Sendable {
            case probe, doctor, pair, call, alias
            case unpair, forget, trust, link, mute, history, approvals, approve, reject, archive
            case disconnect, connect, restore

            /// Those that ask the gateway or its agent.
            static let asking: [Verb] = [.probe, .doctor, .pair]

            /// Those that read and write what this device stores.
            static let storing: [Verb] = [
                .unpair, .forget, .trust, .link, .mute, .history, .approvals, .approve, .reject, .archive,
            ]

            /// Indicates whether it takes such a name: a bot is archived, and no gateway; a gateway is named, and no bot.
            func takes(_ name: Name) -> Bool { name.isOfBot ? self != .alias : self != .archive }
        }

        /// A name of the gateway, and its kind.
        private struct Name: Sendable {
            let kind: String
            let text: String
            var isOfBot = false
        }

        /// What became of a name with a verb.
        private struct Cell: Sendable {
            let verb: Verb
            let name: Name
            let stage: String
            let isRight: Bool
            let output: String
        }

        /// The cells of all stages.
        private struct Table {
            private var kinds: [String] = []
            private var cells: [String: [Verb: [Cell]]] = [:]

            mutating func take(_ new: [Cell]) {
                for cell in new {
                    if cells[cell.name.kind] == nil { kinds.append(cell.name.kind) }
                    cells[cell.name.kind, default: [:]][cell.verb, default: []].append(cell)
                }
            }

            /// Names against verbs, with the number of stages in which they were tried.
            var text: String {
                let verbs = Verb.allCases
                var table = TextTable(heading: ["NAME"] + verbs.map { $0.rawValue.uppercased() })
                for kind in kinds {
                    table.rows.append(
                        [kind]
                            + verbs.map { verb in
                                let all = cells[kind]?[verb] ?? []
                                let wrong = all.count { !$0.isRight }
                                return all.isEmpty ? "-" : wrong == 0 ? "\(all.count)" : "\(wrong) WRONG"
                            }
                    )
                }
                return table.text
            }

            var failures: [String] {
                cells.values.flatMap(\.values).joined().filter { !$0.isRight }.map { cell in
                    "\(cell.stage): \(cell.verb) \(cell.name.text) (\(cell.name.kind)): \(cell.output)"
                }
                .sorted()
            }
        }

        // MARK: The scene

        /// The gateway on one host, and the device that is paired with it on another.
        private final class Scene {
            private static let pairingName = "Zoë’s Chat"
            private static let fingerprint = "all-names"
            private static let port = 3_000

            /// The port is the usual one, so that an address alone means the gateway.
            var gateway: LabGateway
            var alias: String?
            /// Indicates whether each name is tried in all its spellings.
            var hasAllSpellings = false
            private let home: LabHost
            private let folder: ScratchFolder
            private let device: LabDevice
            private let id: String
            /// The number of checks so far.
            private var turn = 0
            private var ownName = "Studio"
            private var address: String
            private var leaf: String

            var shortID: String { String(id.prefix(8)) }

            init() async throws {
                let hosts = try await LabHost.add(["home", "user"].map { ("all-names-\($0)", .bare, 1) }, lan: 52)
                (home, folder) = (hosts[0], try ScratchFolder.private())
                gateway = Self.gateway("Studio", on: home, folder)
                device = try LabDevice(
                    on: hosts[1],
                    environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
                )
                address = home.address
                try await gateway.start(port: Self.port)
                try await device.pair("Studio", ["--name", Self.pairingName])
                let pairing = try #require(try await device.pairings().first)
                #expect(pairing.name == Self.pairingName)
                (id, leaf) = (pairing.id, try #require(pairing.trust.leafSha256))
            }

            /// It has IPv4 alone, so that it has no address that stays when it moves.
            private static func gateway(_ name: String, on host: LabHost, _ folder: ScratchFolder) -> LabGateway {
                let arguments = ["--fp", fingerprint, "--state", folder.path("gateway.json")]
                return LabGateway(name, on: host, listen: "0.0.0.0", isPlain: false, arguments)
            }

            /// All names that it has now.
            var names: [Name] {
                var names = [
                    Name(kind: "pairing's name", text: Self.pairingName), Name(kind: "own name", text: ownName),
                    Name(kind: "bot", text: "Jarvis", isOfBot: true), Name(kind: "id", text: shortID),
                    Name(kind: "address", text: "\(address):\(Self.port)"),
                    Name(kind: "prefix", text: "zoe\u{308}'s"),
                ]
                if let alias { names.append(Name(kind: "alias", text: alias)) }
                guard hasAllSpellings else { return names }
                return names + [
                    Name(kind: "capitals", text: "ZOË’S CHAT"), Name(kind: "NFD", text: "Zoe\u{308}’s Chat"),
                    Name(kind: "NBSP", text: "Zoë’s\u{A0}Chat"), Name(kind: "typed quote", text: "Zoë's Chat"),
                    Name(kind: "own name, small", text: "studio"), Name(kind: "alias, capitals", text: "ATELIER"),
                    Name(kind: "own name, prefix", text: "stu"), Name(kind: "alias, prefix", text: "atel"),
                    Name(kind: "address alone", text: address), Name(kind: "whole id", text: id),
                    Name(kind: "fingerprint", text: Self.fingerprint),
                    Name(kind: "row's id", text: "fingerprint:\(Self.fingerprint)"),
                    Name(kind: "bot's id", text: "bot-1", isOfBot: true),
                    Name(kind: "gateway/bot", text: "Studio/Jarvis", isOfBot: true),
                ]
            }

            /// Runs a command, which succeeds.
            func run(_ arguments: [String]) async throws {
                let result = try await device.run(arguments)
                try #require(result.status == 0, "\(arguments): \(result.output) \(result.errors)")
            }

            // MARK: What happens to it

            func rename() async throws {
                try await gateway.stop()
                gateway = Self.gateway("Loft", on: home, folder)
                ownName = "Loft"
                try await gateway.start(port: Self.port)
            }

            func move() async throws {
                try await gateway.stop()
                let parts = address.split(separator: ".")
                let other = "\(parts[0]).\(parts[1]).77.\(parts[3])"
                // In this order: a second address of the same prefix goes with the first one.
                try await home.ip("address delete \(address)/16 dev eth0", "address add \(other)/16 brd + dev eth0")
                address = other
                try await gateway.start(port: Self.port)
            }

            func showAnotherCertificate() async throws {
                try await gateway.stop()
                let file = URL(fileURLWithPath: folder.path("gateway.json"))
                var state = try #require(try JSONValue(parsing: Array(Data(contentsOf: file))).object)
                #expect(state.removeValue(forKey: "tls") != nil)
                try Data(JSONValue.object(state).encoded).write(to: file)
                try await gateway.start(port: Self.port)
                let probe = try await device.run(["probe", "\(address):\(Self.port)", "--format", "json"])
                leaf = String(
                    try #require(
                        probe.output.firstMatch(of: /"leafSha256":"([0-9a-f]{64})"/),
                        "\(probe.output) \(probe.errors)"
                    )
                    .output.1
                )
                try await run(["trust", shortID, "--certificate", leaf])
            }

            /// Starts an agent, and waits until it has a session, and has noted what it has learned of the gateway.
            func startAgent() async throws -> LabProcess {
                let agent = try Lab.start(on: device.host.name, device.command(["agent"]))
                try await AgentLabTests.waitForSocket("\(folder.path("run"))/clawradar/agent.sock", agent)
                for (arguments, text) in [
                    (["status"], " connected  "), (["link", ownName, "--format", "json"], id),
                    (["pairings", "--format", "json"], "\"\(address):\(Self.port)\""),
                    (["history", "--format", "json"], id),
                ] {
                    var patience = Patience(.seconds(30))
                    var result = try await device.run(arguments)
                    while !result.output.contains(text) {
                        guard patience.isLeft() else {
                            throw LabProcess.TimedOut(
                                description: "no \(text) in \(arguments): \(result.output) \(result.errors)"
                            )
                        }
                        try await Task.sleep(for: patience.step)
                        result = try await device.run(arguments)
                    }
                }
                return agent
            }

            // MARK: Trying a name

            /// Tries all names with the verbs that ask the gateway.
            ///
            /// - Parameters:
            ///   - isStoring: Indicates whether they are tried with those that read the store, too.
            ///   - isFull: Indicates whether they are tried with all verbs.
            func check(_ stage: String, isStoring: Bool, isFull: Bool) async throws -> [Cell] {
                turn += 1
                let (names, turn) = (names, turn)
                func cells(_ verbs: [Verb], most: Int) async throws -> [Cell] {
                    let all = verbs.flatMap { verb in names.filter { verb.takes($0) }.map { (verb, $0) } }
                        .enumerated().filter { Lab.isLong || ($0.offset + turn) % 4 == 0 }.map(\.element)
                    let (device, expectation) = (device, expectation)
                    return try await all.atOnce(most: most) { verb, name in
                        try await Self.cell(verb, name, stage, device, expectation)
                    }
                }
                // Those that ask mostly wait.
                var all = try await cells(Verb.asking + (isStoring ? Verb.storing : []), most: 12)
                if isStoring { try await run(["mute", shortID, "--off"]) }
                // Without an agent, one process at a time has the session.
                all += try await cells([.call], most: 1)
                guard isFull else { return all }
                if hasAllSpellings { all += try await cells([.alias], most: 12) }
                all += try await cells([.disconnect], most: 6)
                all += try await cells([.connect], most: 6)
                return all
            }

            func cell(_ verb: Verb, _ name: Name, _ stage: String) async throws -> Cell {
                try await Self.cell(verb, name, stage, device, expectation)
            }

            private var expectation: Expectation {
                Expectation(id: id, leaf: leaf, shown: alias ?? Self.pairingName, fingerprint: Self.fingerprint)
            }

            private static func cell(
                _ verb: Verb,
                _ name: Name,
                _ stage: String,
                _ device: LabDevice,
                _ expectation: Expectation
            ) async throws -> Cell {
                let arguments = expectation.arguments(verb, name.text)
                if verb == .connect {
                    let process = try Lab.start(on: device.host.name, device.command(arguments))
                    let line = try? await process.line(within: .seconds(20), "session") { line in
                        line.contains(#""pairing":"\#(expectation.id)""#)
                    }
                    let end = try await process.stop()
                    return Cell(
                        verb: verb,
                        name: name,
                        stage: stage,
                        isRight: line != nil,
                        output: "\(end.output) \(end.errors)"
                    )
                }
                let result = try await device.run(arguments)
                return Cell(
                    verb: verb,
                    name: name,
                    stage: stage,
                    isRight: expectation.isMet(by: result, verb, isOfBot: name.isOfBot),
                    output: "\(result.status): \(result.output) \(result.errors)"
                )
            }
        }

        // MARK: What is expected

        /// What shows that a verb has found the gateway.
        private struct Expectation: Sendable {
            let id: String
            let leaf: String
            /// Its one name.
            let shown: String
            let fingerprint: String

            func arguments(_ verb: Verb, _ name: String) -> [String] {
                switch verb {
                case .probe, .doctor: [verb.rawValue, name, "--format", "json"]
                // Without a terminal to ask on, nothing is done.
                case .pair: ["pair", name, "--timeout", "15"]
                case .unpair, .forget: [verb.rawValue, name]
                case .call: ["call", name, "health"]
                case .alias: ["alias", name, shown]
                case .trust: ["trust", name, "--certificate", leaf]
                case .link: ["link", name, "--format", "json"]
                case .mute: ["mute", name, "--for", "1m"]
                case .history: ["history", name, "--format", "json"]
                case .approvals: ["approvals", name]
                case .approve, .reject: [verb.rawValue, "0f3c8a52", "--gateway", name]
                case .archive: ["archive", name, "--undo", "--format", "json"]
                case .disconnect, .restore: [verb.rawValue, name]
                case .connect: ["connect", name, "--format", "ndjson"]
                }
            }

            func isMet(by result: LabProcess.Result, _ verb: Verb, isOfBot: Bool) -> Bool {
                let text = "\(result.output) \(result.errors)"
                // The name by which people and commands know it, which nothing else has.
                let isNamed = text.contains("“\(shown)” (\(id.prefix(8)))")
                return switch verb {
                case .probe: result.status == 0 && result.output.contains(#""fingerprint":"\#(fingerprint)""#)
                case .doctor: result.output.contains(#""pairing":"\#(id)""#)
                case .pair: result.status == 64 && text.contains("no terminal to ask on. Give --yes to pair with")
                case .unpair: result.status == 64 && text.contains("no terminal to ask on") && isNamed
                // The name of a bot is refused, and says its gateway.
                case .forget:
                    result.status == (isOfBot ? 1 : 64) && isNamed
                        && text.contains(isOfBot ? "a gateway is named" : "no terminal to ask on")
                // It may have no such method.
                case .call: result.status == 0 || isNamed
                case .alias: result.status == 0 && text.contains("is the name of")
                case .link, .archive: result.status == 0 && result.output.contains(id)
                case .mute: result.status == 0
                case .history: result.status == 0 && result.output.contains(#""pairing":"\#(id)""#)
                // It is no gateway with approvals, and is named in the reason.
                case .approvals, .approve, .reject: result.status == 1 && isNamed
                case .trust, .disconnect, .restore: result.status == 0 && isNamed
                case .connect: false
                }
            }
        }
    }
}
