import Foundation
import Glibc
import Testing

extension LabTests {
    /// Tokens exist only in the sealed store and on the wire. They must not appear in output, logs, command lines or
    /// environments, nor in core files and backtraces of a crash.
    @Suite struct SecretsLabTests {
        /// A host with a gateway of every kind, and a device that is paired with all of them. All processes log as much
        /// as they can.
        private struct Stage {
            let folder: ScratchFolder
            let shared: SecretFile
            let kinds: [PairedKind]
            let gateways: [LabGateway]
            let device: LabDevice
            /// The one-time code with which the device was paired with the first gateway, which prints it.
            let code: String
            /// The names and results of all processes so far, which the tests search for tokens.
            var results: [(String, LabProcess.Result)] = []

            /// - Parameter scene: The place in which the first gateway runs, if the test makes it crash.
            init(_ name: String, lan: Int, scene: CrashScene? = nil) async throws {
                let gatewayHost = try await LabHost.add("\(name)-gateways", .bare, lan: lan)
                let router = try await LabHost.add("\(name)-router", .bare, lan: lan)
                let deviceHost = try await LabHost.add("\(name)-device", .avahi, lan: lan)
                try await deviceHost.ip("route add default via \(router.address) dev eth0")
                let folder = try ScratchFolder()
                shared = try SecretFile(folder.path("token"))
                kinds = PairedKind.all(token: shared)
                gateways = kinds.enumerated().map { index, kind in
                    LabGateway(
                        kind.name,
                        on: gatewayHost,
                        listen: "0.0.0.0",
                        isPlain: kind.isPlain,
                        scene: index == 0 ? scene : nil,
                        kind.gatewayOptions + ["--verbose"] + (index == 0 ? ["--pairing", "code"] : [])
                    )
                }
                _ = try await Array(zip(gateways, kinds)).atOnce { try await $0.start(port: $1.port) }
                device = try LabDevice(on: deviceHost)
                self.folder = folder
                let shown = gateways[0].running?.lines.compactMap { $0.text.firstMatch(of: /code: (\S+)/)?.1 }
                code = String(try #require(shown?.first))
                let codeFile = try SecretFile(folder.path("code"), code)
                for (index, kind) in kinds.enumerated() {
                    let options = kind.pairingOptions + (index == 0 ? ["--code-file", codeFile.path] : [])
                    let result = try await device.pair(kind.name, options + ["--verbose"])
                    results.append(("pair \(kind.name)", result))
                }
            }

            /// Returns the tokens of the pairings, and the shared token of the OpenClaw gateway.
            func tokens() async throws -> [String] {
                let tokens = try await device.tokens()
                #expect(Set(tokens).count == kinds.count)
                return tokens + [try String(contentsOfFile: shared.path, encoding: .utf8)]
            }
        }

        @Test func tokensAreInNoOutputLogOrProcess() async throws {
            let sampler = ProcessSampler()
            defer { sampler.end() }
            var stage = try await Stage("secretive", lan: 49)
            let watch = try SessionWatch(of: stage.device, ["--verbose"])
            for kind in stage.kinds { #expect(try await watch.settles(kind.name, "connected"), "\(kind.name)") }
            let tokens = try await stage.tokens()
            let verbs = [
                ["pairings"], ["pairings", "--format", "json"], ["bots", "--verbose"], ["scan", "--verbose"],
                ["device"],
                ["bots", "--format", "json"], ["unpair", "Pinned", "--yes", "--verbose"], ["pairings", "--bin"],
                ["forget", "Address", "--yes"], ["restore", "Address"], ["disconnect", "Lan"],
            ]
            for verb in verbs { stage.results.append((verb.joined(separator: " "), try await stage.device.run(verb))) }
            stage.results.append(("connect", try await watch.stop()))
            var codeHunt = TokenHunt([stage.code])
            for (name, result) in stage.results { codeHunt.search(result, name) }
            for gateway in stage.gateways {
                if let result = try await gateway.stop() { stage.results.append(("gateway \(gateway.name)", result)) }
            }
            sampler.end()

            var hunt = TokenHunt(tokens)
            for (name, result) in stage.results { hunt.search(result, name) }
            let (commands, environments) = (sampler.commands, sampler.environments)
            for command in commands { hunt.search(command, "the command line of \(command.prefix(100))") }
            for environment in environments { hunt.search(environment, "an environment") }
            let files = try stage.device.folders.map { try hunt.search(folder: $0) }.reduce(0, +)
            let logged = stage.results.map { $1.errors.split(separator: "\n").count }.reduce(0, +)
            print(
                """
                no secret in the output of \(stage.results.count) processes, \(logged) lines of their logs, \
                \(commands.count) command lines, \(environments.count) environments, \(files) files of the store
                """
            )
            // The search has covered the relevant command lines, environments, files and logs.
            for program in ["/clawradar pair ", "/clawradar connect ", "/reference-gateway "] {
                #expect(commands.contains { $0.contains(program) }, "no command line of \(program)")
            }
            #expect(environments.contains { $0.contains("XDG_DATA_HOME=\(stage.device.folders[0])") })
            #expect(files >= 2 && logged > 100)
        }

        @Test func aCrashLeavesNoCoreAndNoTokenInItsBacktrace() async throws {
            let (gatewayScene, deviceScene) = (try CrashScene(), try CrashScene())
            let stage = try await Stage("crashing", lan: 51, scene: gatewayScene)
            let watch = try SessionWatch(of: stage.device, scene: deviceScene)
            for kind in stage.kinds { #expect(try await watch.settles(kind.name, "connected"), "\(kind.name)") }
            let tokens = try await stage.tokens()
            let gateway = try #require(stage.gateways[0].running)
            let crashes = [("gateway", gatewayScene, gateway), ("connect", deviceScene, watch.process)]
            for (verb, scene, _) in crashes {
                let limit = try scene.limits().first { $0.hasPrefix("Max core file size") }
                #expect(limit?.split(separator: " ").suffix(3) == ["0", "0", "bytes"], "\(verb)")
            }
            let began = ContinuousClock.now
            let results = try await crashes.atOnce { try await $0.1.crash($0.2) }
            print("a gateway and a device have crashed within \(ContinuousClock.now - began)")
            var hunt = TokenHunt(tokens)
            for ((verb, scene, _), result) in zip(crashes, results) {
                let end = "\(verb): \(result.errors.suffix(2_000))"
                #expect(result.errors.contains("ended 139"), "\(end)")
                // Swift has printed registers and the memory that they point at, where a token could be.
                #expect(result.errors.contains("crashed:") && result.errors.contains("Backtrace took"), "\(end)")
                #expect(!result.errors.contains("core dumped"), "\(end)")
                #expect(try scene.cores() == [], "\(verb)")
                hunt.search(result, "a crash of \(verb)")
            }
        }

        /// Proof that the environment of the previous test produces core files at all: another program leaves one.
        @Test func aCrashOfAnotherProgramLeavesACore() async throws {
            let scene = try CrashScene()
            let process = try Lab.start(on: "h1", scene.command(["sleep", "60"]))
            try await scene.waitUntilRunning()
            let result = try await scene.crash(process)
            #expect(result.errors.contains("ended 139"))
            // If the kernel pipes core files to a program, or writes them to another folder, none can be seen here.
            let pattern = try String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
            guard !pattern.hasPrefix("|"), !pattern.hasPrefix("/") else { return }
            #expect(result.errors.contains("core dumped"), "\(result.errors)")
        }
    }
}
