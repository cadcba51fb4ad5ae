import Foundation
import Glibc
import Testing

extension LabTests {
    /// A thousand gateways, and a thousand forged services. The tests take minutes, or more hosts than others:
    ///
    ///     CLAWRADAR_LAB_LONG=1 scripts/lab run 51 --ipv4-only $(printf -- '--no-daemon h%d ' $(seq 2 51)) -- \
    ///         swift test --skip-build --filter CrowdLabTests
    ///
    /// One process publishes the services of all hosts, since fifty daemons that each hear of a thousand services would
    /// keep two cores busy.
    @Suite(.enabled(if: Lab.isLong, "they take minutes: set CLAWRADAR_LAB_LONG")) struct CrowdLabTests {
        /// The figures that `scan-recorder` prints about its scanner.
        private struct Figures {
            let asked: Int
            let endpoints: Int
            let answered: Int
            let slowest: Int
            let sockets: Int
            let peak: Int

            init?(_ line: String) {
                let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
                guard line.hasPrefix("asked"), numbers.count == 6 else { return nil }
                (asked, endpoints, answered) = (numbers[0], numbers[1], numbers[2])
                (slowest, sockets, peak) = (numbers[3], numbers[4], numbers[5])
            }
        }

        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/run/lab/h51"), "needs 51 hosts"))
        func aThousandGatewaysOnFiftyHosts() async throws {
            try await Lab.control("config", "h1", "cache-entries-max=20000")
            try await Lab.control("daemon", "h1", "restart")
            let farms = try (2...51).map { host in
                try Lab.start(on: "h\(host)", [Lab.testTool, "gateway-farm", "20", "5000", "Farm \(host)"])
            }
            for farm in farms {
                _ = try await farm.line(within: .seconds(90), "message that all listen") { $0 == "ready" }
            }
            var addresses: [String] = []
            for host in 2...51 { addresses.append(try await Lab.address("h\(host)")) }
            let publisher = try await Publisher.zeroconf(
                on: "h2",
                count: 1_000,
                prefix: "Farm",
                port: 5_000,
                targets: addresses
            )
            let scanner = try Lab.start(on: "h1", [Lab.testTool, "scan-recorder"])
            let line = try await scanner.line(within: .seconds(60), "a thousand answers") {
                guard let figures = Figures($0) else { return false }
                return figures.answered >= 1_000 && figures.asked == figures.endpoints
            }
            // The number of sockets is read again later, when the scanner only repeats its checks.
            let later = try? await scanner.line(within: .seconds(10), "new figures") { Figures($0) != nil }
            let figures = try #require(Figures(later?.text ?? line.text))
            print("1,000 gateways: \(line.text); later: \(later?.text ?? "the same")")
            #expect(figures.slowest <= 4_000)
            #expect(figures.sockets <= 32)
            #expect(figures.peak < 80_000)
            try await scanner.stop(SIGKILL)
            try await publisher.stop(SIGKILL)
            for farm in farms { farm.signal(SIGKILL) }
            try await SharedHosts.restore()
        }

        /// A thousand forged services are advertised at the address of a victim: the scanner must not connect to it
        /// more than sixty times a minute.
        @Test func forgedServicesCauseFewConnectionsToTheirVictim() async throws {
            let victim = try await Lab.address("h3")
            let counter = try Lab.start(on: "h3", ["python3", Lab.tool("count-connections"), "20000", "1000"])
            _ = try await counter.line(within: .seconds(10), "message that it listens") { $0 == "ready" }
            let forger = try await Publisher.zeroconf(on: "h2", count: 1_000, prefix: "Forged", targets: [victim])
            let scanner = try Lab.start(on: "h1", [Lab.testTool, "scan-recorder"])
            // The test counts for two minutes, and then looks for the minute with the most connections.
            await #expect(throws: LabProcess.TimedOut.self) {
                try await counter.line(within: .seconds(125), "the end of the counter") { $0 == "end" }
            }
            let times = counter.lines.filter { $0.text == "connection" }.map(\.time)
            var most = 0
            for (index, time) in times.enumerated() {
                most = max(most, times[index...].prefix { $0 - time < .seconds(60) }.count)
            }
            print("1,000 forged services: \(times.count) connections in 125 s, at most \(most) in a minute")
            #expect(times.count > 20)
            #expect(most <= 60)
            try await scanner.stop(SIGKILL)
            try await forger.stop(SIGKILL)
            try await counter.stop(SIGKILL)
            try await SharedHosts.forgetServices()
        }
    }
}
