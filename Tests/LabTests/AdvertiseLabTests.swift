import DNSSD
import Foundation
import GatewayProtocol
import Glibc
import Testing

extension LabTests {
    @Suite struct AdvertiseLabTests {
        @Test func avahiAndZeroconfSeeTheSameTXTBytes() async throws {
            let publisher = try await Publisher.clawradar(
                on: "h1",
                "Home Gateway",
                "--fp",
                "abc123",
                "--bots",
                "3",
                "--ver",
                "3",
                "--txt",
                "note=a=b \"q\""
            )
            var expected = try GatewayAdvertisement.txtRecord(
                fingerprint: GatewayFingerprint("abc123"),
                name: "Home Gateway",
                bots: 3,
                version: 3
            )
            try expected.set("a=b \"q\"", forKey: "note")

            let browse = try await Lab.run(on: "h2", "avahi-browse", "-rpt", "_openclaw._tcp")
            let rows = browse.output.split(separator: "\n").filter { $0.hasPrefix("=") }
            #expect(
                rows.contains { $0.contains("Home\\032Gateway;_openclaw._tcp;local;h1.local;") },
                "\(browse.output)"
            )
            for text in [#""fp=abc123""#, #""name=Home Gateway""#, #""bots=3""#, #""ver=3""#] {
                #expect(rows.allSatisfy { $0.contains(text) }, "\(browse.output)")
            }

            let python = try #require(Lab.zeroconfPython)
            let seen = try await Lab.run(
                on: "h3",
                python,
                Lab.tool("zeroconf-txt"),
                "Home Gateway",
                "_openclaw._tcp",
                try await Lab.address("h3")
            )
            let hex = try expected.encoded().map { String(format: "%02x", $0) }.joined()
            #expect(seen.output == "\(hex) 3000", "\(seen.errors)")
            try await publisher.stop()
        }

        /// Nobody reads the output of `advertise`, and the pipe is full: it must send its goodbye and end all the same.
        /// The test uses our own engine, since a daemon would send the goodbye itself when its client ends.
        @Test func isWithdrawnWhenItsOutputIsBlocked() async throws {
            let watch = try Watch(on: "h2")
            let stuck = """
                mkfifo "$0" && exec 3<>"$0" && rm "$0" && head -c 65536 /dev/zero >&3 && exec "$@" >&3 2>&3
                """
            let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
            let advertise = try Lab.start(
                on: "h1",
                ["bash", "-c", stuck, pipe, Lab.clawradar, "advertise", "--name", "Mute", "--port", "3000"]
                    + ["--backend", "embedded"]
            )
            try await watch.event("found", "Mute")
            let start = ContinuousClock.now
            advertise.signal(SIGTERM)
            let lost = try await watch.event("lost", "Mute")
            #expect(lost.time - start < .seconds(2.5), "a goodbye takes effect after a second (RFC 6762 §10.1)")
            #expect(lost.event.reason == "withdrawn")
            let result = try await advertise.finish(within: .seconds(5))
            #expect(result.status == 0)
            #expect(.now - start < .seconds(4))
            try await watch.stop()
        }

        @Test func isFoundUnderEachTypeAndSubtype() async throws {
            let publisher = try await Publisher.clawradar(
                on: "h1",
                "Twice",
                "--type",
                "_openclaw._tcp,_home",
                "--type",
                "_openclaw-gw._tcp"
            )
            for type in ["_openclaw._tcp", "_home._sub._openclaw._tcp", "_openclaw-gw._tcp"] {
                let browse = try await Lab.run(on: "h2", "avahi-browse", "-rpt", type)
                #expect(browse.output.contains(";Twice;"), "\(type): \(browse.output)")
            }
            let scan = try await Lab.run(
                on: "h2",
                Lab.clawradar,
                "scan",
                "--format",
                "json",
                "--type",
                "_openclaw._tcp,_home"
            )
            #expect(try ScanOutput(scan.output).services.map(\.instance) == ["Twice"])
            try await publisher.stop()
        }

        @Test func aNameConflictRenamesTheSecondService() async throws {
            let first = try await Publisher.clawradar(on: "h2", "Same", "--fp", "one")
            let second = try await Publisher.clawradar(on: "h3", "Same", "--fp", "two")
            #expect(second.lines.contains { $0.text.contains("Same #2") } || second.errorText.contains("Same #2"))
            let watch = try Watch(on: "h1")
            #expect(try await watch.event("found", "Same").event.service.gateway.fingerprint == "one")
            try await watch.stop()
            let scan = try ScanOutput(try await Lab.run(on: "h1", Lab.clawradar, "scan", "--format", "json").output)
            #expect(scan.service("Same")?.gateway.fingerprint == "one")
            #expect(scan.service("Same #2")?.gateway.fingerprint == "two")
            try await first.stop()
            try await second.stop()
        }

        @Test func theOptionInterfaceLimitsThePublication() async throws {
            let publisher = try await Publisher.clawradar(on: "h2", "Only eth1", "--interface", "eth1")
            let watch = try Watch(on: "h1")
            let found = try await watch.event("found", "Only eth1").event
            #expect(Set(found.service.paths.map(\.interface)) == ["eth1"])
            try await watch.stop()
            try await publisher.stop()
        }

        @Test func followsTheHostToItsNewName() async throws {
            let publisher = try await Publisher.clawradar(on: "h2", "Renamed host")
            let watch = try Watch(on: "h1")
            #expect(try await watch.event("found", "Renamed host").event.service.host == "h2.local")
            _ = try await Lab.run(on: "h2", "avahi-set-host-name", "elsewhere")
            let found = try await watch.process.line(within: .seconds(10), "the new host") {
                WatchEvent($0)?.service.host == "elsewhere.local"
            }
            #expect(WatchEvent(found.text)?.service.instance == "Renamed host")
            _ = try await Lab.run(on: "h2", "avahi-set-host-name", "h2")
            try await Lab.control("daemon", "h2", "settle")
            try await watch.stop()
            try await publisher.stop()
        }

        @Test func publishesWhenTheDaemonComesAndAgainWhenItIsRestarted() async throws {
            try await Lab.control("daemon", "h2", "stop")
            let publisher = try Lab.start(
                on: "h2",
                Lab.clawradar,
                "advertise",
                // Otherwise our own engine would publish while there is no daemon.
                "--backend",
                "avahi",
                "--name",
                "Patient",
                "--port",
                "3000",
                "--fp",
                "p"
            )
            let watch = try Watch(on: "h1")
            try await Lab.control("daemon", "h2", "start")
            try await watch.event("found", "Patient")
            try await Lab.control("daemon", "h2", "restart")
            // The daemon sends a goodbye when it stops, and the tool publishes again when it is back.
            try await watch.event("lost", "Patient")
            try await watch.event("found", "Patient")
            try await watch.stop()
            #expect(try await publisher.stop().status == 0)
        }
    }
}
