import Foundation
import Glibc
import Testing

extension LabTests {
    /// The agent on one host, with a gateway on another.
    @Suite struct AgentLabTests {
        /// The folders of an agent's user on h1.
        private static func environment(_ folder: ScratchFolder) -> [String] {
            [
                "env", "XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_DATA_HOME=\(folder.path("data"))",
                "XDG_STATE_HOME=\(folder.path("state"))", "XDG_CONFIG_HOME=\(folder.path("config"))",
            ]
        }

        /// Reads the events of the agent with curl, line by line.
        private static func events(_ socket: String) throws -> LabProcess {
            let url = "http://localhost/api/v1/events"
            return try Lab.start(on: "h1", "curl", "--silent", "--no-buffer", "--unix-socket", socket, url)
        }

        @Test func aScanAsksTheAgentWhichTellsWhenAGatewayIsGone() async throws {
            let folder = try ScratchFolder()
            let environment = Self.environment(folder)
            let socket = "\(folder.path("run"))/clawradar/agent.sock"
            let host = try await LabHost("h2", .avahi)
            let gateway = LabGateway("Watched", on: host)
            try await gateway.start(port: 4_310)
            let agent = try Lab.start(on: "h1", environment + [Lab.clawradar, "agent"])
            try await Self.waitForSocket(socket, agent)
            let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int
            #expect(mode == 0o600)

            let events = try Self.events(socket)
            _ = try await events.line(within: .seconds(10), "snapshot") { $0 == "event: snapshot" }
            let (scan, elapsed) = try await Self.scan(environment, until: "Watched")
            #expect(scan.status == 0, "\(scan.errors)")
            #expect(scan.output.contains("answering"))
            print("a scan with the agent took \(elapsed)")

            // A second agent says that there is one.
            let second = try await Lab.run(on: "h1", environment + [Lab.clawradar, "agent"])
            #expect(second.status == 69)
            #expect(second.errors.contains("another agent of this user runs already (process "))

            let status = try await Lab.run(on: "h1", environment + [Lab.clawradar, "agent", "status"])
            #expect(status.status == 0)
            for part in ["store", "scanner", "sessions", "api"] { #expect(status.output.contains(part)) }

            let killed = ContinuousClock.now
            try await gateway.stop(SIGKILL)
            let gone = try await events.line(within: .seconds(12), "that it is gone") { line in
                line.hasPrefix("data: ") && line.contains(#""kind":"gateway""#) && line.contains(#""liveness":"gone""#)
                    && line.contains("Watched")
            }
            print("gone was told after \(gone.time - killed)")
            #expect(gone.time - killed < .seconds(10))
            let after = try await Lab.run(on: "h1", environment + [Lab.clawradar, "scan"])
            #expect(after.status == 1, "\(after.output)")

            // A reader notices an agent that hangs.
            var patience = Patience(.seconds(20))
            while !events.lines.contains(where: { $0.text == ":" }), patience.isLeft() {
                try await Task.sleep(for: patience.step)
            }
            #expect(events.lines.contains { $0.text == ":" })

            let asked = ContinuousClock.now
            let end = try await agent.stop(SIGTERM)
            print("the agent ended after \(ContinuousClock.now - asked)")
            #expect(ContinuousClock.now - asked < .seconds(2))
            #expect(end.status == 0, "\(end.errors)")
            #expect(!FileManager.default.fileExists(atPath: socket))
            // Whoever reads events is not left waiting.
            _ = try await events.finish(within: .seconds(5))
        }

        /// The gateways that the configuration names are advertised and asked as soon as the file is saved; a file that
        /// is wrong changes nothing, and `agent status` says where it is wrong.
        @Test func theAgentFollowsItsConfiguration() async throws {
            let folder = try ScratchFolder()
            let environment = Self.environment(folder)
            try FileManager.default.createDirectory(
                atPath: folder.path("config/clawradar"),
                withIntermediateDirectories: true
            )
            let file = folder.path("config/clawradar/config.yaml")
            let own = LabGateway("From the file", on: try await LabHost("h1", .avahi), ["--no-advertise"])
            try await own.start(port: 4_312)
            let hidden = LabGateway("Hidden", on: try await LabHost("h2", .avahi), ["--no-advertise"])
            try await hidden.start(port: 4_313)
            let watch = try Watch(on: "h3")
            let agent = try Lab.start(on: "h1", environment + [Lab.clawradar, "agent"])
            try await Self.waitForSocket("\(folder.path("run"))/clawradar/agent.sock", agent)

            let address = try await Lab.address("h2", "eth0")
            let content = """
                gateways: ["\(address):4313"]
                advertise:
                  - gateway: 127.0.0.1:4312

                """
            try content.write(toFile: file, atomically: true, encoding: .utf8)
            _ = try await watch.event("found", "From the file")
            _ = try await Self.scan(environment, until: "Hidden")
            let shown = try await Lab.run(on: "h1", environment + [Lab.clawradar, "config"])
            #expect(shown.status == 0 && shown.output.contains("127.0.0.1:4312"), "\(shown.output)\(shown.errors)")

            // The agent reads it by SIGHUP, too, and keeps what was in force.
            try (content + "adverts: []\n").write(toFile: file, atomically: true, encoding: .utf8)
            agent.signal(SIGHUP)
            let keys =
                "gateways, types, interfaces, domains, server, advertise, site, notify, trust, port, page, "
                + "metrics-file, this-host and tailnet"
            let wrong = "\(file):4: expected the keys \(keys), found “adverts”"
            try await Self.waitForStatus(environment) { $0.contains("impaired") && $0.contains(wrong) }
            let check = try await Lab.run(on: "h1", environment + [Lab.clawradar, "config", "check"])
            #expect(check.status == 64 && check.errors.contains(wrong), "\(check.errors)")

            // What cannot be read names nothing else: it is no reason to end what is advertised.
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)
            try await Self.waitForStatus(environment) { $0.contains("stays so: \(file) cannot be opened") }
            let kept = try await Lab.run(on: "h1", environment + [Lab.clawradar, "agent", "status"])
            #expect(kept.output.contains("advertiser of 127.0.0.1:4312"), "\(kept.output)")
            try FileManager.default.removeItem(atPath: file)

            try "gateways: []\n".write(toFile: file, atomically: true, encoding: .utf8)
            agent.signal(SIGHUP)
            _ = try await watch.event("lost", "From the file")
            try await Self.waitForStatus(environment) { !$0.contains("impaired") && !$0.contains("advertiser") }
            #expect(try await agent.stop(SIGTERM).status == 0)
            try await own.stop()
            try await hidden.stop()
            try await watch.process.stop()
        }

        /// Waits until `agent status` shows something.
        private static func waitForStatus(_ environment: [String], _ isIt: (String) -> Bool) async throws {
            var patience = Patience(.seconds(15))
            var output = ""
            while patience.isLeft() {
                output = try await Lab.run(on: "h1", environment + [Lab.clawradar, "agent", "status"]).output
                if isIt(output) { return }
                try await Task.sleep(for: patience.step)
            }
            throw LabProcess.TimedOut(description: "status of the agent: \(output)")
        }

        /// The agent keeps what is paired connected, and `status` is what it says, whoever looks.
        @Test func theAgentKeepsWhatIsPairedConnected() async throws {
            let folder = try ScratchFolder()
            let gateway = LabGateway("Kept by the agent", on: try await LabHost("h2", .avahi), isPlain: false)
            try await gateway.start(port: 4_311)
            let device = try LabDevice(
                on: try await LabHost("h1", .avahi),
                environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            )
            try await device.pair("Kept by the agent")
            let agent = try Lab.start(on: "h1", device.command(["agent"]))
            try await Self.waitForSocket("\(folder.path("run"))/clawradar/agent.sock", agent)
            var shown = try await device.run(["status"])
            var patience = Patience(.seconds(30))
            // Each part waits for the store by itself.
            while !shown.output.contains(" connected ") || !shown.output.contains(": all parts work"), patience.isLeft()
            {
                try await Task.sleep(for: patience.step)
                shown = try await device.run(["status"])
            }
            #expect(shown.output.contains(" connected "), "\(shown.output) \(shown.errors)")
            let alone = try await device.run(["status", "--no-agent"])
            // What follows is about the agent.
            func gateways(_ result: LabProcess.Result) -> Substring? { result.output.split(separator: "\n\n").first }
            #expect(gateways(alone) == gateways(shown), "\(alone.output)\n\(shown.output)")
            #expect(alone.output.contains("agent: not asked"), "\(alone.output)")
            #expect(shown.output.contains(": all parts work"), "\(shown.output)")
            // The session stays when the command has ended.
            for (format, text) in [("table", "the agent keeps it so"), ("ndjson", #""state":"connected""#)] {
                let connect = try await device.run(["connect", "Kept by the agent", "--format", format])
                #expect(connect.status == 0 && connect.output.contains(text), "\(connect.output) \(connect.errors)")
            }
            #expect(try await device.run(["status"]).output.contains(" connected "))
            let bots = try await device.run(["bots"])
            #expect(bots.status == 0 && bots.output.contains(" connected "), "\(bots.output) \(bots.errors)")
            try await agent.stop()
            try await gateway.stop()
        }

        static func waitForSocket(_ path: String, _ agent: LabProcess) async throws {
            var patience = Patience(.seconds(20))
            while !FileManager.default.fileExists(atPath: path) {
                guard patience.isLeft(), agent.isRunning else {
                    throw LabProcess.TimedOut(description: "no socket of the agent: \(agent.errorText)")
                }
                try await Task.sleep(for: patience.step)
            }
        }

        /// Scans until a gateway is shown.
        private static func scan(
            _ environment: [String],
            until name: String
        ) async throws -> (LabProcess.Result, Duration) {
            for _ in 0..<40 {
                let start = ContinuousClock.now
                let result = try await Lab.run(on: "h1", environment + [Lab.clawradar, "scan"])
                if result.output.contains(name) { return (result, .now - start) }
                try await Task.sleep(for: .milliseconds(250))
            }
            throw LabProcess.TimedOut(description: "\(name) was not shown")
        }
    }
}
