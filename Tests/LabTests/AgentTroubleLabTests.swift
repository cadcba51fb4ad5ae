import Foundation
import Glibc
import Testing

extension LabTests {
    /// An agent that is started before what it needs: it says what is missing, and goes on by itself as soon as that is
    /// there.
    @Suite struct AgentTroubleLabTests {
        /// A paired gateway on one host, and the user of an agent on another.
        private struct Stage {
            let gateway: LabGateway
            let own: LabHost
            let device: LabDevice
            private let folder: ScratchFolder

            init(_ kind: LabHost.Kind, lan: Int) async throws {
                folder = try ScratchFolder()
                let home = try await LabHost.add("late-home-\(lan)", .bare, lan: lan)
                own = try await LabHost.add("late-user-\(lan)", kind, lan: lan)
                gateway = LabGateway("Home Gateway", on: home, isPlain: false)
                try await gateway.start(port: 4_660)
                let runtime = folder.path("run")
                device = try LabDevice(on: own, environment: ["XDG_RUNTIME_DIR=\(runtime)"])
                try await device.pair("Home Gateway")
            }

            /// Starts the agent, by default without another program that starts it.
            func startAgent(by wrapper: [String] = [], _ options: [String] = []) throws -> LabProcess {
                try Lab.start(on: own.name, wrapper + device.command(["agent"] + options))
            }

            /// Starts a Python program on the host of the agent, and waits until it says that it is ready.
            func startPython(_ program: String) async throws -> LabProcess {
                let process = try Lab.start(on: own.name, "python3", "-u", "-c", program)
                _ = try await process.line(within: .seconds(10), "ready") { $0 == "ready" }
                return process
            }

            /// Waits until what a verb prints meets a condition.
            func wait(for verb: [String], _ isIt: (String) -> Bool) async throws {
                var patience = Patience(.seconds(30))
                var shown: LabProcess.Result?
                while patience.isLeft() {
                    let result = try await device.run(verb)
                    if isIt(result.output) { return }
                    shown = result
                    try await Task.sleep(for: patience.step)
                }
                throw LabProcess.TimedOut(description: "\(verb): \(shown?.output ?? "") \(shown?.errors ?? "")")
            }

            /// The line of a part in `agent status`.
            static func part(_ name: String, is words: String, in status: String) -> Bool {
                status.split(separator: "\n").contains { $0.hasPrefix("\(name) ") && $0.contains(words) }
            }
        }

        /// Without a link, avahi-daemon and the system bus at its start, then with the link, then with all of them.
        @Test(arguments: [(LabHost.Kind.avahi, 36), (.bare, 37)])
        func itIsStartedBeforeEverythingElse(kind: LabHost.Kind, lan: Int) async throws {
            let stage = try await Stage(kind, lan: lan)
            let host = stage.own.name
            if kind == .avahi {
                try await Lab.control("daemon", host, "stop")
                try await Lab.control("bus", host, "stop")
            }
            try await Lab.control("link", host, "eth0", "down")
            let agent = try stage.startAgent()
            try await stage.wait(for: ["agent", "status"]) { Stage.part("scanner", is: "no network", in: $0) }
            let scan = try await stage.device.run(["scan"])
            #expect(scan.status == 69 && scan.errors.contains("no network"), "\(scan.output) \(scan.errors)")
            try await stage.wait(for: ["status"]) { $0.contains(" gone ") }

            try await Lab.control("link", host, "eth0", "up")
            try await stage.wait(for: ["agent", "status"]) { Stage.part("scanner", is: "running", in: $0) }
            try await stage.wait(for: ["status"]) { $0.contains(" connected ") }
            if kind == .avahi {
                try await Lab.control("bus", host, "start")
                try await Lab.control("daemon", host, "start")
                try await stage.wait(for: ["agent", "status"]) { Stage.part("scanner", is: "running", in: $0) }
            }
            let found = try await stage.device.run(["scan"])
            #expect(found.status == 0 && found.output.contains("Home Gateway"), "\(found.output) \(found.errors)")
            #expect(agent.isRunning)
            try await agent.stop(SIGTERM)
            try await stage.gateway.stop()
        }

        /// Nothing can be stored there: the gateways are found as ever, and each view says why there is no session.
        @Test func aHomeThatCannotBeWrittenIsSaid() async throws {
            let stage = try await Stage(.bare, lan: 39)
            let mounts = stage.device.folders.map { "mount --bind '\($0)' '\($0)'; mount -o remount,bind,ro '\($0)'" }
            let script = "set -e; \(mounts.joined(separator: "; ")); exec \"$@\""
            let agent = try stage.startAgent(by: ["unshare", "--mount", "sh", "-c", script, "sh"])
            try await stage.wait(for: ["status"]) { $0.contains(" failed ") && $0.contains("Read-only file system") }
            let found = try await stage.device.run(["scan"])
            #expect(found.status == 0 && found.output.contains("answering"), "\(found.output) \(found.errors)")
            try await stage.wait(for: ["agent", "status"]) { status in
                Stage.part("notices", is: "Read-only file system", in: status)
                    && Stage.part("scanner", is: "running", in: status)
            }
            #expect(agent.isRunning)
            try await agent.stop(SIGTERM)

            let again = try stage.startAgent()
            try await stage.wait(for: ["status"]) { $0.contains(" connected ") }
            try await again.stop(SIGTERM)
            try await stage.gateway.stop()
        }

        /// While it runs, another process has the store, and one has the port: the sessions go on, and it takes both as soon
        /// as they are free.
        @Test func whatAnotherProcessHasIsSaid() async throws {
            let stage = try await Stage(.bare, lan: 28)
            let server = try await stage.startPython(
                """
                import socket, time
                port = socket.create_server(("127.0.0.1", 7417))
                print("ready")
                time.sleep(120)
                """
            )
            let agent = try stage.startAgent(by: [], ["--port", "7417"])
            try await stage.wait(for: ["agent", "status"]) { Stage.part("port", is: "is taken", in: $0) }
            try await stage.wait(for: ["status"]) { $0.contains(" connected ") }
            try await server.stop(SIGKILL)
            try await stage.wait(for: ["agent", "status"]) { Stage.part("port", is: "running", in: $0) }

            let lock = try await stage.startPython(
                """
                import sqlite3, time
                store = sqlite3.connect("\(stage.device.folders[0])/clawradar/pairings.sqlite", isolation_level=None)
                store.execute("BEGIN EXCLUSIVE")
                print("ready")
                time.sleep(120)
                """
            )
            try await stage.wait(for: ["agent", "status"]) { Stage.part("store", is: "another process", in: $0) }
            #expect(try await stage.device.run(["scan"]).output.contains("answering"))
            // A scan without the agent finds what it can, in its time.
            let alone = try await stage.device.run(["scan", "--no-agent"])
            #expect(alone.status == 0 && alone.output.contains("answering"), "\(alone.output) \(alone.errors)")
            #expect(alone.errors.contains("what is paired is not shown"), "\(alone.errors)")
            // What needs the store ends in its time as well, which is counted with three seconds for its start and end.
            for verb in ["status", "bots"] {
                let held = try await stage.device.run([verb, "--timeout", "3"])
                #expect(held.elapsed < .seconds(7), "\(verb): \(held.elapsed)")
                #expect(held.status == 69 && held.errors.contains("keeps the store"), "\(verb): \(held.errors)")
            }
            try await lock.stop(SIGKILL)
            try await stage.wait(for: ["agent", "status"]) { Stage.part("store", is: "running", in: $0) }
            try await stage.wait(for: ["status"]) { $0.contains(" connected ") }
            try await agent.stop(SIGTERM)
            try await stage.gateway.stop()
        }
    }
}
