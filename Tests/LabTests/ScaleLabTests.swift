import Foundation
import Glibc
import Testing

extension LabTests {
    @Suite(.needsTheMachine) struct ScaleLabTests {
        @Test func findsAll2000ServicesOnceInUnder76Megabytes() async throws {
            try await Lab.control("config", "h1", "cache-entries-max=20000")
            try await Lab.control("daemon", "h1", "restart")
            let publisher = try await Publisher.zeroconf(on: "h4", count: 2_000, prefix: "Many")
            let cold = try await Lab.run(
                on: "h1",
                ["/usr/bin/time", "-f", "%M"] + Self.command(timeout: 40),
                within: .seconds(60)
            )
            let output = try ScanOutput(cold.output)
            let names = output.services.map(\.instance).filter { $0.hasPrefix("Many ") }
            let resolved = output.services.filter { $0.port != nil && $0.txt != nil && !$0.addresses.isEmpty }
            let memory = try #require(Int(cold.errors.split(separator: "\n").last ?? ""))
            print("2,000 services: \(resolved.count) resolved in \(output.elapsedMs) ms, peak \(memory) kB")
            #expect(names.count == 2_000)
            #expect(Set(names).count == 2_000)
            #expect(resolved.count >= 2_000)
            // The limit is for a build without optimization, about half of whose memory is code that is there before anything is
            // looked for: that for the store, for certificates and for the cloud, too.
            #expect(memory < 76_000)

            // How long avahi-daemon takes to list the services depends on the machine. Once they are in its cache, a
            // scan must not print a warning.
            let warm = try await scan(timeout: 40)
            print("2,000 services in the cache of avahi-daemon: \(warm.services.count) in \(warm.elapsedMs) ms")
            #expect(warm.services.count { $0.instance.hasPrefix("Many ") } == 2_000)
            #expect(warm.warnings.isEmpty, "\(warm.warnings)")

            // By default, the cache of avahi-daemon holds about half of the services. Each must be listed once and
            // resolved all the same, since the one-shot query has no such limit.
            try await Lab.control("config", "h1", "cache-entries-max=4096")
            try await Lab.control("daemon", "h1", "restart")
            let delivered = try await scan(timeout: 12)
            let some = delivered.services.map(\.instance)
            print("default cache: \(some.count) listed, \(delivered.services.count { $0.port == nil }) not resolved")
            #expect(Set(some).count == some.count)
            #expect(some.count == 2_000)
            #expect(delivered.services.allSatisfy { $0.port != nil && !$0.addresses.isEmpty })
            try await publisher.stop(SIGKILL)
            try await SharedHosts.restore()
        }

        private static func command(timeout seconds: Int) -> [String] {
            let format = ["--timeout", "\(seconds)", "--format", "json"]
            return [Lab.clawradar, "scan", "--no-probe", "--type", "_openclaw._tcp"] + format
        }

        private func scan(timeout seconds: Int) async throws -> ScanOutput {
            let result = try await Lab.run(
                on: "h1",
                Self.command(timeout: seconds),
                within: .seconds(seconds + 20)
            )
            return try ScanOutput(result.output)
        }
    }
}
