import Foundation
import GatewayProtocol
import Glibc
import Reports
import Testing

extension LabTests {
    /// The messages of the agent when gateways die, and their times.
    @Suite struct NoticesLabTests {
        /// The time from each event to the sink, as a table; and what is not told.
        @Test func aDeathIsToldWithinTenSeconds() async throws {
            // Mostly they wait: four at once, each in a LAN of its own.
            let events = Event.allCases.enumerated().flatMap { index, event in
                [(event, LabHost.Kind.avahi, 123 + index), (event, .bare, 127 + index)]
            }
            let rows = try await events.atOnce(most: 4) { event, kind, lan in
                (event, kind, try await Self.times(of: event, kind: kind, lan: lan))
            }
            for (event, kind, times) in rows {
                print("notices (\(kind)): \(event): told after \(times.gone), back after \(times.back)")
                #expect(times.gone <= .seconds(10), "\(event)")
            }
        }

        private static func times(
            of event: Event,
            kind: LabHost.Kind,
            lan: Int
        ) async throws -> (gone: Duration, back: Duration) {
            let stage = try await NoticeStage(kind, lan: lan, name: "n\(lan)", port: 4_600)
            let agent = try await stage.startAgent()
            var start = ContinuousClock.now
            try await event.begin(stage)
            let gone = try await stage.next(["\(event.kind)"], since: start)
            start = .now
            try await event.end(stage)
            let back = try await stage.next(
                ["\(event.kind)", "\(event.kindOfEnd)"],
                since: start,
                within: .seconds(80)
            )
            try await agent.stop()
            try await stage.gateway.stop()
            return (gone, back)
        }

        /// A gateway that goes away every 5 seconds is told of three times at most, and once more when it has settled. With
        /// `CLAWRADAR_LAB_LONG` it does so for ten minutes, and the message that it has settled is waited for.
        @Test func oneThatFlapsIsToldOfSeldom() async throws {
            let stage = try await NoticeStage(.bare, lan: 87, name: "n87", port: 4_630)
            let agent = try await stage.startAgent()
            for _ in 0..<(Lab.isLong ? 60 : 2) {
                try await stage.gateway.stop(SIGKILL)
                try await Task.sleep(for: .seconds(5))
                try await stage.gateway.start(port: stage.port)
                try await Task.sleep(for: .seconds(5))
            }
            let kinds = stage.messages.map(\.kind)
            print("notices: flapping every 5 s: \(kinds)")
            #expect(kinds.count <= 3 && !kinds.contains("settled"), "\(kinds)")
            if Lab.isLong {
                _ = try await stage.next(kinds + ["settled"], since: .now, within: .seconds(330))
                #expect(stage.messages.last?.message["isAnswering"] == .bool(true))
            }
            try await agent.stop()
            try await stage.gateway.stop()
        }

        /// One way of a gateway is lost while another one is left, and is back.
        @Test(arguments: [("tailnet", 90)] + (Lab.isLong ? [("lan-ipv4", 88)] : []))
        func aLostWayIsTold(way: String, lan: Int) async throws {
            let isTailnet = way == "tailnet"
            let stage = try await NoticeStage(
                .bare,
                lan: lan,
                name: "n\(lan)",
                port: 4_632 + lan % 10,
                interfaces: isTailnet ? 2 : 1
            )
            let agent = try await stage.startAgent()
            func hasWay() async throws -> Bool {
                let found = try await stage.device.run(["scan", "--format", "json"]).output
                let prefix = isTailnet ? "100.64." : "fe80"
                let paths = try JSONValue(parsing: Array(found.utf8))["gateways"]?.array?.first?["paths"]?.array ?? []
                return paths.contains {
                    $0["address"]?.string?.hasPrefix(prefix) == true && $0["liveness"] == .string("answering")
                }
            }
            try await stage.wait("two ways") { _ in try await hasWay() }
            func change(_ isLost: Bool) async throws {
                if isTailnet {
                    try await Lab.control("link", stage.home.name, "eth1", isLost ? "down" : "up")
                } else {
                    let address = ["\(stage.home.address)/16", "dev", "eth0"]
                    _ = try await Lab.run(on: stage.home.name, ["ip", "address", isLost ? "del" : "add"] + address)
                }
            }
            var start = ContinuousClock.now
            try await change(true)
            let lost = try await stage.next(["way-lost"], since: start, within: .seconds(20))
            let left = stage.messages.first?.message["waysLeft"]?.array?.compactMap(\.string) ?? []
            #expect(stage.messages.first?.message["way"] == .string(way))
            #expect(left.contains(isTailnet ? "lan-ipv4" : "lan-ipv6") && !left.contains(way), "\(left)")
            start = .now
            try await change(false)
            let back = try await stage.next(["way-lost", "way-back"], since: start, within: .seconds(40))
            print("notices: \(way) alone lost: told after \(lost), back after \(back)")
            try await agent.stop()
            try await stage.gateway.stop()
        }

        /// An agent that starts again in an outage tells nothing twice, and the return; a restart of the gateway within 3 s
        /// is not told; and the history has each outage once.
        @Test func whatIsKnownIsNotToldAgain() async throws {
            let stage = try await NoticeStage(.bare, lan: 81, name: "n81", port: 4_620)
            var agent = try await stage.startAgent()
            try await stage.gateway.stop(SIGKILL)
            try await stage.wait("a lost session") {
                try await !$0.run(["status"]).output.contains(" connected ")
            }
            try await stage.gateway.start(port: stage.port)
            try await stage.wait("connected") { try await $0.run(["status"]).output.contains(" connected ") }

            // Had the restart been told, that would have been the first message.
            let killed = Timestamp.now
            try await stage.gateway.stop(SIGKILL)
            _ = try await stage.next(["gone"], since: .now)
            // Its last answer can have been a moment before.
            let since = try #require(stage.time("since", of: 0))
            #expect(since.milliseconds > killed.milliseconds - 2_500, "\(since) \(killed)")
            #expect(stage.messages.first?.message["reason"] == .string("connection refused"), "\(stage.messages)")
            try await agent.stop(SIGKILL)
            agent = try await stage.startAgent(isConnected: false)
            try await stage.wait("the agent looks") {
                try await $0.run(["agent", "status"]).output.contains("notices")
            }
            try await stage.gateway.start(port: stage.port)
            _ = try await stage.next(["gone", "back"], since: .now)

            let shown = try await stage.device.run(["history"])
            #expect(shown.status == 0 && shown.output.contains("Home Gateway"), "\(shown.output) \(shown.errors)")
            #expect(
                shown.output.split(separator: "\n").count { $0.hasPrefix("20") && $0.contains(" gone ") } == 1,
                "\(shown.output)"
            )
            #expect(shown.output.contains("no agent ran"), "\(shown.output)")
            print(shown.output)

            // The agent says the same.
            func ask(_ path: String) async throws -> String {
                let socket = "\(stage.folder.path("run"))/clawradar/agent.sock"
                let curl = ["curl", "--silent", "--unix-socket", socket, "http://localhost\(path)"]
                return try await Lab.run(on: stage.device.host.name, curl).output
            }
            let history = try JSONValue(parsing: Array(try await ask("/api/v1/history?days=1").utf8))
            #expect(history["outages"]?.array?.count == 1 && history["gateways"]?.array?.count == 1, "\(history)")
            let metrics = try await ask("/metrics")
            #expect(metrics.contains(/clawradar_gateway_outages_total\{gateway="[0-9a-f]+"\} 1\n/), "\(metrics)")
            #expect(metrics.contains(/clawradar_gateway_seconds_since_answer\{gateway="[0-9a-f]+"\} 0\n/), "\(metrics)")

            // A mute holds for the agent that runs, until it is taken back.
            #expect(try await stage.device.run(["mute", "Home Gateway", "--for", "1h"]).status == 0)
            try await stage.gateway.stop(SIGKILL)
            try await stage.wait("an outage in the history") {
                try await $0.run(["history"]).output.contains(" lasts ")
            }
            let unmuted = Timestamp.now
            #expect(try await stage.device.run(["mute", "Home Gateway", "--off"]).status == 0)
            // It was back a moment ago. The outage is one more of the same, unless it has become clearly longer than the first
            // one by now: on a busy machine, these steps take their time.
            try await stage.wait("a third message") { _ in stage.messages.count >= 3 }
            let third = ["unsteady", "gone"].map { ["gone", "back", $0] }
            #expect(third.contains(Array(stage.messages.prefix(3).map(\.kind))), "\(stage.messages.map(\.message))")
            // Not while it was muted, though the outage had begun by then.
            let told = try #require(stage.time("time", of: 2))
            #expect(told >= unmuted, "\(told) \(unmuted)")
            try await agent.stop()
            try await stage.gateway.stop()
        }

        /// A gateway that revokes this device is paired no more, and so not watched: that is told once, and not that it is
        /// gone.
        @Test func aRevocationIsTold() async throws {
            let stage = try await NoticeStage(.bare, lan: 89, name: "n89", port: 4_622)
            var agent = try await stage.startAgent()
            let state = ["--state", stage.folder.path("gateway.json")]
            let devices = try await Lab.run(
                on: stage.home.name,
                [Lab.referenceGateway, "devices", "--format", "json"] + state
            )
            let id = try #require(devices.output.firstMatch(of: /"deviceId":"([^"]+)"/)?.output.1, "\(devices)")
            // Without a session, whose end has no reason in this dialect, so that the gateway is asked only a minute later.
            try await agent.stop()
            try await LabOperator(host: stage.home, state: state).decide("revoke", String(id))
            let start = ContinuousClock.now
            agent = try await stage.startAgent(isConnected: false)
            let told = try await stage.next(["revoked"], since: start)
            #expect(told <= .seconds(10))
            #expect(try await stage.device.pairings().isEmpty)
            // Had the next agent told it again, or that it is gone, that would come before what is told on purpose.
            try await agent.stop()
            agent = try await stage.startAgent(isConnected: false)
            try await stage.device.pair("Home Gateway")
            try await stage.wait("connected") { try await $0.run(["status"]).output.contains(" connected ") }
            try await stage.gateway.stop(SIGKILL)
            _ = try await stage.next(["revoked", "gone"], since: .now)
            try await agent.stop()
        }

        /// `notify test` shows what a sink answers; and what cannot be delivered is in `agent status`, and is delivered in its
        /// order once the sink takes it.
        @Test func whatASinkDoesNotTakeWaits() async throws {
            let stage = try await NoticeStage(.bare, lan: 82, name: "n82", port: 4_621)
            let test = try await stage.device.run(["notify", "test"])
            #expect(test.status == 0 && test.output.contains("file  taken: "), "\(test.output) \(test.errors)")
            #expect(stage.messages.map(\.kind) == ["test"])
            let door = stage.folder.path("door")
            try stage.configure(["name: file", "exec: [/bin/sh, -c, 'test -e \(door) && cat >>\(stage.inbox)']"])
            let failed = try await stage.device.run(["notify", "test", "file"])
            #expect(
                failed.status == 1 && failed.output.contains("not taken: /bin/sh has ended with 1"),
                "\(failed.output)"
            )

            let agent = try await stage.startAgent()
            try await stage.gateway.stop(SIGKILL)
            try await stage.wait("a message that waits") {
                try await $0.run(["agent", "status"]).output.contains("1 message waits")
            }
            try await stage.gateway.start(port: stage.port)
            try await stage.wait("two messages that wait") {
                try await $0.run(["agent", "status"]).output.contains("2 messages wait")
            }
            // A sink of another name gets what follows, and the messages of this one wait for it to have its name again.
            let command = "exec: [/bin/sh, -c, 'test -e \(door) && cat >>\(stage.inbox)']"
            try stage.configure(["name: renamed", command])
            try await stage.wait("messages that no sink is there for") {
                try await $0.run(["agent", "status"]).output.contains("2 messages wait: the settings have no sink")
            }
            try stage.configure(["name: file", command])
            try Data().write(to: URL(fileURLWithPath: door))
            _ = try await stage.next(["test", "gone", "back"], since: .now, within: .seconds(120))
            #expect(Set(stage.messages.compactMap(\.id)).count == 3)
            try await stage.wait("nothing that waits") {
                try await !$0.run(["agent", "status"]).output.contains("wait")
            }
            try await agent.stop()
            try await stage.gateway.stop()
        }

        /// Thirty gateways of one host, which are named in the configuration and not paired, are one message when they die;
        /// and all are back, though the agent has started again meanwhile.
        @Test func manyAtOnceAreOneMessage() async throws {
            let folder = try ScratchFolder()
            let farm = try await LabHost.add("n83g", .bare, lan: 83)
            let own = try await LabHost.add("n83a", .bare, lan: 83)
            func start() async throws -> LabProcess {
                let process = try Lab.start(on: farm.name, [Lab.testTool, "gateway-farm", "30", "5000", "Farm"])
                _ = try await process.line(within: .seconds(30), "message that all listen") { $0 == "ready" }
                return process
            }
            var gateways = try await start()
            let device = try LabDevice(
                on: own,
                environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            )
            let config = folder.path("config/clawradar")
            try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
            let inbox = folder.path("inbox")
            let places = (0..<30).map { "\"\(farm.address):\(5_000 + $0)\"" }.joined(separator: ", ")
            let content = """
                gateways: [\(places)]
                notify:
                  sinks:
                    - {name: file, exec: [/bin/sh, -c, 'cat >>\(inbox)']}

                """
            try content.write(toFile: "\(config)/config.yaml", atomically: true, encoding: .utf8)
            var agent = try Lab.start(on: own.name, device.command(["agent"]))
            var patience = Patience(.seconds(60))
            while try await device.run(["history"]).output.split(separator: "\n").count(where: { $0.hasPrefix("Farm ") }
            ) < 30 {
                guard patience.isLeft() else { throw LabProcess.TimedOut(description: "thirty watched gateways") }
                try await Task.sleep(for: patience.step)
            }
            func messages() -> [JSONValue] {
                // The agent is killed, perhaps before it has noted that a message was delivered: then it comes again.
                var seen: Set<String> = []
                return ((try? String(contentsOfFile: inbox, encoding: .utf8)) ?? "").split(separator: "\n")
                    .filter { seen.insert(String($0)).inserted }
                    .compactMap { try? JSONValue(parsing: Array($0.utf8)) }
            }
            let killed = ContinuousClock.now
            try await gateways.stop(SIGKILL)
            patience = Patience(.seconds(30))
            while messages().isEmpty, patience.isLeft() { try await Task.sleep(for: .milliseconds(50)) }
            print("thirty gateways: told after \(ContinuousClock.now - killed)")
            try await agent.stop(SIGKILL)
            agent = try Lab.start(on: own.name, device.command(["agent"]))
            try await AgentLabTests.waitForSocket("\(folder.path("run"))/clawradar/agent.sock", agent)
            gateways = try await start()
            func returned() -> [JSONValue] {
                messages().filter { $0["kind"] == .string("back") }.flatMap { $0["gateways"]?.array ?? [] }
            }
            patience = Patience(.seconds(90))
            while returned().count < 30, patience.isLeft() { try await Task.sleep(for: patience.step) }
            let told = messages()
            #expect(told.first?["kind"] == .string("gone") && told.first?["gateways"]?.array?.count == 30, "\(told)")
            #expect(told.dropFirst().allSatisfy { $0["kind"] == .string("back") }, "\(told)")
            #expect(returned().count == 30 && Set(returned().map { "\($0)" }).count == 30, "\(told)")
            let shown = try await device.run(["history"]).output
            #expect(
                shown.split(separator: "\n").count { $0.hasPrefix("20") && $0.contains(" gone ") } == 30,
                "\(shown)"
            )
            #expect(!shown.contains(" lasts "), "\(shown)")
            try await agent.stop()
            try await gateways.stop(SIGKILL)
        }

        /// An event that happens to a gateway, or to this host.
        private enum Event: String, CaseIterable {
            case killed, stopped, hostGone, ownLinkDown

            var kind: String { self == .ownLinkDown ? "cut-off" : "gone" }
            var kindOfEnd: String { self == .ownLinkDown ? "reconnected" : "back" }

            func begin(_ stage: NoticeStage) async throws {
                switch self {
                case .killed: try await stage.gateway.stop(SIGKILL)
                case .stopped: stage.gateway.running?.signal(SIGSTOP)
                case .hostGone: try await Lab.control("link", stage.home.name, "eth0", "down")
                case .ownLinkDown: try await Lab.control("link", stage.device.host.name, "eth0", "down")
                }
            }

            func end(_ stage: NoticeStage) async throws {
                switch self {
                case .killed: try await stage.gateway.start(port: stage.port)
                case .stopped: stage.gateway.running?.signal(SIGCONT)
                case .hostGone: try await Lab.control("link", stage.home.name, "eth0", "up")
                case .ownLinkDown: try await Lab.control("link", stage.device.host.name, "eth0", "up")
                }
            }
        }
    }
}
