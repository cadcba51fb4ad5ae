import Foundation
import Glibc
import Testing

extension LabTests {
    /// A daemon that starts and crashes while a program publishes on its host.
    @Suite struct HandoverLabTests {
        /// A publication moves to the daemon when one starts, and back to our engine when it crashes. Other hosts must
        /// see it without interruption.
        @Test func aPublicationMovesBetweenEngineAndDaemonWithoutALoss() async throws {
            try await Lab.control("daemon", "h2", "stop")
            let publisher = try await Publisher.clawradar(on: "h2", "Moves")
            let watch = try Watch(on: "h1")
            try await watch.event("found", "Moves")

            try await Lab.control("daemon", "h2", "start")
            try await Lab.control("daemon", "h2", "settle")
            // Publishing through the daemon takes a second. When the canary is found, the publication has moved too.
            let canary = try Publisher.avahi(on: "h2", "Canary of the daemon")
            try await watch.event("found", "Canary of the daemon")
            let own = try await Lab.run(on: "h2", "avahi-browse", "-pt", "--no-db-lookup", "_openclaw._tcp")
            #expect(own.output.contains("Moves"), "\(own.output)")

            try await Lab.control("daemon", "h2", "kill")
            // The engine probes for the name (750 ms) and announces it. A new scan is then answered by the engine.
            let wait = try await Lab.run(on: "h2", "sleep", "4")
            #expect(wait.status == 0)
            let fresh = try await Lab.run(on: "h3", Lab.clawradar, "scan", "--no-probe", "--format", "json")
            #expect(try ScanOutput(fresh.output).service("Moves")?.port == 3_000)
            #expect(!watch.events.contains { $0.event == "lost" && $0.service.instance == "Moves" })
            // The engine sends the goodbye when the publisher ends.
            try await publisher.stop(SIGINT)
            try await watch.event("lost", "Moves")
            try await watch.stop()
            try await canary.stop(SIGKILL)
            // The crashed daemon sent no goodbyes.
            try await SharedHosts.forgetServices()
        }
    }
}
