import Foundation
import Glibc
import Testing

extension LabTests {
    /// A daemon that comes and goes under a program that publishes.
    @Suite struct HandoverLabTests {
        /// A publication goes to the daemon when one starts, and back to our engine when it crashes; who looks from another
        /// host sees it all the time.
        @Test func aPublicationMovesAndNobodySeesItGo() async throws {
            try await Lab.control("daemon", "h2", "stop")
            let publisher = try await Publisher.clawradar(on: "h2", "Moves")
            let watch = try Watch(on: "h1")
            try await watch.event("found", "Moves")

            try await Lab.control("daemon", "h2", "start")
            try await Lab.control("daemon", "h2", "settle")
            // What a client of the daemon publishes after it takes a second: by then the other has moved.
            let canary = try Publisher.avahi(on: "h2", "Canary of the daemon")
            try await watch.event("found", "Canary of the daemon")
            let own = try await Lab.run(on: "h2", "avahi-browse", "-pt", "--no-db-lookup", "_openclaw._tcp")
            #expect(own.output.contains("Moves"), "\(own.output)")

            try await Lab.control("daemon", "h2", "kill")
            // The engine claims the name (750 ms) and announces it; a host that asks anew hears of it from the engine.
            let wait = try await Lab.run(on: "h2", "sleep", "4")
            #expect(wait.status == 0)
            let fresh = try await Lab.run(on: "h3", Lab.clawradar, "scan", "--no-probe", "--format", "json")
            #expect(try ScanOutput(fresh.output).service("Moves")?.port == 3_000)
            #expect(!watch.events.contains { $0.event == "lost" && $0.service.instance == "Moves" })
            // Its end is a goodbye of the engine's.
            try await publisher.stop(SIGINT)
            try await watch.event("lost", "Moves")
            try await watch.stop()
            try await canary.stop(SIGKILL)
            try await Lab.control("daemon", "h2", "start")
            // Nobody said goodbye for what the crashed daemon had published.
            for host in ["h1", "h3"] { try await Lab.control("daemon", host, "restart") }
            for host in ["h1", "h2", "h3"] { try await Lab.control("daemon", host, "settle") }
        }
    }
}
