import Foundation
import Glibc
import Testing

extension LabTests {
    /// What is where the agent would be: every verb that asks it ends in its time, and says why it does without.
    @Suite struct AgentHangsLabTests {
        /// The verbs that ask an agent, each with the longest time that it may take: its `--timeout`, or its default, and three
        /// seconds for its start and end on a busy machine.
        private static let verbs: [(arguments: [String], limit: Duration)] = [
            (["scan", "--timeout", "2"], .seconds(5)), (["bots", "--timeout", "2"], .seconds(5)),
            (["status", "--timeout", "2"], .seconds(5)), (["pair", "Nobody", "--timeout", "3", "--yes"], .seconds(7)),
            (["doctor", "Home Gateway"], .seconds(12)), (["agent", "status"], .seconds(5)),
        ]

        /// A device without pairings, and one on the same host that has two, with gateways beside the one of the test.
        private struct Devices {
            let device: LabDevice
            let paired: LabDevice
            let gateways: [LabGateway]
            private let environment: [String]

            /// The folder for the states of the gateways, and their sockets.
            private let folder: ScratchFolder

            /// Pairs, before there is anything in place of the agent.
            init(on host: LabHost, _ home: LabHost, _ environment: [String]) async throws {
                self.environment = environment
                device = try LabDevice(on: host, environment: environment)
                paired = try LabDevice(on: host, environment: environment)
                let folder = try ScratchFolder.private()
                self.folder = folder
                func options(_ name: String) -> [String] { ["--no-advertise", "--state", folder.path(name)] }
                let attic = LabGateway("Attic", on: home, isPlain: false, options("attic.json"))
                let claw = LabGateway(
                    "Claw",
                    on: home,
                    ["--dialect", "clawline", "--approve", "auto"] + options("claw.json")
                )
                gateways = [attic, claw]
                try await attic.start(port: 4_720)
                try await claw.start(port: 18_800)
                try await paired.pair("\(home.address):4720", ["--name", "Attic"])
                try await paired.pair("\(home.address):18800", ["--trust", "address", "--name", "Claw"])
            }

            /// The paired device once more: what it gives up, the other keeps.
            func copy() throws -> LabDevice { try LabDevice(copyOf: paired, environment: environment) }
        }

        /// Those that ask it about a pairing.
        private static let verbsOfPairings: [(arguments: [String], limit: Duration)] = [
            (["call", "Attic", "gateway.discover", "--timeout", "3"], .seconds(6)),
            (["approvals", "Claw", "--timeout", "3"], .seconds(6)),
        ]

        /// Those that read files alone, and need no agent.
        private static let verbsOfFiles: [(arguments: [String], limit: Duration)] = [
            (["history"], .seconds(8)), (["mute"], .seconds(8)),
            (["mute", "Home Gateway", "--for", "1h"], .seconds(8)),
            (["mute", "Home Gateway", "--off"], .seconds(8)), (["notify", "test"], .seconds(5)),
        ]

        /// Those that go on until they are ended.
        private static let views = ["watch", "connect"]

        private static func expectEnds(
            _ devices: Devices,
            _ words: String,
            _ what: String,
            _ views: [String] = views,
            unpairs: Bool = false
        ) async throws {
            let device = devices.device
            func run(_ device: LabDevice, _ arguments: [String], _ limit: Duration, says: Bool = true) async throws {
                let result = try await device.run(arguments)
                #expect(result.elapsed < limit, "\(what), \(arguments): \(result.elapsed)")
                #expect(!says || result.errors.contains(words), "\(what), \(arguments): \(result.errors)")
            }
            for (arguments, limit) in verbs { try await run(device, arguments, limit) }
            for (arguments, limit) in verbsOfFiles { try await run(device, arguments, limit, says: false) }
            for (arguments, limit) in verbsOfPairings { try await run(devices.paired, arguments, limit) }
            // It looks for three seconds, and asks the gateway, which knows no more of the pairing then.
            if unpairs { try await run(try devices.copy(), ["unpair", "Attic", "--yes"], .seconds(12)) }
            _ = try await views.atOnce { view in
                let command = ["timeout", "--preserve-status", "--signal=INT", "6"] + device.command([view])
                let result = try await Lab.run(on: device.host.name, command)
                #expect(result.errors.contains(words), "\(what), \(view): \(result.errors)")
            }
        }

        /// A socket whose queue is full, a link to one, a pipe, a folder that others may write to. A lab has no other user.
        @Test func whatIsNoAgentHoldsNothingUp() async throws {
            let folder = try ScratchFolder()
            let run = "\(folder.path("run"))/clawradar"
            try FileManager.default.createDirectory(
                atPath: run,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let own = try await LabHost.add("hangs-user-85", .bare, lan: 85)
            let gateway = LabGateway("Home Gateway", on: try await LabHost.add("hangs-home-85", .bare, lan: 85))
            try await gateway.start(port: 4_710)
            let devices = try await Devices(on: own, gateway.host, ["XDG_RUNTIME_DIR=\(folder.path("run"))"])
            let socket = "\(run)/agent.sock"
            let server = try Lab.start(
                on: own.name,
                ["python3", "-u", "-c", Self.fullQueue, socket]
            )
            _ = try await server.line(within: .seconds(10), "ready") { $0 == "ready" }
            try await Self.expectEnds(devices, "the agent does not answer", "a full queue")
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: run)
            try await Self.expectEnds(devices, "Run: chmod go-w \(run)", "an open folder", [])
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: run)
            try FileManager.default.moveItem(atPath: socket, toPath: "\(run)/other.sock")
            try FileManager.default.createSymbolicLink(atPath: socket, withDestinationPath: "\(run)/other.sock")
            try await Self.expectEnds(devices, "expected a socket, found a symbolic link", "a link", [])
            try FileManager.default.removeItem(atPath: socket)
            try #require(mkfifo(socket, 0o600) == 0)
            try await Self.expectEnds(devices, "expected a socket, found something else", "a pipe", [], unpairs: true)
            try await server.stop(SIGKILL)
            for gateway in devices.gateways + [gateway] { try await gateway.stop() }
        }

        /// Listens, lets connections wait until no more do, and sleeps.
        private static let fullQueue = """
            import socket, sys, time
            server = socket.socket(socket.AF_UNIX)
            server.bind(sys.argv[1])
            server.listen(0)
            waiting = []
            try:
                while True:
                    one = socket.socket(socket.AF_UNIX)
                    one.setblocking(False)
                    one.connect(sys.argv[1])
                    waiting.append(one)
            except BlockingIOError:
                pass
            print("ready")
            time.sleep(600)
            """

        /// The own agent, stopped; then without its socket's folder, which it makes anew; and found by the lock beside the store
        /// whatever the environment says of sockets. Its metrics are for everybody, whatever the umask.
        @Test func anAgentThatHangsOrHasLostItsFolder() async throws {
            let folder = try ScratchFolder()
            let run = folder.path("run")
            let own = try await LabHost.add("hangs-user-61", .bare, lan: 61)
            let gateway = LabGateway("Home Gateway", on: try await LabHost.add("hangs-home-61", .bare, lan: 61))
            try await gateway.start(port: 4_711)
            let config = "\(folder.path("config"))/clawradar/config.yaml"
            try FileManager.default.createDirectory(
                atPath: "\(folder.path("config"))/clawradar",
                withIntermediateDirectories: true
            )
            let settings = """
                gateways: ["\(gateway.host.address):4711"]
                notify:
                  sinks:
                    - {name: file, exec: [/bin/true]}

                """
            try settings.write(toFile: config, atomically: true, encoding: .utf8)
            let devices = try await Devices(
                on: own,
                gateway.host,
                ["XDG_RUNTIME_DIR=\(run)", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            )
            let device = devices.device
            let metrics = folder.path("clawradar.prom")
            let agent = try Lab.start(
                on: own.name,
                ["sh", "-c", "umask 077; exec \"$@\"", "sh"] + device.command(["agent", "--metrics-file", metrics])
            )
            try await Self.wait(for: device, ["agent", "status"]) {
                $0.status == 0 && FileManager.default.fileExists(atPath: metrics)
            }
            let mode = try FileManager.default.attributesOfItem(atPath: metrics)[.posixPermissions] as? Int
            #expect(mode == 0o644)

            // What others may write to is not taken up, nor does an agent begin with it.
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: config)
            try await Self.wait(for: device, ["agent", "status", "--format", "json"]) {
                $0.output.contains("Run: chmod go-w \(config)")
            }
            let check = try await device.run(["config", "check"])
            #expect(check.status == 64 && check.errors.contains("Run: chmod go-w \(config)"), "\(check.errors)")
            let refused = try await device.run(["agent"])
            #expect(refused.status == 64 && refused.errors.contains("Run: chmod go-w \(config)"), "\(refused.errors)")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: config)

            // Another environment finds it, and makes no second one.
            let elsewhere = device.command([]).map {
                $0.hasPrefix("XDG_RUNTIME_DIR=") ? "XDG_RUNTIME_DIR=/nowhere" : $0
            }
            let found = try await Lab.run(on: own.name, elsewhere + ["agent", "status"])
            #expect(found.status == 0, "\(found.errors)")
            for removed in ["\(device.folders[0])/clawradar/agent.lock", "\(run)/clawradar"] {
                try FileManager.default.removeItem(atPath: removed)
                let second = try await device.run(["agent"])
                #expect(second.status == 69 && second.errors.contains("another agent of this user runs already"))
            }
            try await Self.wait(for: device, ["agent", "status"]) { $0.status == 0 }

            try await Self.wait(for: device, ["history"]) { $0.output.contains("Home Gateway") }
            agent.signal(SIGSTOP)
            try await Self.expectEnds(devices, "the agent does not answer", "a stopped agent")
            agent.signal(SIGCONT)
            // Connections still wait, of all who have asked meanwhile: they must not take its process along.
            try await agent.stop(SIGTERM)
            for gateway in devices.gateways + [gateway] { try await gateway.stop() }
        }

        private static func wait(
            for device: LabDevice,
            _ verb: [String],
            _ isIt: (LabProcess.Result) -> Bool
        ) async throws {
            var patience = Patience(.seconds(30))
            var last: LabProcess.Result?
            while patience.isLeft() {
                let result = try await device.run(verb)
                if isIt(result) { return }
                last = result
                try await Task.sleep(for: patience.step)
            }
            throw LabProcess.TimedOut(description: "\(verb): \(last?.output ?? "") \(last?.errors ?? "")")
        }
    }
}
