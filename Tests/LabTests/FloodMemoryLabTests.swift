import Foundation
import Glibc
import Testing

extension LabTests {
    /// The memory of an agent while forged services flood its link, and afterwards.
    @Suite(.enabled(if: Lab.isLong, "it needs the machine to itself: set CLAWRADAR_LAB_LONG"))
    struct FloodMemoryLabTests {
        /// The most that an agent may hold, in kB, and the most that may be left of a flood.
        private static let most = 100 << 10
        private static let remaining = 20 << 10

        /// A flood, and what else goes on.
        private struct Flood: CustomTestStringConvertible {
            let testDescription: String
            let kind: LabHost.Kind
            let lan: Int
            var text = 0
            var readers = 0
            var scans = 0
        }

        /// Returns the anonymous memory of a process in kB: unlike other figures, every user may read this one.
        private static func memory(_ process: LabProcess) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
            return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        }

        /// 16,384 services fit; with long TXT records fewer do. Readers who have stopped, and clients who ask for everything
        /// at the same time, cost no more than that.
        @Test func aFloodTakesLittleMemoryAndGivesItBack() async throws {
            let floods = [
                Flood(
                    testDescription: "own engine, texts, readers, scans",
                    kind: .bare,
                    lan: 78,
                    text: 1_000,
                    readers: 30,
                    scans: 4
                ),
                Flood(testDescription: "own engine", kind: .bare, lan: 79),
                Flood(testDescription: "avahi, readers, scans", kind: .avahi, lan: 61, readers: 30, scans: 4),
            ]
            for flood in floods { try await Self.play(flood) }
        }

        private static func play(_ flood: Flood) async throws {
            let hosts = try await LabHost.add(
                [("flooded-\(flood.lan)", flood.kind, 1), ("flooder-\(flood.lan)", .bare, 1)],
                lan: flood.lan
            )
            let folder = try ScratchFolder.private()
            let environment =
                ["env"]
                + ["RUNTIME_DIR", "DATA_HOME", "STATE_HOME", "CONFIG_HOME"].map {
                    "XDG_\($0)=\(folder.path($0))"
                }
            let socket = "\(folder.path("RUNTIME_DIR"))/clawradar/agent.sock"
            let agent = try Lab.start(on: hosts[0].name, environment + [Lab.clawradar, "agent"])
            // The first scan ends when the agent has looked.
            try await AgentLabTests.waitForSocket(socket, agent)
            _ = try await Lab.run(on: hosts[0].name, environment + [Lab.clawradar, "scan"])
            let before = try memory(agent)
            var peak = before
            var patience = Patience(.seconds(180))
            func look() async throws {
                peak = max(peak, try memory(agent))
                try await Task.sleep(for: patience.step)
            }
            let flooder = try Lab.start(
                on: hosts[1].name,
                [
                    Lab.tool("mdns-strangers"), "10.\(99 + flood.lan).200.1", "--hosts", "--count", "25000", "--rate",
                    "2500",
                ]
                    + ["--ttl", "20", "--txt", "\(flood.text)"]
            )
            var readers: [LabProcess] = []
            while !flooder.lines.contains(where: { $0.text == "sent" }), patience.isLeft() {
                try await look()
                guard readers.count < flood.readers else { continue }
                let url = "http://localhost/api/v1/events"
                let reader = try Lab.start(on: hosts[0].name, "curl", "--silent", "--unix-socket", socket, url)
                reader.signal(SIGSTOP)
                readers.append(reader)
            }
            // The verb would look for itself if the agent took long.
            let ask = ["curl", "--silent", "--max-time", "90", "--unix-socket", socket]
            let scans = try (0..<flood.scans).map { _ in
                try Lab.start(on: hosts[0].name, ask + ["-X", "POST", "http://localhost/api/v1/scan?timeoutMs=2000"])
            }
            while scans.contains(where: \.isRunning), patience.isLeft() { try await look() }
            for scan in scans {
                let end = try await scan.finish(within: .seconds(20))
                #expect(end.output.contains("Stranger "), "\(flood.testDescription): \(end.status), \(end.errors)")
            }
            // The whole list is megabytes, and answering it takes memory, too: it is asked for now and then.
            var pause = ContinuousClock.now + .seconds(20)
            while patience.isLeft() {
                guard ContinuousClock.now >= pause else {
                    try await look()
                    continue
                }
                pause = ContinuousClock.now + .seconds(5)
                let services = try await Lab.run(on: hosts[0].name, ask + ["http://localhost/api/v1/services"])
                guard services.output.contains("Stranger ") || services.output.isEmpty else { break }
                try await look()
            }
            while try memory(agent) > before + remaining, patience.isLeft() { try await look() }
            let after = try memory(agent)
            let result = "\(before) kB before, at most \(peak) kB, \(after) kB after"
            print("\(flood.testDescription), \(Lab.clawradar): \(result)")
            #expect(peak <= most, "\(flood.testDescription)")
            #expect(after <= before + remaining, "\(flood.testDescription)")
            for reader in readers { reader.signal(SIGKILL) }
            try await agent.stop(SIGTERM)
        }
    }
}
