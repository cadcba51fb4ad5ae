import Foundation
import Glibc
import Testing

extension LabTests {
    /// The one-shot query, which accompanies every browse.
    @Suite struct OneShotLabTests {
        /// While the daemon is frozen, the one-shot query alone finds a service and its loss.
        @Test func aServiceIsFoundAndLostWhileTheDaemonIsFrozen() async throws {
            let publisher = try await Publisher.clawradar(on: "h2", "Unseen")
            try await Lab.control("daemon", "h1", "freeze")
            let watch = try Watch(on: "h1")
            let (event, _) = try await watch.event("found", "Unseen", within: .seconds(10))
            #expect(event.service.port == 3_000)
            #expect(!event.service.addresses.isEmpty)
            // The query listens for goodbyes once the daemon has not seen a service for two seconds.
            try #require(try await Lab.run(on: "h1", "sleep", "3").status == 0)
            // The frozen daemon of h1 does not hear the goodbye of the publisher's daemon. The query hears it, asks for
            // the service in vain, and reports the loss.
            try await publisher.stop(SIGKILL)
            let stopped = ContinuousClock.now
            let lost = try await watch.event("lost", "Unseen", within: .seconds(40))
            try await Lab.control("daemon", "h1", "thaw")
            print("goodbye to lost, seen by the query alone: \(lost.time - stopped)")
            #expect(lost.event.reason == "unanswered")
            #expect(lost.time - stopped < .seconds(4))
            try await watch.stop()
        }

        /// For ten seconds the daemon receives announcements of a thousand services a second, and is too busy to report
        /// a gateway.
        @Test(
            "a gateway that starts while the daemon is flooded is found and answers",
            .enabled(if: Lab.isLong, "it fills the caches of all hosts: set CLAWRADAR_LAB_LONG")
        )
        func aFloodedDaemonHidesNoGateway() async throws {
            let watch = try Lab.start(on: "h1", Lab.clawradar, "watch", "--format", "ndjson")
            let flood = try Lab.start(
                on: "h2",
                Lab.tool("mdns-strangers"),
                try await Lab.address("h2"),
                "--count",
                "10000",
                "--rate",
                "1000"
            )
            _ = try await watch.line(within: .seconds(10), "a stranger") { $0.contains("Stranger 50") }
            // The gateway publishes with our engine, since its host's daemon is as busy as all others.
            let gateway = try Lab.start(
                on: "h3",
                Lab.referenceGateway,
                "--plain",
                "--backend",
                "embedded",
                "--name",
                "No stranger",
                "--port",
                "4103",
                "--host",
                "::"
            )
            let published = try await gateway.line(within: .seconds(10), "message that it is published") {
                $0.contains("published")
            }
            let found = try await watch.line(within: .seconds(10), "the gateway's answer") { text in
                guard let row = GatewayEvent(text)?.gateway else { return false }
                return row.name == "No stranger" && row.liveness == "answering"
            }
            print("behind a flooded daemon a gateway answered after \(found.time - published.time)")
            #expect(found.time - published.time < .seconds(3))
            _ = try await flood.finish(within: .seconds(20))
            let result = try await watch.stop(SIGINT)
            #expect(result.status == 0)
            try await gateway.stop()
            try await SharedHosts.forgetServices()
        }

        /// A service that the one-shot query has found first, and the daemon later, is reported as found once. Only its
        /// paths and addresses may change then.
        @Test func theDaemonsLaterSightingChangesOnlyPaths() async throws {
            let publisher = try await Publisher.clawradar(on: "h2", "Steady")
            try await Lab.control("daemon", "h1", "restart")
            let watch = try Watch(on: "h1")
            try await watch.event("found", "Steady")
            // avahi-browse ends when the daemon has resolved the service on every path and has waited a second for
            // more.
            let wait = try await Lab.run(on: "h1", "avahi-browse", "-rpt", "_openclaw._tcp")
            #expect(wait.status == 0)
            let events = watch.events.filter { $0.service.instance == "Steady" }
            #expect(
                events.allSatisfy {
                    $0.event == "found" || $0.changed == ["paths"] || $0.changed == ["addresses", "paths"]
                }
            )
            #expect(!events.contains { $0.event == "lost" })
            try await watch.stop()
            try await publisher.stop()
        }

        @Test func tenServicesOfOneHostAreFoundWithin800Milliseconds() async throws {
            var publishers: [LabProcess] = []
            let names = (0..<10).map { "Of ten \($0)" }
            for name in names {
                let fingerprint = String(repeating: "f", count: 64)
                publishers.append(try await Publisher.clawradar(on: "h2", name, "--fp", fingerprint))
            }
            // Records that were multicast less than a second ago are not repeated (RFC 6762 §6), and Avahi goes on
            // announcing for three seconds.
            try #require(try await Lab.run(on: "h2", "sleep", "5").status == 0)
            // Avahi's unicast answer to the one-shot query contains only a few of the services. The daemon of h1 must
            // not count that query as its own question (RFC 6762 §7.3), since it would then ask only a second later.
            try await Lab.control("daemon", "h1", "restart")
            let watch = try Watch(on: "h1")
            try await watch.found(names)
            let times = watch.process.lines.filter { WatchEvent($0.text)?.event == "found" }.map(\.time)
            let spread = try #require(times.max()) - #require(times.min())
            print("ten services of one host, from the first to the last: \(spread)")
            #expect(spread < .milliseconds(800))
            try await watch.stop()
            let scan = try await Lab.run(on: "h1", Lab.clawradar, "scan", "--format", "json")
            let services = try ScanOutput(scan.output).services.filter { $0.instance.hasPrefix("Of ten") }
            #expect(services.count == 10)
            #expect(services.allSatisfy { $0.port == 3_000 && $0.txt != nil && !$0.addresses.isEmpty })
            for publisher in publishers { try await publisher.stop() }
        }
    }
}
