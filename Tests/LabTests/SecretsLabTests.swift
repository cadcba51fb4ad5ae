import Foundation
import Glibc
import Testing

extension LabTests {
    /// Tokens are nowhere but in the sealed store and on the wire: not in output, logs, command lines or environments,
    /// nor in what a crash leaves.
    @Suite struct SecretsLabTests {
        /// A host with a gateway of every kind, and a device that is paired with all of them. Everything is as
        /// talkative as it can be.
        private struct Stage {
            let folder: ScratchFolder
            let shared: SecretFile
            let kinds: [PairedKind]
            let gateways: [LabGateway]
            let device: LabDevice
            /// The one-time code with which the first was paired; its gateway prints it.
            let code: String
            var hunted: [(String, LabProcess.Result)] = []

            /// - Parameter scene: Where the first gateway is run; it is not to crash if not given.
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
                    hunted.append(("pair \(kind.name)", result))
                }
            }

            /// Everything that opens something, of those that have been made.
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
            for verb in verbs { stage.hunted.append((verb.joined(separator: " "), try await stage.device.run(verb))) }
            stage.hunted.append(("connect", try await watch.stop()))
            var ofCode = TokenHunt([stage.code])
            for (name, result) in stage.hunted { ofCode.search(result, name) }
            for gateway in stage.gateways {
                if let result = try await gateway.stop() { stage.hunted.append(("gateway \(gateway.name)", result)) }
            }
            sampler.end()

            var hunt = TokenHunt(tokens)
            for (name, result) in stage.hunted { hunt.search(result, name) }
            let (commands, environments) = (sampler.commands, sampler.environments)
            for command in commands { hunt.search(command, "the command line of \(command.prefix(100))") }
            for environment in environments { hunt.search(environment, "an environment") }
            let files = try stage.device.folders.map { try hunt.search(folder: $0) }.reduce(0, +)
            let logged = stage.hunted.map { $1.errors.split(separator: "\n").count }.reduce(0, +)
            print(
                """
                no secret in the output of \(stage.hunted.count) processes, \(logged) lines of their logs, \
                \(commands.count) command lines, \(environments.count) environments, \(files) files of the store
                """
            )
            // It has looked where they might have been.
            for verb in ["pair", "connect", "gateway"] {
                #expect(commands.contains { $0.contains("/clawradar \(verb) ") }, "no command line of \(verb)")
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
                // Swift has looked at it, registers and what they point at: else there would be nothing to find.
                #expect(result.errors.contains("crashed:") && result.errors.contains("Backtrace took"), "\(end)")
                #expect(!result.errors.contains("core dumped"), "\(end)")
                #expect(try scene.cores() == [], "\(verb)")
                hunt.search(result, "a crash of \(verb)")
            }
        }

        /// The system does leave cores here, where it lets any program.
        @Test func aCrashOfAnotherProgramLeavesACore() async throws {
            let scene = try CrashScene()
            let process = try Lab.start(on: "h1", scene.command(["sleep", "60"]))
            try await scene.waitUntilRunning()
            let result = try await scene.crash(process)
            #expect(result.errors.contains("ended 139"))
            // Where the system hands cores to a program of its own, there is none to be seen.
            let pattern = try String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
            guard !pattern.hasPrefix("|"), !pattern.hasPrefix("/") else { return }
            #expect(result.errors.contains("core dumped"), "\(result.errors)")
        }
    }
}
