import Foundation
import GatewayProtocol
import Glibc
import Testing

/// The agent as a service manager runs it.
extension LabTests.AgentLabTests {
    /// Whatever ends the agent, its sessions and its advertisement are back soon after, and nothing that is paired is lost.
    @Test func theAgentIsBackSoonWhateverEndsIt() async throws {
        let folder = try ScratchFolder()
        let gateway = LabGateway("Kept again", on: try await LabHost("h2", .avahi), isPlain: false)
        try await gateway.start(port: 4_341)
        let own = LabGateway("Advertised again", on: try await LabHost("h1", .avahi), ["--no-advertise"])
        try await own.start(port: 4_342)
        let device = try LabDevice(
            on: try await LabHost("h1", .avahi),
            environment: ["XDG_RUNTIME_DIR=\(folder.path("run"))", "XDG_CONFIG_HOME=\(folder.path("config"))"]
        )
        try await device.pair("Kept again")
        let pairings = try await device.pairings().map(\.id)
        let configuration = folder.path("config/clawradar")
        try FileManager.default.createDirectory(atPath: configuration, withIntermediateDirectories: true)
        let text = "advertise:\n  - gateway: 127.0.0.1:4342\n"
        try text.write(toFile: "\(configuration)/config.yaml", atomically: true, encoding: .utf8)

        let unit = try await device.run(["agent", "install", "--print"])
        let supervisor = try Supervisor(
            unit: unit.output,
            on: "h1",
            environment: Array(device.command([]).dropLast()),
            watchdog: .seconds(3)
        )
        let socket = "\(folder.path("run"))/clawradar/agent.sock"
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await supervisor.run() }
            defer { group.cancelAll() }
            try await Self.waitUntilAllIsThere(socket, within: .seconds(20))
            for (name, signal) in [("SIGKILL", SIGKILL), ("SIGSEGV", SIGSEGV), ("the watchdog", SIGSTOP)] {
                let before = try #require(supervisor.process).pid
                try #require(supervisor.process).signal(signal)
                var patience = Patience(.seconds(20))
                while supervisor.process.map({ $0.pid == before }) ?? true {
                    guard patience.isLeft() else { throw LabProcess.TimedOut(description: "no restart after \(name)") }
                    try await Task.sleep(for: .milliseconds(20))
                }
                try await Self.waitUntilAllIsThere(socket, within: .seconds(20))
                let elapsed = ContinuousClock.now - supervisor.lastEnd
                print("all is back \(elapsed) after the end by \(name)")
                #expect(elapsed < .seconds(3), "\(name)")
                #expect(try await device.pairings().map(\.id) == pairings)
                // Others see what it advertises, too.
                let seen = try await Lab.run(on: "h3", Lab.clawradar, "scan")
                #expect(seen.output.contains("Advertised again"), "\(name): \(seen.output) \(seen.errors)")
            }
        }
        try await gateway.stop()
        try await own.stop()
    }

    /// Waits until the session is connected and the gateway of this host is advertised, as the agent says.
    private static func waitUntilAllIsThere(_ socket: String, within limit: Duration) async throws {
        var patience = Patience(limit)
        var answer = ""
        while patience.isLeft() {
            let url = "http://localhost/api/v1/status"
            answer = try await Lab.run(on: "h1", "curl", "--silent", "--unix-socket", socket, url).output
            let status = try? JSONValue(parsing: Array(answer.utf8))
            let isConnected = status?["gateways"]?.array?.first?["state"]?.string == "connected"
            let advertiser = status?["agent"]?["parts"]?.array?
                .first { $0["name"]?.string?.hasPrefix("advertiser") == true }
            if isConnected, advertiser?["state"]?.string == "running" { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw LabProcess.TimedOut(description: "not all is there: \(answer)")
    }
}
