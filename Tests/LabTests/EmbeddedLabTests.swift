import Foundation
import Glibc
import Testing

extension LabTests {
    /// Browsing with our own engine, on hosts without a daemon and a system bus.
    @Suite struct EmbeddedLabTests {
        /// Adds a host without a daemon and a system bus. Each test has its own host, whose port 5353 nobody else uses.
        private func bareHost(_ name: String) async throws -> String {
            try await Lab.control("host", "add", name, "--no-daemon", "--no-bus")
            return name
        }

        @Test func aBareHostSeesWhatDaemonsPublish() async throws {
            let host = try await bareHost("bare1")
            let publisher = try Publisher.avahi(on: "h2", "Seen by a bare host", port: 4321, txt: ["fp=abc", "bots=2"])
            let watch = try Watch(on: host)
            let found = try await watch.event("found", "Seen by a bare host")
            #expect(found.event.service.host == "h2.local")
            #expect(found.event.service.port == 4321)
            #expect(found.event.service.gateway.fingerprint == "abc")
            // Its addresses may be found one after the other.
            try await watch.paths(2, of: "Seen by a bare host")
            let address = try await Lab.address("h2")
            #expect(watch.events.contains { $0.service.addresses.contains(address) })

            // No option selects a backend: the tool must choose the engine, since there is no daemon, and report it.
            let scan = try await Lab.run(on: host, Lab.clawradar, "scan", "--format", "json")
            let output = try ScanOutput(scan.output)
            #expect(output.backend == "embedded")
            #expect(output.warnings.isEmpty)
            #expect(output.service("Seen by a bare host")?.port == 4321)

            // The service is lost a second after its goodbye (RFC 6762 §10.1).
            publisher.signal(SIGTERM)
            let stopped = ContinuousClock.now
            let lost = try await watch.event("lost", "Seen by a bare host")
            print("goodbye to lost, embedded: \(lost.time - stopped)")
            #expect(lost.time - stopped < .seconds(2.5))
            try await watch.stop()
        }

        /// The goodbye comes over IPv4 only, as when a packet is lost. The engine then reconfirms the records that it
        /// has over IPv6, so that the service is lost after the ten seconds of RFC 6762 §10.4, and not after the 75
        /// minutes of the TTL of its PTR record.
        @Test func aGoodbyeOnOneFamilyReconfirmsTheOther() async throws {
            // In a LAN of their own: the daemons of other hosts would keep what it leaves behind for 75 minutes.
            let host = try await LabHost.add("bare-half", .bare, lan: 120).name
            _ = try await LabHost.add("mute", .avahi, lan: 120)
            let forger = try await LabHost.add("half-forger", .bare, lan: 120).name
            let publisher = try Publisher.avahi(on: "mute", "Half a goodbye")
            let watch = try Watch(on: host)
            try await watch.event("found", "Half a goodbye")
            try await watch.paths(2, of: "Half a goodbye")
            try await Lab.control("daemon", "mute", "kill")
            let forged = try await Lab.run(
                on: forger,
                "python3",
                Lab.tool("forge-goodbye"),
                "--ipv4",
                "Half a goodbye",
                "_openclaw._tcp",
                "eth0"
            )
            #expect(forged.output == "sent", "\(forged.errors)")
            let sent = ContinuousClock.now
            let lost = try await watch.event("lost", "Half a goodbye", within: .seconds(20))
            print("goodbye over IPv4 alone to lost, embedded: \(lost.time - sent)")
            #expect(lost.time - sent > .seconds(5), "it was lost before its records could be reconfirmed over IPv6")
            try await watch.stop()
            publisher.signal(SIGKILL)
        }

        /// Two processes on one host share port 5353: both see all services, also after one of them has ended.
        @Test func twoProcessesOfABareHostSeeTheSame() async throws {
            let host = try await bareHost("bare2")
            let publisher = try Publisher.avahi(on: "h2", "Seen twice")
            let first = try Watch(on: host)
            let second = try Watch(on: host, "--backend", "embedded")
            try await first.event("found", "Seen twice")
            try await second.event("found", "Seen twice")
            // The second process goes on receiving packets when the first one has ended.
            try await first.stop()
            let later = try Publisher.avahi(on: "h3", "Comes later")
            try await second.event("found", "Comes later")
            try await later.stop()
            try await second.event("lost", "Comes later")
            try await second.stop()
            try await publisher.stop()
        }

        @Test func aLinkThatComesBackIsUsedAgain() async throws {
            let host = try await bareHost("bare3")
            let publisher = try Publisher.avahi(on: "h2", "Still there")
            let watch = try Watch(on: host, "--backend", "embedded")
            try await watch.event("found", "Still there")
            try await Lab.control("link", host, "eth0", "down")
            try await watch.event("lost", "Still there")
            try await Lab.control("link", host, "eth0", "up")
            let up = ContinuousClock.now
            let found = try await watch.event("found", "Still there")
            print("interface up to found, embedded: \(found.time - up)")
            #expect(found.time - up < .seconds(3))
            try await watch.stop()
            try await publisher.stop()
        }

        /// A watch changes from our engine to a daemon that starts, and back when it stops, without reporting a loss.
        @Test func aDaemonThatComesTakesOverWithoutALoss() async throws {
            try await Lab.control("host", "add", "late", "--no-daemon")
            let publisher = try Publisher.avahi(on: "h2", "Stays")
            let watch = try Watch(on: "late")
            try await watch.event("found", "Stays")
            try await Lab.control("daemon", "late", "start")
            let second = try Publisher.avahi(on: "h3", "Seen by the daemon")
            try await watch.event("found", "Seen by the daemon")
            try await Lab.control("daemon", "late", "stop")
            let third = try Publisher.avahi(on: "h3", "Seen by the engine")
            try await watch.event("found", "Seen by the engine")
            #expect(!watch.events.contains { $0.event == "lost" })
            try await watch.stop()
            for process in [publisher, second, third] { try await process.stop() }
        }

        @Test func aHundredServicesAreFoundWithThirtyPercentLoss() async throws {
            let host = try await bareHost("bare4")
            let publisher = try await Publisher.zeroconf(on: "h4", count: 100, prefix: "Lossy")
            try await Lab.control("loss", host, "30")
            let start = ContinuousClock.now
            let watch = try Watch(on: host, "--backend", "embedded")
            let found = await InProcess.wait(within: .seconds(10)) {
                Set(watch.events.filter { $0.event == "found" }.map(\.service.instance)).count >= 100
            }
            print("100 services with 30 % loss, embedded: \(ContinuousClock.now - start)")
            #expect(found)
            try await watch.stop()
            try await publisher.stop()
        }

        @Test(
            "in a flood of forged services a real one is found, and memory stays within its limit",
            .enabled(if: Lab.isLong, "it fills the caches of all hosts: set CLAWRADAR_LAB_LONG"),
            arguments: ["one", "many"]
        )
        func aFloodHidesNobody(sources: String) async throws {
            let host = try await bareHost("flooded-\(sources)")
            let watch = try Watch(on: host, "--backend", "embedded", "--no-probe")
            let flood = try Lab.start(on: "h2", Lab.tool("mdns-flood"), "10", sources)
            // The publisher's daemon receives nothing: otherwise the flood would keep it too busy to publish.
            try await Lab.control("loss", "h3", "100")
            _ = try await watch.process.line(within: .seconds(10), "a forged service") { $0.contains("Forged ") }
            let start = ContinuousClock.now
            let publisher = try Publisher.avahi(on: "h3", "Not forged")
            let found = try await watch.event("found", "Not forged")
            print("found in a flood from \(sources): \(found.time - start) after its publisher started")
            #expect(found.time - start < .seconds(3))
            let sent = try await flood.finish(within: .seconds(20)).output
            let status = try String(contentsOfFile: "/proc/\(watch.process.pid)/status", encoding: .utf8)
            let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }?.split(separator: " ")
                .compactMap { Int($0) }.first
            print("flood from \(sources): \(sent), peak \(peak ?? 0) kB")
            // The limit is for the tool without optimization, which remembers what it has printed; the library needs less.
            #expect(try #require(peak) < 150_000)
            try await watch.stop()
            try await Lab.control("loss", "h3", "0")
            try await publisher.stop()
            try await SharedHosts.forgetServices()
        }
    }
}
