import Foundation
import Testing

extension LabTests {
    /// Another process that keeps the store of pairings locked.
    @Suite struct LockedStoreLabTests {
        private static let count = 50
        private static let port = 3_000

        /// The time between two pings of a session: 20 pings a second for all of them.
        private static let pingInterval = 2_500

        /// For 20 s, no session is silent for longer than between two pings. Then Ctrl-C ends the command in time, with
        /// the store still locked.
        @Test func itDelaysNoPingAndNoEnd() async throws {
            let hosts = try await LabHost.add([("locked-home", .bare, 1), ("locked-user", .bare, 1)], lan: 87)
            let (home, device, folder) = (hosts[0], try LabDevice(on: hosts[1]), try ScratchFolder())
            let farms = folder.path("farm")
            try FileManager.default.createDirectory(atPath: farms, withIntermediateDirectories: true)
            let farm = try Lab.start(
                on: home.name,
                Lab.testTool,
                "gateway-farm",
                "\(Self.count)",
                "\(Self.port)",
                "Farm",
                farms
            )
            _ = try await farm.line(within: .seconds(30), "message that all listen") { $0 == "ready" }
            let ports = Self.port..<Self.port + Self.count
            let list = folder.path("places")
            try ports.map { "\(home.address) \($0)\n" }.joined().write(toFile: list, atomically: true, encoding: .utf8)
            let places = ["XDG_DATA_HOME=\(device.folders[0])", "XDG_STATE_HOME=\(device.folders[1])"]
            let command = "exec \(Lab.testTool) session-bench pair <\(list)"
            let paired = try await Lab.run(
                on: device.host.name,
                ["env"] + places + ["bash", "-c", command],
                within: .seconds(60)
            )
            try #require(paired.output.hasSuffix("paired \(Self.count)"), "\(paired.output) \(paired.errors)")

            let sessions = try SessionWatch(of: device)
            for index in 0..<Self.count {
                #expect(try await sessions.settles("Farm \(index)", "connected", within: .seconds(30)))
            }
            let database = "\(device.folders[0])/clawradar/pairings.sqlite"
            let lock = try Lab.start(
                on: device.host.name,
                Lab.tool("lock-store"),
                database,
                "20",
                "\(Self.port)",
                "\(Self.port + Self.count - 1)"
            )
            let line = try await lock.line(within: .seconds(40), "longest silence") { $0.hasPrefix("silent ") }.text
            let found = try #require(line.firstMatch(of: /silent (\d+) of (\d+)/))
            #expect(Int(found.output.2) == Self.count, "\(line)")
            #expect(try #require(Int(found.output.1)) <= Self.pingInterval + 500, "\(line)")
            let start = ContinuousClock.now
            let ended = try await sessions.process.stop(SIGINT)
            print("\(line); ended after \(ContinuousClock.now - start)")
            #expect(ContinuousClock.now - start < .seconds(2))
            #expect(ended.status == 0, "\(ended.errors)")
        }
    }
}
