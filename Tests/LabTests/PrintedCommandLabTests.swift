import Foundation
import GatewayProtocol
import Testing

extension LabTests {
    /// A walk over every printed command: each is run as it is printed, in a shell, and does what was said.
    @Suite struct PrintedCommandLabTests {
        /// The kinds that are not run here, and why.
        private static let left = [
            "agent --help": "help changes nothing; it is run beside the others",
            "agent install": "it changes the host's services: its help and what it would write are read alone",
            "agent install --system": "it changes the host's services",
            "agent uninstall": "it changes the host's services: its help is read alone",
            "agent token --read": "it is said to programs that ask without a token: WebhookLabTests",
            "cloud": "nothing here is signed in: scripts/cloud try signs in, and does what it says",
            "config --help": "help changes nothing; it is run beside the others",
            "connect --verbose": "no session comes about, and nothing says why: no gateway here does that",
            "notify test": "what a sink gets from it: NoticesLabTests",
            "page": "it opens a browser: PortTests and Tests/PageTests",
            "page --print": "it is said where a browser reads no file: PortTests and LinkHandlerTests",
            "scan --tailnet": "it is said where there is a tailnet: TailnetLabTests",
            "scan --format": "a pinned gateway that has moved, and answers nowhere when that is said",
        ]

        /// Everybody in one network: the gateways on one host, the devices on another, and an admin on a third.
        fileprivate struct Scene: Sendable {
            let home: LabHost
            let user: LabHost
            let office: LabHost
            let folder: ScratchFolder
            let printed: PrintedCommands

            init() async throws {
                let hosts = try await LabHost.add(
                    ["home", "user", "office"].map { ("printed-\($0)", .bare, 1) },
                    lan: 15
                )
                (home, user, office) = (hosts[0], hosts[1], hosts[2])
                // Only in such a one gateways open the sockets of their operators.
                folder = try ScratchFolder.private()
                printed = try PrintedCommands()
            }

            /// Returns the folder of a new device, which has no agent and no configuration.
            func device(_ name: String, on host: LabHost? = nil, copyOf other: LabDevice? = nil) throws -> LabDevice {
                let environment = [
                    "XDG_RUNTIME_DIR=\(folder.path("\(name)-run"))",
                    "XDG_CONFIG_HOME=\(folder.path("\(name)-config"))",
                ]
                if let other { return try LabDevice(copyOf: other, environment: environment) }
                return try LabDevice(on: host ?? user, environment: environment)
            }

            func place(_ port: Int) -> String { "\(home.address):\(port)" }

            /// Returns the paired gateways, each with its state.
            func states(_ device: LabDevice) async throws -> [String] {
                let shown = try await device.run(["status", "--format", "json"])
                let line = shown.output.split(separator: "\n").last ?? ""
                return (try JSONValue(parsing: Array(line.utf8))["gateways"]?.array ?? []).map { gateway in
                    "\(gateway["name"]?.string ?? "-") \(gateway["state"]?.string ?? "-")"
                }
            }

            /// Checks the paired gateways, once they are as expected or ten seconds are over.
            func expect(
                _ expected: [String],
                _ device: LabDevice,
                _ location: SourceLocation = #_sourceLocation
            ) async throws {
                var patience = Patience(.seconds(10))
                var found = try await states(device)
                while found != expected, patience.isLeft() {
                    try await Task.sleep(for: patience.step)
                    found = try await states(device)
                }
                #expect(found == expected, sourceLocation: location)
            }

            /// Returns what a verb shows once it has a text.
            func look(
                _ arguments: [String],
                _ device: LabDevice,
                until text: String
            ) async throws -> LabProcess.Result {
                var patience = Patience(.seconds(15))
                while true {
                    let shown = try await device.run(arguments)
                    if "\(shown.output)\n\(shown.errors)".contains(text) || !patience.isLeft() { return shown }
                    try await Task.sleep(for: patience.step)
                }
            }

            /// Runs a command as it was printed, which succeeds.
            @discardableResult
            func run(
                _ command: String,
                _ device: LabDevice,
                secret: SecretFile? = nil,
                _ location: SourceLocation = #_sourceLocation
            ) async throws -> LabProcess.Result {
                let result = try await printed.run(command, on: device, secret: secret)
                print("\(command): \(result.status) in \(result.elapsed)")
                #expect(result.status == 0, "\(command): \(result.output) \(result.errors)", sourceLocation: location)
                return result
            }

            /// Runs a command as it was printed until it shows a text.
            func run(_ command: String, _ device: LabDevice, until text: String) async throws {
                let process = try printed.begin(command, on: device)
                _ = try await process.line(within: .seconds(25), "“\(text)” of \(command)") { $0.contains(text) }
                try await process.stop()
            }

            /// Runs `connect` as it was printed, until it is connected.
            func connect(_ command: String, _ device: LabDevice) async throws {
                try await run(command, device, until: #""state":"connected""#)
            }
        }

        @Test func eachDoesWhatWasSaid() async throws {
            let scene = try await Scene()
            try await Self.fromNothingToAnAgent(scene)
            let situations: [@Sendable (Scene) async throws -> Void] = [
                Self.disconnectedForgottenUnpaired, Self.unpairedWithoutAdvertisement, Self.anotherCertificate,
                Self.aMessage, Self.anotherGateway, Self.movedWithoutTLS, Self.hasTLSNow, Self.hasLostItsTLS,
                Self.revoked,
                Self.waitsForAnAdmin, Self.noAdminAndNotReady, Self.sealed, Self.namesOfSeveralWords,
                Self.aTokenThatIsTyped, Self.anOlderConfiguration, Self.placesWithoutAGateway, Self.notAdvertised,
            ]
            // Each of them runs programs all the time: more at once only wait for each other, and miss what was asked to be quick.
            _ = try await situations.atOnce(most: 5) { situation in
                // One that fails leaves the others alone.
                do {
                    try await situation(scene)
                } catch {
                    Issue.record(error)
                }
            }
            func isLeft(_ kind: CommandKind) -> Bool { Self.left[kind.description] != nil }
            let run = scene.printed.run
            func isRun(_ kind: CommandKind) -> Bool { run.contains { kind.isCovered(by: $0) } }
            for kind in scene.printed.seen where !isLeft(kind) { #expect(isRun(kind), "printed, and not run: \(kind)") }
            let known = try CommandKind.inSources(verbs: try CommandKind.verbs())
            #expect(known.count > 20)
            for (kind, place) in known where !isLeft(kind) {
                #expect(isRun(kind), "\(place) prints \(kind): no situation")
            }
            // What is left out is printed somewhere, still.
            for kind in Self.left.keys { #expect(known.keys.contains { $0.description == kind }, "\(kind)") }
        }

        // MARK: Before anything is paired

        /// Nobody is there, somebody is found and paired, and an agent keeps that connected. It is alone in the network, so
        /// that nobody else is suggested.
        private static func fromNothingToAnAgent(_ scene: Scene) async throws {
            let device = try scene.device("first")
            let printed = scene.printed
            let nobody = try await device.run(["pair", "Late", "--yes", "--timeout", "2"])
            let scan = try await printed.run(try printed.command("scan", in: nobody), on: device)
            #expect(scan.status == 1, "nothing is there: \(scan.output)")
            let late = LabGateway("Late", on: scene.home, ["--fp", "late"])
            try await late.start(port: 5_000)
            // What the list of pairings advises.
            let none = try await device.run(["pairings"])
            let advised = try await scene.run(try printed.command("scan", in: none), device)
            #expect(advised.output.contains("Late"), "\(advised.output)")
            let status = try await device.run(["status"])
            _ = try printed.command("pair", in: status)
            try await scene.run(try printed.command("pair", in: advised), device)
            try await scene.expect(["Late paired"], device)

            let history = try await device.run(["history"])
            let stopped = try await device.run(["agent", "status"])
            let command = try printed.command("agent", in: history)
            #expect(try printed.command("agent", in: stopped) == command)
            let agent = try printed.begin(command, on: device)
            try await AgentLabTests.waitForSocket(scene.folder.path("first-run/clawradar/agent.sock"), agent)
            try await scene.expect(["Late connected"], device)
            let second = try await device.run(["agent"])
            try await scene.run(try printed.command("agent status", in: second), device)
            let unknown = try await device.run(["mute", "Nobody"])
            let watched = try await scene.run(try printed.command("history", in: unknown), device)
            #expect(watched.output.contains("Late"), "\(watched.output)")
            let sink = try await device.run(["notify", "test", "phone"])
            try await scene.run(try printed.command("notify add --help", in: sink), device)
            let added = try await device.run(["notify", "add", "log", "--exec", "/bin/cat"])
            let tried = try await scene.run(try printed.command("notify test", in: added), device)
            #expect(tried.output.contains("log  taken"), "\(tried.output) \(tried.errors)")
            for help in [["agent", "--help"], ["agent", "install", "--help"], ["agent", "uninstall", "--help"]] {
                #expect(try await device.run(help).status == 0)
            }
            let unit = try await device.run(["agent", "install", "--print"])
            #expect(unit.output.contains("ExecStart="), "\(unit.output) \(unit.errors)")
            // The agent keeps the session when the command has ended, until what it prints is run.
            let kept = try await device.run(["connect", "Late", "--format", "table"])
            try await scene.run(try printed.command("disconnect", in: kept), device)
            try await scene.expect(["Late paired"], device)
            try await agent.stop()
            try await late.stop()
            let gone = try await scene.look(["status"], device, until: " gone ")
            _ = try printed.command("agent install", in: gone)
            let told = try await printed.run(try printed.command("doctor", in: gone), on: device)
            #expect(told.status == 1 && !told.output.isEmpty, "\(told.output) \(told.errors)")
        }

        // MARK: Paired, and not any more

        private static func disconnectedForgottenUnpaired(_ scene: Scene) async throws {
            let device = try scene.device("parted")
            let printed = scene.printed
            let gateway = LabGateway("Parted", on: scene.home, isPlain: false)
            try await gateway.start(port: 5_010)
            let found = try await scene.look(["doctor", "Parted"], device, until: "It is not paired yet")
            try await scene.run(try printed.command("pair", in: found), device)
            try await scene.expect(["Parted paired"], device)

            let disconnected = try await device.run(["disconnect", "Parted"])
            let connect = try printed.command("connect", in: disconnected)
            #expect(try printed.command("connect", in: try await device.run(["doctor", "Parted"])) == connect)
            try await scene.connect(connect, device)

            let forgotten = try await device.run(["forget", "Parted", "--yes"])
            let bin = try printed.command("pairings --bin", in: try await device.run(["restore", "Nobody"]))
            #expect(try await scene.run(bin, device).output.contains("Parted"))
            try await scene.run(try printed.command("restore", in: forgotten), device)
            try await scene.expect(["Parted paired"], device)

            let unknown = try await device.run(["trust", "Nobody"])
            let listed = try await scene.run(try printed.command("pairings", in: unknown), device)
            #expect(listed.output.contains("Parted"), "\(listed.output)")
            let unpaired = try await device.run(["unpair", "Parted", "--yes"])
            try await scene.expect([], device)
            try await scene.run(try printed.command("pair", in: unpaired), device)
            try await scene.expect(["Parted paired"], device)
            try await gateway.stop()
        }

        /// Nobody advertises it, so that only the bin says where it is.
        private static func unpairedWithoutAdvertisement(_ scene: Scene) async throws {
            let device = try scene.device("hidden")
            let gateway = LabGateway("Hidden", on: scene.home, ["--fp", "hidden", "--no-advertise"])
            try await gateway.start(port: 5_015)
            try await device.pair(scene.place(5_015), ["--trust", "address"])
            let unpaired = try await device.run(["unpair", "Hidden", "--yes"])
            try await scene.run(try scene.printed.command("pair", in: unpaired), device)
            try await scene.expect(["Hidden paired"], device)
            try await gateway.stop()
        }

        private static func revoked(_ scene: Scene) async throws {
            let device = try scene.device("revoker")
            let state = ["--state", scene.folder.path("revoker")]
            let gateway = LabGateway("Revoker", on: scene.home, isPlain: false, state)
            try await gateway.start(port: 5_070)
            try await device.pair("Revoker")
            let devices = try await Lab.run(
                on: scene.home.name,
                [Lab.referenceGateway, "devices", "--format", "json"] + state
            )
            let id = try #require(devices.output.firstMatch(of: /"deviceId":"([^"]+)"/)?.output.1, "\(devices)")
            _ = try await Lab.run(
                on: scene.home.name,
                [Lab.referenceGateway, "revoke", String(id), "--forget"] + state
            )
            let found = try await scene.look(["doctor", "Revoker"], device, until: "clawradar pair")
            let command = try scene.printed.command("pair", in: found)
            #expect(try scene.printed.command("pair", in: try await device.run(["status"])) == command)
            try await scene.run(command, device)
            try await scene.expect(["Revoker paired"], device)
            #expect(try await device.run(["doctor", "Revoker"]).status == 0)
            try await gateway.stop()
        }

        // MARK: Not as it was at pairing

        private static func anotherCertificate(_ scene: Scene) async throws {
            let device = try scene.device("changer")
            let gateway = LabGateway("Changer", on: scene.home, isPlain: false, ["--fp", "changer"])
            try await gateway.start(port: 5_020)
            try await device.pair("Changer")
            let other = try scene.device("changed", copyOf: device)
            // Without a state, each start makes another certificate.
            try await gateway.stop()
            try await gateway.start(port: 5_020)
            let status = try await scene.look(["status"], device, until: "clawradar trust")
            try await scene.run(try scene.printed.command("trust", in: status), device)
            try await scene.expect(["Changer paired"], device)

            let refused = try await other.run(["pair", scene.place(5_020), "--yes", "--timeout", "10"])
            let command = try scene.printed.command("trust", in: refused)
            #expect(command.contains(" --certificate "), "\(command)")
            try await scene.run(command, other)
            try await scene.expect(["Changer paired"], other)
            try await gateway.stop()
        }

        /// The agent tells of another certificate, with the command that shows what can be done.
        private static func aMessage(_ scene: Scene) async throws {
            let device = try scene.device("told")
            let inbox = scene.folder.path("inbox")
            let folder = scene.folder.path("told-config/clawradar")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try "notify:\n  sinks:\n    - name: file\n      exec: [/bin/sh, -c, 'cat >>\(inbox)']\n"
                .write(toFile: "\(folder)/config.yaml", atomically: true, encoding: .utf8)
            let gateway = LabGateway("Teller", on: scene.home, isPlain: false, ["--fp", "teller"])
            try await gateway.start(port: 5_120)
            try await device.pair("Teller")
            let agent = try Lab.start(on: device.host.name, device.command(["agent"]))
            try await AgentLabTests.waitForSocket(scene.folder.path("told-run/clawradar/agent.sock"), agent)
            try await scene.expect(["Teller connected"], device)
            try await gateway.stop()
            try await gateway.start(port: 5_120)
            func messages() -> String { (try? String(contentsOfFile: inbox, encoding: .utf8)) ?? "" }
            _ = await InProcess.wait(within: .seconds(40)) { messages().contains("clawradar status") }
            let status = try await scene.run(try scene.printed.command("status", in: messages()), device)
            try await scene.run(try scene.printed.command("trust", in: status.output), device)
            // Its restart has taken its tokens as well, and it is asked again now.
            try await scene.expect(["Teller revoked"], device)
            try await agent.stop()
            try await gateway.stop()
        }

        private static func anotherGateway(_ scene: Scene) async throws {
            let device = try scene.device("other")
            let gateway = LabGateway("Other", on: scene.home, isPlain: false)
            try await gateway.start(port: 5_030)
            try await device.pair(scene.place(5_030))
            try await gateway.stop()
            try await gateway.start(port: 5_030)
            let refused = try await device.run(["pair", scene.place(5_030), "--yes", "--timeout", "10"])
            try await scene.run(try scene.printed.command("forget", in: refused), device)
            #expect(try await device.pairings().isEmpty)
            try await device.pair(scene.place(5_030))
            try await scene.expect(["Other paired"], device)
            try await gateway.stop()
        }

        private static func movedWithoutTLS(_ scene: Scene) async throws {
            let device = try scene.device("mover")
            let gateway = LabGateway("Mover", on: scene.home, ["--state", scene.folder.path("mover")])
            try await gateway.start(port: 5_040)
            try await device.pair("Mover", ["--trust", "address"])
            let other = try scene.device("moved", copyOf: device)
            try await gateway.stop()
            try await gateway.start(port: 5_041)
            for (verb, device) in [(["doctor", "Mover"], device), (["status"], other)] {
                let shown = try await scene.look(verb, device, until: "--trust address")
                try await scene.run(try scene.printed.command("trust", in: shown), device)
                try await scene.expect(["Mover paired"], device)
            }
            try await gateway.stop()
        }

        private static func hasTLSNow(_ scene: Scene) async throws {
            let device = try scene.device("gains")
            let before = LabGateway("Gains", on: scene.home, ["--fp", "gains"])
            try await before.start(port: 5_050)
            try await device.pair("Gains", ["--trust", "address"])
            try await before.stop()
            let after = LabGateway("Gains", on: scene.home, isPlain: false, ["--fp", "gains"])
            try await after.start(port: 5_050)
            let found = try await scene.look(["doctor", "Gains"], device, until: "clawradar pair")
            let command = try scene.printed.command("pair", in: found)
            #expect(try scene.printed.command("pair", in: try await device.run(["status"])) == command)
            try await scene.run(command, device)
            try await scene.expect(["Gains paired"], device)
            try await after.stop()
        }

        private static func hasLostItsTLS(_ scene: Scene) async throws {
            let device = try scene.device("loses")
            let before = LabGateway("Loses", on: scene.home, isPlain: false, ["--fp", "loses"])
            try await before.start(port: 5_060)
            try await device.pair("Loses")
            try await before.stop()
            let after = LabGateway("Loses", on: scene.home, ["--fp", "loses"])
            try await after.start(port: 5_060)
            let found = try await scene.look(["doctor", "Loses"], device, until: "has lost its TLS")
            try await scene.run(try scene.printed.command("probe", in: found), device)
            try await after.stop()
        }

        private static func sealed(_ scene: Scene) async throws {
            let device = try scene.device("sealer")
            let gateway = LabGateway("Sealer", on: scene.home, isPlain: false)
            try await gateway.start(port: 5_080)
            try await device.pair("Sealer")
            try FileManager.default.removeItem(atPath: device.folders[1])
            let found = try await scene.look(["doctor", "Sealer"], device, until: "cannot be opened")
            let shown = try await scene.run(try scene.printed.command("device", in: found), device)
            #expect(shown.output.contains("the secrets are sealed"), "\(shown.output)")
            try await gateway.stop()
        }

        // MARK: Others decide

        /// A device waits at a Clawline provider for one that is an admin there.
        private static func waitsForAnAdmin(_ scene: Scene) async throws {
            let (admin, device) = (try scene.device("admin", on: scene.office), try scene.device("newcomer"))
            let state = ["--state", scene.folder.path("clawline")]
            let gateway = LabGateway("Provider", on: scene.home, ["--dialect", "clawline"] + state)
            try await gateway.start(port: 18_800, isPublished: false)
            let pair = ["pair", scene.place(18_800), "--yes", "--trust", "address", "--name", "Provider"]
            func begin(_ device: LabDevice) async throws -> (LabProcess, String) {
                let process = try Lab.start(on: device.host.name, device.command(pair))
                let isShown = await InProcess.wait(within: .seconds(20)) {
                    process.errorText.contains("waiting for approval: ") && process.errorText.hasSuffix("\n")
                }
                try #require(isShown, "\(process.errorText)")
                return (process, try scene.printed.command("approve", in: process.errorText))
            }
            let (first, own) = try await begin(admin)
            let id = String(try #require(own.split(separator: " ").last))
            try await LabOperator(host: scene.home, state: state).decide("approve", id)
            try #require(try await first.finish(within: .seconds(20)).status == 0)

            let (second, command) = try await begin(device)
            let unknown = try await admin.run(["approve", UUID().uuidString.lowercased()])
            let list = try await scene.run(try scene.printed.command("approvals", in: unknown), admin)
            #expect(list.output.contains(try #require(command.split(separator: " ").last)), "\(list.output)")
            try await scene.run(command, admin)
            #expect(try await second.finish(within: .seconds(20)).status == 0)
            try await scene.expect(["Provider paired"], device)
            try await gateway.stop()

            // One with another version of the protocol.
            let later = LabGateway(
                "Later",
                on: scene.home,
                ["--dialect", "clawline", "--misbehave", "other-version"]
            )
            try await later.start(port: 18_801, isPublished: false)
            let found = try await scene.look(["doctor", scene.place(18_801)], device, until: "update required")
            try await scene.run(try scene.printed.command("--version", in: found), device)
            try await later.stop()
        }

        /// A device of an OpenClaw gateway wants to approve others; and the gateway is not ready.
        private static func noAdminAndNotReady(_ scene: Scene) async throws {
            let device = try scene.device("claw")
            let token = try SecretFile(scene.folder.path("claw-token"))
            let state = ["--state", scene.folder.path("claw")]
            let options = ["--dialect", "openclaw", "--token-file", token.path, "--approve", "auto"] + state
            let gateway = LabGateway("Claw", on: scene.home, isPlain: false, options)
            try await gateway.start(port: 18_789)
            try await device.pair("Claw", ["--token-file", token.path])
            let refused = try await device.run(["approvals", "Claw"])
            try await scene.run(try scene.printed.command("pair", in: refused), device, secret: token)
            let waiting = try await device.run(["approvals", "Claw"])
            #expect(waiting.status == 0 && !waiting.errors.contains("--as-admin"), "\(waiting.errors)")

            let stranger = try scene.device("stranger")
            let verb = [Lab.referenceGateway, "readiness", "starting"] + state
            try #require(try await Lab.run(on: scene.home.name, verb).status == 0)
            let found = try await scene.look(["doctor", "Claw"], stranger, until: "not ready")
            try await scene.run(try scene.printed.command("watch", in: found), stranger, until: "Claw")
            try await gateway.stop()
        }

        // MARK: What was typed, and what is there

        private static func namesOfSeveralWords(_ scene: Scene) async throws {
            let device = try scene.device("words")
            let gateway = LabGateway("Two Words", on: scene.home, isPlain: false)
            try await gateway.start(port: 5_090)
            let unquoted = try await scene.look(["alias", "Two", "Words"], device, until: "quote a name")
            try await scene.run(try scene.printed.command("alias", in: unquoted, ["NAME": "Twin"]), device)
            let unknown = try await device.run(["alias", "Nobody", "--remove"])
            let listed = try await scene.run(try scene.printed.command("alias", in: unknown), device)
            #expect(listed.output.contains("Twin"), "\(listed.output)")
            try await device.pair("Two Words")
            let words = try await device.run(["connect", "Two", "Words"])
            try await scene.connect(try scene.printed.command("connect", in: words), device)
            try await gateway.stop()
        }

        /// A gateway of OpenAgents without TLS, whose token is typed for each session.
        private static func aTokenThatIsTyped(_ scene: Scene) async throws {
            let device = try scene.device("foreign")
            let token = try SecretFile(scene.folder.path("foreign-token"))
            let options = ["--dialect", "openagents", "--token-file", token.path]
            let gateway = LabGateway("Foreign", on: scene.home, options)
            try await gateway.start(port: 9_099)
            let found = try await scene.look(["doctor", "Foreign"], device, until: "--send-in-clear")
            let pair = try scene.printed.command("pair", in: found)
            let paired = try await scene.run(pair, device, secret: token)
            let command = try scene.printed.command("connect", in: paired, ["FILE": token.path])
            try await scene.connect(command, device)
            try await gateway.stop()
        }

        private static func anOlderConfiguration(_ scene: Scene) async throws {
            let gateway = LabGateway("Older", on: scene.home, ["--no-advertise", "--fp", "older"])
            try await gateway.start(port: 5_110)
            let older = try scene.device("older")
            try await older.pair(scene.place(5_110), ["--trust", "address"])
            let token = try #require(try await older.tokens().first)
            let folder = scene.folder.path("newer-config/clawradar")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let entry =
                #"[{"id":"bot-1","name":"Jarvis","token":"\#(token)","host":"\#(scene.home.address)","port":5110,"#
                + #""connectionMethod":"lan","isEnabled":true}]"#
            _ = try SecretFile("\(folder)/bots.json", entry)
            let device = try scene.device("newer")
            let command = try scene.printed.command("migrate", in: try await device.run(["status"]))
            // Who is asked at a terminal may trust all at once; without one, each waits.
            let imported = try await scene.printed.begin(command, on: device).finish(within: .seconds(30))
            #expect(imported.status == 0, "\(imported.output) \(imported.errors)")
            let status = try await device.run(["status"])
            try await scene.run(try scene.printed.command("trust", in: status), device)
            #expect(try await scene.states(device).allSatisfy { $0.hasSuffix(" paired") })
            try await gateway.stop()
        }

        private static func placesWithoutAGateway(_ scene: Scene) async throws {
            let device = try scene.device("places")
            let present = LabGateway("Present", on: scene.home)
            try await present.start(port: 5_130)
            let nobody = try await device.run(["doctor", "Nobody"])
            let all = try await scene.run(try scene.printed.command("scan", in: nobody), device)
            #expect(all.output.contains("Present"), "\(all.output)")
            try await present.stop()
            // “Boxed” at the host “box”, in hexadecimal.
            let tool = Lab.tool("forge-services")
            let responder = try Lab.start(on: scene.home.name, tool, "127.0.0.1", "eth0", "426f786564 626f78")
            _ = try await responder.line(within: .seconds(10), "message that it listens") { $0 == "ready" }
            let boxed = try await scene.look(["doctor", "Boxed"], device, until: "--no-probe")
            let scan = try await scene.run(try scene.printed.command("scan", in: boxed), device)
            #expect(scan.output.contains("Boxed"), "\(scan.output)")
            try await responder.stop()
        }

        /// A gateway of the user's own host that nobody advertises is advertised by the command beside it.
        private static func notAdvertised(_ scene: Scene) async throws {
            let host = try await LabHost.add("printed-here", .bare, lan: 149)
            let device = try scene.device("here", on: host)
            let gateway = LabGateway("Not advertised", on: host, ["--no-advertise"])
            try await gateway.start(port: 4_377)
            let shown = try await scene.look(["scan", "--this-host"], device, until: "\(host.address):4377")
            let command = try scene.printed.command("advertise --gateway \(host.address):4377", in: shown)
            try await scene.run(command, device, until: "Not advertised")
            try await gateway.stop()
        }
    }
}
