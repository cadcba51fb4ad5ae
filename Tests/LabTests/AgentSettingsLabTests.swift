import Foundation
import Glibc
import Testing

extension LabTests {
    /// The effect of each setting of `config.yaml`, on the commands and on an agent.
    @Suite struct AgentSettingsLabTests {
        /// The commands do what the file says of types, interfaces and trust.
        @Test func theCommandsDoWhatTheFileSays() async throws {
            let folder = try ScratchFolder()
            let file = try Self.file(folder)
            let gateway = LabGateway("By setting", on: try await LabHost("h2", .avahi))
            try await gateway.start(port: 4_340)
            let device = try LabDevice(
                on: try await LabHost("h1", .avahi),
                environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            )
            for (content, isFound) in [
                ("", true), ("types: [_clawline._tcp]", false), ("interfaces: [lo]", false),
                ("interfaces: [eth0, eth1]\ntypes: [_openclaw._tcp, _optaplus._tcp, _openclaw-gw._tcp]", true),
            ] {
                try "\(content)\n".write(toFile: file, atomically: true, encoding: .utf8)
                let scan = try await device.run(["scan"])
                #expect(scan.output.contains("By setting") == isFound, "\(content): \(scan.output) \(scan.errors)")
            }
            // What the command line says comes first.
            try "types: [_clawline._tcp]\ninterfaces: [lo]\n".write(toFile: file, atomically: true, encoding: .utf8)
            let types = ["--type", "_openclaw._tcp", "--type", "_optaplus._tcp", "--type", "_openclaw-gw._tcp"]
            let scan = try await device.run(["scan", "--interface", "eth0"] + types)
            #expect(scan.output.contains("By setting"), "\(scan.output) \(scan.errors)")

            // Only what the user has chosen says how a gateway without TLS is trusted.
            let address = try await Lab.address("h2", "eth0")
            let pair = ["pair", "\(address):4340", "--yes", "--timeout", "20"]
            try "".write(toFile: file, atomically: true, encoding: .utf8)
            let refused = try await device.run(pair)
            #expect(refused.status == 64 && refused.errors.contains("--trust address"), "\(refused.errors)")
            try "trust: address\n".write(toFile: file, atomically: true, encoding: .utf8)
            let paired = try await device.run(pair)
            #expect(paired.status == 0, "\(paired.errors)")
            #expect(try await device.run(["pairings", "--format", "json"]).output.contains(#""kind":"address""#))
            try await gateway.stop()
        }

        /// An agent answers at the port of the file as soon as it is saved, and writes metrics to its file, until it is
        /// taken out.
        @Test func theAgentDoesWhatTheFileSays() async throws {
            let folder = try ScratchFolder()
            let file = try Self.file(folder)
            let gateway = LabGateway("Other type", on: try await LabHost("h2", .avahi))
            try await gateway.start(port: 4_341)
            let device = try LabDevice(
                on: try await LabHost("h1", .avahi),
                environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
            )
            let scope = "types: [_clawline._tcp]\n"
            try scope.write(toFile: file, atomically: true, encoding: .utf8)
            let agent = try Lab.start(on: "h1", device.command(["agent"]))
            try await AgentLabTests.waitForSocket("\(folder.path("run"))/clawradar/agent.sock", agent)
            let scan = try await device.run(["scan"])
            #expect(!scan.output.contains("Other type"), "\(scan.output)")

            let metrics = folder.path("clawradar.prom")
            let more = "port: 7431\nmetrics-file: \(metrics)\n"
            try (scope + more).write(toFile: file, atomically: true, encoding: .utf8)
            agent.signal(SIGHUP)
            func answers(_ port: Int) async throws -> Bool {
                let command = ["curl", "--silent", "--include", "http://127.0.0.1:\(port)/health/live"]
                return try await Lab.run(on: "h1", command).output.contains(" 200 ")
            }
            func wait(_ what: String, _ isIt: () async throws -> Bool) async throws {
                var patience = Patience(.seconds(15))
                while try await !isIt() {
                    guard patience.isLeft() else { throw LabProcess.TimedOut(description: what) }
                    try await Task.sleep(for: patience.step)
                }
            }
            try await wait("an answer at the port") { try await answers(7_431) }
            try await wait("metrics") {
                (try? String(contentsOfFile: metrics, encoding: .utf8))?.contains("clawradar_part_up") == true
            }
            try "types: []\nport: 7432\n".write(toFile: file, atomically: true, encoding: .utf8)
            agent.signal(SIGHUP)
            try await wait("an answer at the other port") { try await answers(7_432) }
            #expect(try await !answers(7_431))
            try await wait("the end of the metrics") { !FileManager.default.fileExists(atPath: metrics) }
            let status = try await device.run(["agent", "status"])
            #expect(
                status.output.contains("types, interfaces, domains and server stay as they were"),
                "\(status.output)"
            )
            #expect(try await agent.stop(SIGTERM).status == 0)
            try await gateway.stop()
        }

        private static func file(_ folder: ScratchFolder) throws -> String {
            let path = folder.path("config/clawradar")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            return path + "/config.yaml"
        }
    }
}
