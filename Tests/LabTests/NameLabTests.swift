import Foundation
import Glibc
import Testing

extension LabTests {
    /// Gateways that are known by the names of their hosts, which lead to other addresses later.
    @Suite struct NameLabTests {
        /// A device with an agent, which knows a name; two hosts, to which that leads in turn; and one gateway, which runs on
        /// either of them.
        private struct Stage {
            static let name = "home.clawradar.test"

            let folder: ScratchFolder
            let device: LabDevice
            let names: NamedHosts
            let hosts: [LabHost]
            private let gateways: [LabGateway]
            private let port: Int

            init(lan: Int, port: Int, isPlain: Bool) async throws {
                let folder = try ScratchFolder.private()
                let found = try await LabHost.add(["a", "b", "d"].map { ("names-\(lan)\($0)", .bare, 1) }, lan: lan)
                (self.folder, self.port) = (folder, port)
                hosts = Array(found[..<2])
                names = try await NamedHosts(for: [Self.name], at: hosts[0], on: found[2])
                gateways = hosts.map { host in
                    let state = ["--no-advertise", "--state", folder.path("gateway.json")]
                    return LabGateway("Home Gateway", on: host, isPlain: isPlain, state)
                }
                device = try LabDevice(
                    on: found[2],
                    environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
                )
            }

            var address: String { "\(Self.name):\(port)" }

            /// Has the gateway, and the name, on one of the hosts.
            func move(to index: Int) async throws {
                for gateway in gateways { try await gateway.stop(SIGKILL) }
                try names.resolve(to: hosts[index])
                try await gateways[index].start(port: port)
            }

            func startAgent() async throws -> LabProcess {
                let agent = try Lab.start(on: device.host.name, device.command(["agent"]))
                let socket = "\(folder.path("run"))/clawradar/agent.sock"
                try await LabTests.AgentLabTests.waitForSocket(socket, agent)
                return agent
            }

            /// Waits for a text in what a command prints.
            ///
            /// - Returns: The time that this took.
            func wait(for text: String, in arguments: [String]) async throws -> Duration {
                let start = ContinuousClock.now
                var patience = Patience(.seconds(90))
                while true {
                    let output = try await device.run(arguments).output
                    if output.contains(text) { return .now - start }
                    guard patience.isLeft() else {
                        throw LabProcess.TimedOut(description: "no \(text) in \(arguments): \(output)")
                    }
                    try await Task.sleep(for: patience.step)
                }
            }
        }

        /// A paired gateway whose name leads to another address is connected there, since it shows its certificate: while the
        /// agent runs, and when that starts again.
        @Test func aPairedGatewayIsFoundWhereItsNameLeads() async throws {
            let stage = try await Stage(lan: 17, port: 4_720, isPlain: false)
            try await stage.move(to: 0)
            try await stage.device.pair(stage.address)
            var agent = try await stage.startAgent()
            _ = try await stage.wait(for: " connected ", in: ["status"])
            try await stage.move(to: 1)
            let start = ContinuousClock.now
            _ = try await stage.wait(for: "\(stage.hosts[1].address):4720", in: ["status"])
            _ = try await stage.wait(for: " connected ", in: ["status"])
            print("names: a paired gateway at another address: connected after \(ContinuousClock.now - start)")
            try await agent.stop()

            try await stage.move(to: 0)
            agent = try await stage.startAgent()
            let again = try await stage.wait(for: " connected ", in: ["status"])
            print("names: the same after a restart: connected after \(again)")
            try await agent.stop()
        }

        /// An entry of the settings by a host name answers at the address to which that leads now.
        @Test func anEntryIsAskedWhereItsNameLeads() async throws {
            let stage = try await Stage(lan: 19, port: 4_722, isPlain: true)
            let config = stage.folder.path("config/clawradar")
            try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
            let content = Data("gateways: [\"\(stage.address)\"]\n".utf8)
            try content.write(to: URL(fileURLWithPath: "\(config)/config.yaml"))
            try await stage.move(to: 0)
            let agent = try await stage.startAgent()
            _ = try await stage.wait(for: "\(stage.hosts[0].address):4722", in: ["scan"])
            try await stage.move(to: 1)
            let time = try await stage.wait(for: "\(stage.hosts[1].address):4722", in: ["scan"])
            print("names: an entry at another address: shown after \(time)")
            let scan = try await stage.device.run(["scan"])
            #expect(scan.status == 0 && scan.output.contains("answering"), "\(scan.output)")
            #expect(!scan.output.contains("gone"), "\(scan.output)")
            try await agent.stop()
        }
    }
}
