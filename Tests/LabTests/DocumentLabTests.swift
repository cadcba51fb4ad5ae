import Foundation
import TestSupport
import Testing

extension LabTests {
    /// The commands in the README and in `docs/` work as they are printed there.
    @Suite struct DocumentLabTests {
        /// The LAN of the gateways that the documents are about, and those of the hosts that only run one of their own:
        /// its name would be taken on the first.
        private static let lan = 90
        private static let ownLANs = ["advertise": 91, "reference-gateway": 92]

        /// The gateways and other things that the documents are about.
        private struct Stage {
            let user: LabHost
            private let studio: LabHost
            private let own: [String: LabHost]
            let folder = try? ScratchFolder()
            private let gateways: [LabGateway]
            private let others: [LabProcess]

            init() async throws {
                let hosts = try await LabHost.add(
                    ["user", "home", "studio", "pad"].map { ("docs-\($0)", .bare, 1) },
                    lan: DocumentLabTests.lan
                )
                (user, studio) = (hosts[0], hosts[2])
                var own: [String: LabHost] = [:]
                for (verb, lan) in DocumentLabTests.ownLANs {
                    own[verb] = try await LabHost.add("docs-\(verb)", .bare, lan: lan)
                }
                self.own = own
                let folder = try #require(folder)
                // The gateway opens its socket only in a folder that others cannot enter.
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path(""))
                let bots = ["--bot", "bot-2=Friday:🧹"]
                let home = LabGateway(
                    "Home Gateway",
                    on: hosts[1],
                    isPlain: false,
                    bots + ["--state", folder.path("home.json")]
                )
                try await home.start(port: 3_000)
                let claw = LabGateway(
                    "Studio",
                    on: hosts[2],
                    isPlain: false,
                    ["--dialect", "openclaw", "--state", folder.path("openclaw.json")]
                )
                try await claw.start(port: 18_789)
                let pad = LabGateway("Old Pad", on: hosts[3], ["--dialect", "bridge"])
                try await pad.start(port: 18_790)
                let local = try #require(own["advertise"])
                let hidden = LabGateway("Home Gateway", on: local, bots + ["--no-advertise"])
                try await hidden.start(port: 3_000)
                gateways = [home, claw, pad, hidden]
                let desk = try Lab.start(on: hosts[3].name, Lab.tool("tcp-peer"), "banner", "22")
                _ = try await desk.line(within: .seconds(10), "message that it listens") { $0 == "ready" }
                others = [
                    desk, try await Publisher.clawradar(on: hosts[3].name, "desk", "--port", "22"),
                    try await Publisher.clawradar(on: hosts[3].name, "dead", "--port", "9"),
                ]
            }

            func end() async throws {
                for process in others { try await process.stop() }
                for gateway in gateways { try await gateway.stop() }
            }

            /// Runs a command line in a shell, in which `clawradar` is the tool and `reference-gateway` the gateway, with
            /// the home folder of one user. A verb that does not end by itself is ended after a few seconds.
            func run(_ line: String, verb: String?, home: String) async throws -> LabProcess.Result {
                let isAtStudio = line.contains("reference-gateway devices")
                let host = isAtStudio ? studio : verb.flatMap { own[$0] } ?? user
                let script = """
                    set -o pipefail
                    mkdir -p \(home)/.local/share/bash-completion/completions \(home)/.zfunc \
                        \(home)/.config/fish/completions
                    cd \(isAtStudio ? folder?.path("") ?? "/" : home)
                    clawradar() {
                        case $1 in
                            watch | connect | advertise | agent)
                                timeout --foreground --preserve-status -s INT 5 \(Lab.clawradar) "$@" ;;
                            *) \(Lab.clawradar) "$@" ;;
                        esac
                    }
                    reference-gateway() {
                        timeout --foreground --preserve-status -s INT 5 \(Lab.referenceGateway) "$@"
                    }
                    \(line)
                    """
                let environment = [
                    "-u", "XDG_DATA_HOME", "-u", "XDG_STATE_HOME", "HOME=\(home)", "NO_COLOR=1",
                    // Other tests must not ask the agent of this one.
                    "XDG_RUNTIME_DIR=\(home)/run",
                ]
                return try await Lab.run(
                    on: host.name,
                    ["env"] + environment + ["bash", "-c", script],
                    within: .seconds(60)
                )
            }
        }

        /// Every command succeeds, and prints the lines that follow it in the document, apart from numbers, addresses
        /// and digests. One with `jq` prints something, and not `null`.
        @Test func everyCommandWorks() async throws {
            let stage = try await Stage()
            for file in try DocumentedCommand.files() {
                let home = try #require(stage.folder).path(file.replacing("/", with: "-"))
                let commands = try DocumentedCommand.all(in: file)
                let verbs = Set(commands.compactMap { $0.arguments?.first })
                // A document that is about pairings, and does not show how to pair, is about a device that is paired.
                if verbs.contains("pairings"), !verbs.contains("pair") {
                    let pairing = "clawradar pair 'Home Gateway' --yes --bots Jarvis && clawradar unpair Jarvis --yes"
                    let paired = try await stage.run(
                        "\(pairing) && clawradar pair 'Home Gateway' --yes",
                        verb: nil,
                        home: home
                    )
                    try #require(paired.status == 0, "\(paired.errors)")
                }
                for command in commands {
                    let isGateway = command.program == "reference-gateway"
                    let verb = isGateway ? command.program : command.arguments?.first
                    let result = try await stage.run(command.line, verb: verb, home: home)
                    check(command, result)
                }
            }
            try await stage.end()
        }

        private func check(_ command: DocumentedCommand, _ result: LabProcess.Result) {
            #expect(result.status == 0, "\(command): \(result.errors)")
            let printed = Set(result.output.split(separator: "\n").map { Self.pattern(String($0)) })
            for line in command.output where !printed.contains(Self.pattern(line)) {
                Issue.record("\(command) does not print “\(line)”, but:\n\(result.output)\n\(result.errors)")
            }
            guard command.line.contains("| jq") else { return }
            // Nothing is lost, and no device waits, while this test runs.
            let mayBeEmpty = command.line.contains("\"lost\"") || command.line.contains(".pending")
            #expect(mayBeEmpty || !result.output.isEmpty, "\(command) prints nothing")
            #expect(!result.output.split(separator: "\n").contains("null"), "\(command) prints null")
        }

        /// Returns a line without what differs from network to network and from run to run.
        private static func pattern(_ line: String) -> String {
            line.replacing(/[0-9a-f]{6,}…?|[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]+/, with: "HEX")
                .replacing(/\[fe80[^\]]*\]|[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+/, with: "ADDRESS")
                .replacing(/[0-9]+(\.[0-9]+)? ms/, with: "TIME").replacing(/[0-9]{2}:[0-9]{2}:[0-9]{2}/, with: "CLOCK")
                .split(separator: " ").joined(separator: " ")
        }
    }
}
