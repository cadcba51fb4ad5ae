import Foundation
import GatewayProtocol
import Glibc
import Testing

extension LabTests {
    /// The times from what happens to gateways until a sink has the message, as a table of medians. Nobody has to look on:
    ///
    ///     CLAWRADAR_LAB_LONG=1 scripts/lab run 4 --interfaces 2 --settled -- … --filter NoticeTimesLabTests
    ///
    /// `CLAWRADAR_NOTICE_RUNS` sets the number of runs of each event, 10 by default.
    @Suite(.enabled(if: Lab.isLong, "it takes many minutes: set CLAWRADAR_LAB_LONG"))
    struct NoticeTimesLabTests {
        private static let runs =
            ProcessInfo.processInfo.environment["CLAWRADAR_NOTICE_RUNS"].flatMap { Int($0) } ?? 10

        /// An event from which on the time until its message is measured.
        private enum Event: String, CaseIterable {
            case killed
            case stopped
            case hostGone = "host gone"
            case linkDown = "link down"
            case onlyIPv6Left = "only IPv6 left"
            case tailnetGone = "tunnel alone gone"
            case manyAtOnce = "30 of one switch"
            case ownLinkDown = "own link down"
            case restartInOutage = "back, agent restarted in the outage"

            /// The first LAN of its hosts with avahi-daemon; that without one is the next but one.
            var lan: Int {
                [
                    .killed: 1, .stopped: 2, .hostGone: 3, .linkDown: 4, .onlyIPv6Left: 5, .tailnetGone: 64,
                    .manyAtOnce: 6, .ownLinkDown: 7, .restartInOutage: 8,
                ][self] ?? 9
            }

            /// Indicates whether one way is lost while the gateway answers over another one.
            var isOfAWay: Bool { self == .onlyIPv6Left || self == .tailnetGone }
        }

        @Test(arguments: LabHost.Kind.allCases)
        func theMediansOfAllEvents(kind: LabHost.Kind) async throws {
            // Mostly they wait, each on a LAN of its own.
            let times = await withTaskGroup(of: (Event, [Duration], String?).self) { group in
                for event in Event.allCases {
                    group.addTask {
                        var times: [Duration] = []
                        do {
                            try await Self.play(event, kind) { times.append($0) }
                            return (event, times, nil)
                        } catch {
                            return (event, times, "\(error)")
                        }
                    }
                }
                return await group.reduce(into: [Event: ([Duration], String?)]()) { $0[$1.0] = ($1.1, $1.2) }
            }
            var table = TextTable(heading: ["Event (\(kind))", "runs", "median", "shortest", "longest"])
            for event in Event.allCases {
                let (found, trouble) = times[event] ?? ([], nil)
                let sorted = found.sorted()
                let shown = [sorted.isEmpty ? nil : sorted[sorted.count / 2], sorted.first, sorted.last]
                table.rows.append([event.rawValue, "\(found.count)"] + shown.map { $0.map(Self.text) ?? "-" })
                if let trouble { Issue.record("\(event): \(trouble)") }
                guard !sorted.isEmpty else { continue }
                #expect(sorted[sorted.count / 2] <= .seconds(10), "\(event)")
            }
            print(table.text)
        }

        private static func text(_ time: Duration) -> String {
            let tenths =
                (time.components.seconds * 1_000 + time.components.attoseconds / 1_000_000_000_000_000 + 50) / 100
            return "\(tenths / 10).\(tenths % 10) s"
        }

        private static func play(
            _ event: Event,
            _ kind: LabHost.Kind,
            note: (Duration) -> Void
        ) async throws {
            // LANs of two interfaces take two numbers.
            let lan = event.lan + (kind == .bare ? 20 : 0) + (event == .tailnetGone && kind == .bare ? -17 : 0)
            let name = "t\(kind == .bare ? "b" : "a")\(event.lan)"
            if event == .manyAtOnce { return try await playMany(name, kind, lan, note) }
            let stage = try await NoticeStage(
                kind,
                lan: lan,
                name: name,
                port: 4_800 + event.lan,
                interfaces: event == .tailnetGone ? 2 : 1
            )
            for _ in 0..<runs {
                try stage.forget()
                let agent = try await stage.startAgent()
                if event.isOfAWay { try await stage.wait("two ways") { try await hasTwoWays($0, event) } }
                var start = ContinuousClock.now
                try await begin(event, stage)
                let told = try await stage.next([kindOfMessage(event)], since: start, within: .seconds(120))
                if event == .restartInOutage {
                    try await agent.stop(SIGKILL)
                    let next = try await stage.startAgent(isConnected: false)
                    try await stage.wait("the agent looks") {
                        try await $0.run(["agent", "status"]).output.contains("notices")
                    }
                    start = .now
                    try await end(event, stage)
                    note(try await stage.next(["gone", "back"], since: start))
                    try await next.stop()
                } else {
                    note(told)
                    try await end(event, stage)
                    try await agent.stop()
                }
            }
            try await stage.gateway.stop()
        }

        private static func kindOfMessage(_ event: Event) -> String {
            event.isOfAWay ? "way-lost" : event == .ownLinkDown ? "cut-off" : "gone"
        }

        private static func hasTwoWays(_ device: LabDevice, _ event: Event) async throws -> Bool {
            let found = try await device.run(["scan", "--format", "json"]).output
            let prefix = event == .tailnetGone ? "100.64." : "fe80"
            let paths = try JSONValue(parsing: Array(found.utf8))["gateways"]?.array?.first?["paths"]?.array ?? []
            let answering = paths.filter { $0["liveness"] == .string("answering") }
            return answering.contains { $0["address"]?.string?.hasPrefix(prefix) == true } && answering.count > 1
        }

        private static func begin(_ event: Event, _ stage: NoticeStage) async throws {
            switch event {
            case .killed, .restartInOutage, .manyAtOnce: try await stage.gateway.stop(SIGKILL)
            case .stopped: stage.gateway.running?.signal(SIGSTOP)
            case .hostGone:
                // No packet says that its process has ended.
                try await Lab.control("link", stage.home.name, "eth0", "down")
                try await stage.gateway.stop(SIGKILL)
            case .linkDown: try await Lab.control("link", stage.home.name, "eth0", "down")
            case .ownLinkDown: try await Lab.control("link", stage.device.host.name, "eth0", "down")
            case .onlyIPv6Left: try await stage.home.ip("address del \(stage.home.address)/16 dev eth0")
            case .tailnetGone: try await Lab.control("link", stage.home.name, "eth1", "down")
            }
        }

        private static func end(_ event: Event, _ stage: NoticeStage) async throws {
            switch event {
            case .killed, .restartInOutage, .manyAtOnce: try await stage.gateway.start(port: stage.port)
            case .stopped: stage.gateway.running?.signal(SIGCONT)
            case .hostGone:
                try await Lab.control("link", stage.home.name, "eth0", "up")
                try await stage.gateway.start(port: stage.port, isPublished: false)
            case .linkDown: try await Lab.control("link", stage.home.name, "eth0", "up")
            case .ownLinkDown: try await Lab.control("link", stage.device.host.name, "eth0", "up")
            case .onlyIPv6Left: try await stage.home.ip("address add \(stage.home.address)/16 dev eth0")
            case .tailnetGone:
                try await Lab.control("link", stage.home.name, "eth1", "up")
            }
        }

        /// Thirty hosts with a gateway each, which are named and not paired.
        private static func playMany(
            _ name: String,
            _ kind: LabHost.Kind,
            _ lan: Int,
            _ note: (Duration) -> Void
        ) async throws {
            let folder = try ScratchFolder()
            let own = try await LabHost.add("\(name)a", kind, lan: lan)
            let hosts = try await LabHost.add((0..<30).map { ("\(name)g\($0)", .bare, 1) }, lan: lan)
            let gateways = try await hosts.atOnce { host in
                let farm = try Lab.start(on: host.name, [Lab.testTool, "gateway-farm", "1", "5000", host.name])
                _ = try await farm.line(within: .seconds(60), "message that it listens") { $0 == "ready" }
                return farm
            }
            let inbox = folder.path("inbox")
            let config = folder.path("config/clawradar")
            try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
            let places = hosts.map { "\"\($0.address):5000\"" }.joined(separator: ", ")
            let content = """
                gateways: [\(places)]
                notify:
                  sinks:
                    - {name: file, exec: [/bin/sh, -c, 'cat >>\(inbox)']}

                """
            try content.write(toFile: "\(config)/config.yaml", atomically: true, encoding: .utf8)
            for run in 0..<runs {
                try? FileManager.default.removeItem(atPath: inbox)
                let device = try LabDevice(
                    on: own,
                    environment: [
                        "XDG_RUNTIME_DIR=\(folder.path("run\(run)"))", "XDG_CONFIG_HOME=\(folder.path("config"))",
                    ]
                )
                let agent = try Lab.start(on: own.name, device.command(["agent"]))
                var patience = Patience(.seconds(60))
                while try await device.run(["history"]).output.split(separator: "\n")
                    .count(where: { $0.hasPrefix("\(name)g") }) < 30
                {
                    guard patience.isLeft() else { throw LabProcess.TimedOut(description: "thirty watched gateways") }
                    try await Task.sleep(for: .milliseconds(500))
                }
                let start = ContinuousClock.now
                // The switch: the links of them all.
                _ = try await hosts.atOnce { try await Lab.control("link", $0.name, "eth0", "down") }
                patience = Patience(.seconds(30))
                while (try? String(contentsOfFile: inbox, encoding: .utf8))?.contains("\n") != true, patience.isLeft() {
                    try await Task.sleep(for: .milliseconds(50))
                }
                note(ContinuousClock.now - start)
                let told = (try? String(contentsOfFile: inbox, encoding: .utf8)) ?? ""
                let message = try JSONValue(parsing: Array((told.split(separator: "\n").first ?? "").utf8))
                #expect(message["gateways"]?.array?.count == 30, "\(message)")
                _ = try await hosts.atOnce { try await Lab.control("link", $0.name, "eth0", "up") }
                try await agent.stop()
            }
            for gateway in gateways { try await gateway.stop(SIGKILL) }
        }
    }
}
