import Foundation
import Testing

extension LabTests {
    /// Ten gateways of another host whose names are written for shells, terminals and readers of lines, through every
    /// verb and format: nothing runs, no line is forged, and JSON has the names as they are.
    @Suite struct HostileNamesLabTests {
        private static let port = 5_000

        /// The device, and the folder in which its commands run. Nothing may appear in that folder.
        private struct Stage: Sendable {
            let files: ScratchFolder
            let folder: ScratchFolder
            let gateways: LabHost
            let device: LabDevice

            init(_ name: String, lan: Int) async throws {
                (files, folder) = (try ScratchFolder(), try ScratchFolder())
                let hosts = try await LabHost.add(
                    [("\(name)-gateways", .bare, 1), ("\(name)-router", .bare, 1), ("\(name)-device", .avahi, 1)],
                    lan: lan
                )
                gateways = hosts[0]
                try await hosts[2].ip("route add default via \(hosts[1].address) dev eth0")
                device = try LabDevice(on: hosts[2])
                let texts = files.path("gateways.json")
                try JSONEncoder().encode(HostileText.all).write(to: URL(fileURLWithPath: texts))
                let command = [Lab.tool("hostile-gateways"), gateways.address, "eth0", "\(port)", texts]
                let tool = try Lab.start(on: gateways.name, command)
                _ = try await tool.line(within: .seconds(15), "message that they are announced") { $0 == "ready" }
            }

            /// Runs the tool in the folder.
            func run(_ arguments: [String]) async throws -> LabProcess.Result {
                try await run(command: device.command(arguments))
            }

            /// Runs a command in the folder.
            func run(
                command: [String],
                within limit: Duration = .seconds(60)
            ) async throws -> LabProcess.Result {
                let place = ["env", "-C", folder.path("."), "PATH=\(Lab.executable("")):/usr/bin:/bin"]
                return try await Lab.run(on: device.host.name, place + command, within: limit)
            }

            /// Runs the tool at a terminal, with a person who agrees to nothing.
            func run(_ arguments: [String], columns: Int, for time: Int? = nil) async throws -> LabProcess.Result {
                let person = [Lab.tool("person"), "--columns", "\(columns)", "--refuse", "--"]
                let limit = time.map { ["timeout", "--foreground", "--signal", "INT", "\($0)"] } ?? []
                return try await run(command: person + limit + device.command(arguments))
            }

            /// Pairs with all of the gateways, and returns the identifiers of the pairings in the order of their names.
            func pair() async throws -> [String] {
                for index in HostileText.all.indices {
                    let place = "\(gateways.address):\(HostileNamesLabTests.port + index)"
                    let result = try await run(["pair", place, "--yes", "--trust", "address", "--timeout", "20"])
                    check(result, "pair \(index)")
                    #expect(result.status == 0, "\(index): \(result.errors)")
                }
                let pairings = try await device.pairings()
                #expect(Set(pairings.map(\.name)) == Set(HostileText.all.map(\.storedName)))
                return pairings.map(\.id)
            }

            /// Checks what a command has printed through pipes.
            func check(_ result: LabProcess.Result, _ title: String, isText: Bool = true) {
                #expect(result.status != 70 && result.status < 131, "\(title): \(result.status): \(result.errors)")
                // The format avahi has DEL in TXT strings as it is, as avahi-browse prints it.
                let shown = title.hasSuffix("avahi") ? result.output.replacing("\u{7F}", with: "") : result.output
                let complaints =
                    (isText ? HostileText.complaints(about: shown) : [])
                    + HostileText.complaints(about: result.errors)
                #expect(complaints.isEmpty, "\(title): \(complaints)\n\(result.output)\n\(result.errors)")
            }

            /// Checks what a command has shown on a terminal.
            func check(_ result: LabProcess.Result, _ title: String, columns: Int) {
                #expect(result.status != 70 && result.status < 131, "\(title): \(result.status)")
                let complaints = HostileText.complaints(about: result.output, columns: columns)
                #expect(complaints.isEmpty, "\(title) at \(columns) columns: \(complaints)\n\(result.output)")
            }

            /// Checks that no command of theirs has run.
            func checkThatNothingRan() throws {
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(".")) == [])
            }
        }

        /// A run of the tool, and what it prints.
        private struct Run: Sendable {
            let arguments: [String]
            var isText = true
            /// The seconds after which it is interrupted.
            var time: Int?

            init(_ words: String, isText: Bool = true, for time: Int? = nil) {
                (arguments, self.isText, self.time) = (words.split(separator: " ").map(String.init), isText, time)
            }
        }

        @Test func noLineIsForged() async throws {
            let stage = try await Stage("texts", lan: 98)
            let places = HostileText.all.indices.map { "\(stage.gateways.address):\(Self.port + $0)" }
            // Before anything is paired: what is on the network, and the questions at terminals of both widths.
            let looks =
                [
                    Run("scan"), Run("scan --no-probe"), Run("scan --format openclaw", isText: false),
                    Run("scan --format json", isText: false), Run("scan --format ndjson", isText: false),
                    Run("scan --format avahi"), Run("scan --no-probe --format json", isText: false), Run("bots"),
                    Run("bots --format json", isText: false), Run("watch", for: 6),
                    Run("watch --format ndjson", isText: false, for: 6),
                ]
                + places.flatMap { [Run("probe \($0)"), Run("probe \($0) --format json", isText: false)] }
            try await Self.run(looks, on: stage)
            let questions = places.flatMap { place in [40, 80].map { (place, $0) } }
            for batch in stride(from: 0, to: questions.count, by: 5).map({
                questions[$0..<min($0 + 5, questions.count)]
            }) {
                let results = try await Array(batch).atOnce { try await stage.run(["pair", $0], columns: $1) }
                for ((place, columns), result) in zip(batch, results) {
                    stage.check(result, "pair \(place)", columns: columns)
                    #expect(result.output.contains("address"), "pair \(place) asked nothing: \(result.output)")
                }
            }

            let ids = try await stage.pair()
            let (first, second) = (ids[0], ids[1])
            // Those of a line change nothing for each other.
            let verbs = [
                [
                    Run("pairings"), Run("pairings --format json", isText: false), Run("bots"), Run("bots --verbose"),
                    Run("bots --format json", isText: false), Run("scan --verbose"), Run("device"),
                ],
                [Run("connect --format ndjson", isText: false, for: 5)], [Run("connect --format table", for: 5)],
                [Run("disconnect \(first)")], [Run("disconnect \(second) --format json", isText: false)],
                [Run("trust \(first) --trust address --timeout 3")], [Run("archive bot0")],
                [Run("forget \(first) --yes")], [Run("unpair \(second) --yes")],
                [Run("pairings --bin"), Run("pairings --bin --format json", isText: false)],
                [Run("restore \(first)")], [Run("restore \(second) --format json", isText: false)],
                // Names that mean many or nothing are quoted in the message.
                [
                    Run("unpair G"), Run("forget nothing"), Run("connect G"), Run("archive b"), Run("pair G"),
                    Run("probe G"),
                ],
            ]
            for runs in verbs { try await Self.run(runs, on: stage) }
            let looking = [
                ["bots"], ["scan"], ["pairings"], ["unpair", ids[2]], ["forget", ids[3]], ["trust", ids[4]],
            ]
            for columns in [40, 80] {
                for (batch, time) in [([["watch"]] + looking, 6), ([["connect"]], 5)] {
                    let results = try await batch.atOnce { arguments in
                        let limit = ["watch", "connect"].contains(arguments[0]) ? time : nil
                        return try await stage.run(arguments, columns: columns, for: limit)
                    }
                    for (arguments, result) in zip(batch, results) {
                        stage.check(result, arguments.joined(separator: " "), columns: columns)
                    }
                }
            }
            try stage.checkThatNothingRan()
        }

        /// Runs the tool several times at once, and checks what it prints.
        private static func run(_ runs: [Run], on stage: Stage) async throws {
            for batch in stride(from: 0, to: runs.count, by: 6).map({ runs[$0..<min($0 + 6, runs.count)] }) {
                let results = try await Array(batch).atOnce { run in
                    let limit = run.time.map { ["timeout", "--signal", "INT", "\($0)"] } ?? []
                    return try await stage.run(command: limit + stage.device.command(run.arguments))
                }
                for (run, result) in zip(batch, results) {
                    let title = run.arguments.joined(separator: " ")
                    stage.check(result, title, isText: run.isText)
                    if !run.isText { checkJSON(result.output, title) }
                }
            }
        }

        /// Checks that each line is JSON, and, if gateways are in it, that their names are as they told them.
        private static func checkJSON(_ output: String, _ title: String) {
            var names: Set<String> = []
            func collect(_ value: Any) {
                if let list = value as? [Any] { list.forEach(collect) }
                guard let fields = value as? [String: Any] else { return }
                for key in ["name", "gatewayName"] { if let name = fields[key] as? String { names.insert(name) } }
                fields.values.forEach(collect)
            }
            for line in output.split(separator: "\n") {
                guard let value = try? JSONSerialization.jsonObject(with: Data(line.utf8)) else {
                    Issue.record("\(title): this line is no JSON: \(line.prefix(300))")
                    continue
                }
                collect(value)
            }
            guard ["scan --format json", "bots --format json", "pairings --format json"].contains(title) else { return }
            let missing = HostileText.all.filter { names.isDisjoint(with: $0.jsonNames) }.map(\.name)
            #expect(missing.isEmpty, "\(title) lacks \(missing.map { $0.prefix(100) })")
        }

        /// The checks themselves: a terminal ends lines with CR and LF, and each of its rows counts by itself.
        @Test func rowsOfATerminalAreJudgedOneByOne() {
            let line = "bdf41c67  -- gateway “G3\u{FFFD}FORGED a”\u{1B}[K\r\n"
            // Taken as one line, both would break before the word.
            let shift = String(repeating: "x", count: 159 - "bdf41c67  -- gateway “G3\u{FFFD}".count) + "\r\n"
            #expect(HostileText.complaints(about: shift + line, columns: 160) == [])
            let forged = HostileText.complaints(about: "one\r\nFORGED\r\n", columns: 160)
            #expect(forged == ["a forged line: FORGED"])
            let wrapped = HostileText.complaints(about: String(repeating: "x", count: 40) + "FORGED\r\n", columns: 40)
            #expect(wrapped == ["a forged line: FORGED"])
        }

        /// TAB in real shells, with the names of paired gateways and bots.
        @Test func noShellRunsAName() async throws {
            let stage = try await Stage("shells", lan: 99)
            let ids = try await stage.pair()
            let lines = [
                "clawradar unpair ", "clawradar connect G", "clawradar trust \"G", "clawradar archive ",
                "clawradar pair ",
            ]
            var attempts: [(shell: String, script: String, line: String)] = []
            for shell in ["bash", "zsh", "fish"] {
                let script = stage.files.path("completion.\(shell)")
                let made = try await stage.run(["--generate-completion-script", shell])
                try Data(made.output.utf8).write(to: URL(fileURLWithPath: script))
                attempts += lines.map { (shell, script, $0) }
            }
            let results = try await attempts.atOnce { attempt in
                let variables = stage.device.command([]).dropLast()
                let tab = [Lab.tool("shell-tab"), attempt.shell, attempt.script, attempt.line]
                return try await stage.run(command: variables + tab, within: .seconds(180))
            }
            try stage.checkThatNothingRan()
            for (attempt, result) in zip(attempts, results) {
                let title = "\(attempt.shell): \(attempt.line)"
                let complaints = HostileText.complaints(about: result.output, columns: 160)
                    .filter { !$0.hasPrefix("the character") }
                #expect(complaints.isEmpty, "\(title): \(complaints)\n\(result.output)")
                guard attempt.line == "clawradar unpair " else { continue }
                let isOffered = ids.contains { result.output.contains($0.prefix(6)) }
                #expect(isOffered, "\(title) offers nothing:\n\(result.output)")
            }
        }
    }
}
