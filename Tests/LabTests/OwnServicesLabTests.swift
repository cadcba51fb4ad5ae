import Foundation
import Glibc
import Testing

extension LabTests {
    /// Services at an address of the watching host: they are its own only if the host itself publishes them.
    @Suite struct OwnServicesLabTests {
        /// Returns for each service whether `watch` on h1 finally considered it as its host's own, according to a
        /// recording.
        private func ownership(_ names: [String], _ arguments: String...) async throws -> [String: Bool] {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("own-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: file) }
            let watch = try Lab.start(
                on: "h1",
                [Lab.clawradar, "watch", "--format", "ndjson", "--record", file] + arguments
            )
            var patience = Patience(.seconds(20))
            var seen: [String: Bool] = [:]
            while patience.isLeft() {
                let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
                for line in text.split(separator: "\n") {
                    for name in names where line.contains("\"\(name)\"") {
                        seen[name] = line.contains("\"isOwn\":true")
                    }
                }
                if names.allSatisfy({ seen[$0] != nil }), seen.values.contains(true) { break }
                try await Task.sleep(for: patience.step)
            }
            try await watch.stop(SIGINT)
            return seen
        }

        /// A service that a program on this host publishes with an mDNS responder of its own, as OpenClaw's gateway
        /// does, is the host's own. A service that another host publishes with this host's address is not.
        @Test(arguments: ["avahi", "bonjour", "embedded"])
        func onlyServicesPublishedOnThisHostAreItsOwn(backend: String) async throws {
            let own = try await Publisher.zeroconf(on: "h1", count: 1, prefix: "Mine \(backend)")
            let here = try await Lab.address("h1")
            let forged = try await Publisher.zeroconf(
                on: "h2",
                count: 1,
                prefix: "Not mine \(backend)",
                targets: [here]
            )
            let seen = try await ownership(
                ["Mine \(backend) 0000", "Not mine \(backend) 0000"],
                "--backend",
                backend
            )
            #expect(seen == ["Mine \(backend) 0000": true, "Not mine \(backend) 0000": false])
            for process in [own, forged] { try await process.stop(SIGINT) }
        }

        /// A service that another program publishes through this host's daemon is the host's own.
        @Test func servicesPublishedThroughTheDaemonAreItsHostsOwn() async throws {
            let own = try Publisher.avahi(on: "h1", "Through the daemon")
            let seen = try await ownership(["Through the daemon"], "--backend", "avahi")
            #expect(seen == ["Through the daemon": true])
            try await own.stop(SIGINT)
        }
    }
}
