import Foundation
import GatewayProtocol
import Glibc
import TestSupport
import Testing

/// The same is shown with an agent and without one.
extension LabTests.AgentLabTests {
    /// The picture that a verb gives of gateways: who they are, how they do, and with which bots. Times, latencies and
    /// order are left out, since every look has others; and so is the last place of one that is away, which only those
    /// know who have looked before.
    private struct Picture: Hashable {
        let verb: String
        let status: Int32
        let rows: Set<String>

        init(_ verb: String, _ result: LabProcess.Result) throws {
            self.verb = verb
            self.status = result.status
            guard let document = try? JSONValue(parsing: Array(result.output.utf8)) else {
                rows = [result.errors]
                return
            }
            rows = Set(["gateways", "bots"].flatMap { document[$0]?.array ?? [] }.map(Self.row))
        }

        /// Reads the picture that a running watch has shown last, line by line.
        init(watch: LabProcess) throws {
            verb = "watch"
            status = 0
            var shown: [String: JSONValue] = [:]
            for line in watch.lines {
                let change = try JSONValue(parsing: Array(line.text.utf8))
                guard let row = change["gateway"] ?? change["other"], let id = row["id"]?.string else { continue }
                let isLost = ["lost", "joined"].contains(change["event"]?.string)
                shown[id] = isLost || change["gateway"] == nil ? nil : row
            }
            rows = Set(shown.values.map(Self.row))
        }

        private static func row(_ row: JSONValue) -> String {
            let isAway = row["paths"] != nil && (row["liveness"]?.string ?? "gone") == "gone"
            var texts = ["id", "fingerprint", "pairing", "name", "gatewayName", "trust"].map { row[$0]?.string ?? "-" }
            // Without an agent nothing keeps a session that could be interrupted.
            let state = row["state"]?.string ?? "-"
            texts.append(state == "gone" ? "paired" : state)
            let bots = (row["bots"]?.array ?? []).map { "\($0["name"]?.string ?? "") \($0["isPaired"]?.bool == true)" }
            let flags = (row["flags"]?.array ?? []).compactMap(\.string)
            let paths = (row["paths"]?.array ?? []).compactMap { path in
                path["liveness"]?.string == "answering" ? path["endpoint"]?.string : nil
            }
            return (texts + [isAway ? "away" : "here"] + bots.sorted() + flags.sorted() + paths.sorted()).joined(
                separator: " | "
            )
        }
    }

    private static let verbs = ["scan", "bots", "status"]

    /// After every event, what `scan`, `bots`, `status` and a `watch` that runs all the time show with the agent soon is what they show without it: at the
    /// latest when a session is asked for the next sign of life, which is every 30 s while nobody watches.
    @Test func eachVerbShowsTheSameWithTheAgentAndWithout() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let folder = try ScratchFolder()
        let home = try await LabHost("h2", .avahi)
        let gateways = [
            (LabGateway("Paired with TLS", on: home, isPlain: false, ["--state", folder.path("a.json")]), 4_321),
            (LabGateway("Plain and paired", on: home, ["--state", folder.path("b.json")]), 4_322),
            (LabGateway("A stranger", on: home, ["--state", folder.path("c.json")]), 4_323),
        ]
        for (gateway, port) in gateways { try await gateway.start(port: port) }
        let device = try LabDevice(
            on: try await LabHost("h1", .avahi),
            environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
        )
        try await device.pair("Paired with TLS")
        try await device.pair("Plain and paired", ["--trust", "address"])
        let agent = try Lab.start(on: "h1", device.command(["agent"]))
        try await Self.waitForSocket("\(folder.path("run"))/clawradar/agent.sock", agent)
        var runs = [true, true, true]
        let watch = ["watch", "--format", "ndjson"]
        let watches = (
            try Lab.start(on: "h1", device.command(watch)),
            try Lab.start(on: "h1", device.command(watch + ["--no-agent"]))
        )
        try await Self.expectTheSame(device, watches, "at the start")
        for _ in 0..<2 {
            let index = Int.random(in: 0..<gateways.count, using: &generator)
            let (gateway, port) = gateways[index]
            if runs[index] {
                try await gateway.stop(Bool.random(using: &generator) ? SIGKILL : SIGTERM)
            } else {
                try await gateway.start(port: port)
            }
            runs[index].toggle()
            try await Self.expectTheSame(device, watches, "\(gateway.name) \(runs[index] ? "started" : "stopped")")
        }
        for watch in [watches.0, watches.1] {
            let end = try await watch.stop(SIGINT)
            #expect(end.status == 0 && end.errors.isEmpty, "\(end.errors)")
        }
        try await agent.stop()
        for (gateway, _) in gateways { try await gateway.stop() }
    }

    /// A watch and a `connect` over the agent go on when that ends: with it if it comes back at once, else without it, and
    /// nothing that is as it was is lost and found again meanwhile. The sessions of the agent stay when `connect` is ended.
    @Test func viewsGoOnWhenTheirAgentEnds() async throws {
        let folder = try ScratchFolder()
        let home = try await LabHost("h2", .avahi)
        let gateway = LabGateway("Kept in view", on: home, isPlain: false)
        try await gateway.start(port: 4_331)
        let stranger = LabGateway("A stranger in view", on: home)
        try await stranger.start(port: 4_333)
        let device = try LabDevice(
            on: try await LabHost("h1", .avahi),
            environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
        )
        try await device.pair("Kept in view")
        let socket = "\(folder.path("run"))/clawradar/agent.sock"
        var agent = try Lab.start(on: "h1", device.command(["agent"]))
        try await Self.waitForSocket(socket, agent)

        let sessions = try Lab.start(on: "h1", device.command(["connect", "--format", "ndjson"]))
        _ = try await sessions.line(within: .seconds(30), "connected", where: Self.isConnected)
        let other = try Lab.start(on: "h1", device.command(["connect", "--format", "ndjson"]))
        _ = try await other.line(within: .seconds(10), "connected", where: Self.isConnected)
        #expect(try await other.stop(SIGINT).status == 0)
        let shown = try await device.run(["status"])
        #expect(shown.output.contains(" connected "), "\(shown.output) \(shown.errors)")
        let watch = try Lab.start(on: "h1", device.command(["watch", "--format", "ndjson"]))
        _ = try await watch.line(within: .seconds(10), "found") { $0.contains("A stranger in view") }

        // It comes back at once, again and again.
        for number in 1...3 {
            let before = sessions.lines.count
            try await agent.stop()
            // The agent is there before it knows the gateways.
            for gateway in [gateway, stranger] { gateway.running?.signal(SIGSTOP) }
            agent = try Lab.start(on: "h1", device.command(["agent"]))
            try await Self.waitForSocket(socket, agent)
            try await Task.sleep(for: .milliseconds(500))
            for gateway in [gateway, stranger] { gateway.running?.signal(SIGCONT) }
            try await Self.waitForError("the agent is there again.", number, of: watch)
            try await Self.waitForError("the agent is there again.", number, of: sessions)
            try await Self.disconnect(device, sessions, after: before)
            try await Self.connect(device, sessions)
        }
        // It does not come back.
        try await agent.stop(SIGKILL)
        let before = sessions.lines.count
        let next = LabGateway("Found without it", on: home)
        try await next.start(port: 4_332)
        _ = try await watch.line(within: .seconds(20), "found") {
            $0.contains(#""kind":"gateway""#) && $0.contains("Found without it")
        }
        #expect(!watch.lines.contains { $0.text.contains(#""event":"lost""#) })
        var alone = try await device.run(["status"])
        var patience = Patience(.seconds(20))
        while !alone.output.contains(" connected "), patience.isLeft() {
            try await Task.sleep(for: patience.step)
            alone = try await device.run(["status"])
        }
        try await Self.disconnect(device, sessions, after: before)
        for view in [watch, sessions] {
            let end = try await view.stop(SIGINT)
            #expect(end.status == 0, "\(end.errors)")
        }
        for gateway in [gateway, stranger, next] { try await gateway.stop() }
    }

    private static func isConnected(_ line: String) -> Bool { line.contains(#""state":"connected""#) }

    /// Disconnects the gateway, which is the next that `connect` shows.
    ///
    /// - Parameter count: The number of lines that it has shown before.
    private static func disconnect(_ device: LabDevice, _ view: LabProcess, after count: Int) async throws {
        let hasEnded = { (line: LabProcess.Line) in line.text.contains("it is connected to when asked") }
        #expect(try await device.run(["disconnect", "Kept in view"]).status == 0)
        var patience = Patience(.seconds(20))
        while !view.lines.dropFirst(count).contains(where: hasEnded) {
            guard patience.isLeft() else { throw LabProcess.TimedOut(description: "the end: \(view.lines)") }
            try await Task.sleep(for: patience.step)
        }
        // It may be connected by another way than before.
        let between = view.lines.dropFirst(count).prefix { !hasEnded($0) }.map(\.text).filter { !isConnected($0) }
        #expect(between.isEmpty, "\(between)")
    }

    /// Connects the gateway again.
    private static func connect(_ device: LabDevice, _ view: LabProcess) async throws {
        let other = try await device.run(["connect", "Kept in view", "--format", "ndjson"])
        #expect(other.status == 0, "\(other.output) \(other.errors)")
        var patience = Patience(.seconds(20))
        while view.lines.last.map({ isConnected($0.text) }) != true {
            guard patience.isLeft() else { throw LabProcess.TimedOut(description: "connected: \(view.lines)") }
            try await Task.sleep(for: patience.step)
        }
    }

    /// Waits until a process has said something so many times.
    private static func waitForError(_ text: String, _ count: Int, of process: LabProcess) async throws {
        var patience = Patience(.seconds(20))
        while process.errorText.ranges(of: text).count < count {
            guard patience.isLeft() else { throw LabProcess.TimedOut(description: "\(text): \(process.errorText)") }
            try await Task.sleep(for: patience.step)
        }
    }

    private static func expectTheSame(
        _ device: LabDevice,
        _ watches: (LabProcess, LabProcess),
        _ event: String
    ) async throws {
        let looks = verbs.flatMap { [Look(verb: $0, options: []), Look(verb: $0, options: ["--no-agent"])] }
        var patience = Patience(.seconds(40))
        var different: [(Picture, Picture)] = []
        repeat {
            // All at once: those without an agent wait most of the time.
            let pictures = try await looks.atOnce { look in
                try Picture(look.verb, try await device.run([look.verb, "--format", "json"] + look.options))
            }
            different = stride(from: 0, to: pictures.count, by: 2).map { (pictures[$0], pictures[$0 + 1]) }
            different.append((try Picture(watch: watches.0), try Picture(watch: watches.1)))
            different.removeAll { $0 == $1 }
            if different.isEmpty { return }
            try await Task.sleep(for: patience.step)
        } while patience.isLeft()
        for (with, without) in different { Issue.record("\(event):\n\(with)\n\(without)") }
    }

    /// A verb with the options that say whom it asks.
    private struct Look: Sendable {
        let verb: String
        let options: [String]
    }
}
