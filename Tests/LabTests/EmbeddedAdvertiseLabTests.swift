import DNSSD
import Foundation
import GatewayProtocol
import Glibc
import Testing

extension LabTests {
    /// The services that our own engine publishes on a host without a daemon and a system bus, as other hosts see them.
    @Suite struct EmbeddedAdvertiseLabTests {
        private static func addBareHost(_ name: String) async throws {
            try await Lab.control("host", "add", name, "--no-daemon", "--no-bus")
        }

        private static func publish(on host: String, _ name: String, _ arguments: String...) async throws -> LabProcess
        {
            let command = [Lab.clawradar, "advertise", "--backend", "embedded", "--name", name, "--port", "3000"]
            let process = try Lab.start(on: host, command + arguments)
            _ = try await process.line(within: .seconds(15), "message that \(name) is published") {
                $0.contains("published")
            }
            return process
        }

        @Test func avahiAndZeroconfSeeTheSameTXTBytes() async throws {
            try await Self.addBareHost("mute1")
            let publisher = try await Self.publish(on: "mute1", "From a bare host", "--fp", "abc123", "--bots", "3")
            let browse = try await Lab.run(on: "h2", "avahi-browse", "-rpt", "_openclaw._tcp")
            let rows = browse.output.split(separator: "\n").filter { $0.hasPrefix("=") && $0.contains("bare") }
            #expect(!rows.isEmpty, "\(browse.output)")
            #expect(rows.allSatisfy { $0.contains(";mute1.local;") && $0.contains(#""fp=abc123""#) }, "\(rows)")

            let address = try await Lab.address("mute1")
            let named = try await Lab.run(on: "h2", "avahi-resolve", "-4", "-n", "mute1.local")
            #expect(named.output.contains(address), "\(named.output)")

            let expected = try GatewayAdvertisement.txtRecord(
                fingerprint: GatewayFingerprint("abc123"),
                name: "From a bare host",
                bots: 3,
                version: nil
            )
            let python = try #require(Lab.zeroconfPython)
            let seen = try await Lab.run(
                on: "h3",
                python,
                Lab.tool("zeroconf-txt"),
                "From a bare host",
                "_openclaw._tcp",
                try await Lab.address("h3")
            )
            let hex = try expected.encoded().map { String(format: "%02x", $0) }.joined()
            #expect(seen.output == "\(hex) 3000", "\(seen.errors)")
            _ = try await publisher.stop(SIGINT)
        }

        @Test func aGoodbyeTakesEffectAfterASecond() async throws {
            try await Self.addBareHost("mute2")
            let publisher = try await Self.publish(on: "mute2", "Short")
            let watch = try Watch(on: "h1")
            try await watch.event("found", "Short")
            let end = ContinuousClock.now
            #expect(try await publisher.stop(SIGINT).status == 0)
            let lost = try await watch.event("lost", "Short")
            print("goodbye seen after \(lost.time - end)")
            // Receivers keep a record for one second after its goodbye (RFC 6762 §10.1); the rest is transmission.
            #expect(lost.time - end < .seconds(2))
            try await watch.stop()
        }

        /// A responder does not multicast a record again within a second (RFC 6762 §6). A program on the same host must
        /// nevertheless find a new service at once, by the one-shot query, which is answered by unicast.
        @Test func aFreshPublicationIsFoundAtOnceOnItsOwnHost() async throws {
            try await Self.addBareHost("mute6")
            let times = try await Lab.times(until: .milliseconds(700)) {
                let publisher = try await Self.publish(on: "mute6", "Just now")
                let published = ContinuousClock.now
                let watch = try Watch(on: "mute6", "--backend", "embedded")
                let found = try await watch.event("found", "Just now").time
                try await watch.stop()
                _ = try await publisher.stop(SIGINT)
                return found - published
            }
            print("published to found, by a program that starts then: \(times)")
            #expect(times.last.map { $0 < .milliseconds(700) } == true)
        }

        /// Two processes on one host publish the same name: the second is renamed, and other hosts see both services.
        @Test func aNameConflictOnOneHostRenamesTheSecondService() async throws {
            try await Self.addBareHost("mute3")
            let first = try await Self.publish(on: "mute3", "Pair", "--fp", "one")
            let second = try await Self.publish(on: "mute3", "Pair", "--fp", "two")
            let browse = try await Lab.run(on: "h2", "avahi-browse", "-rpt", "_openclaw._tcp")
            let rows = browse.output.split(separator: "\n").filter { $0.hasPrefix("=") && $0.contains(";Pair") }
            #expect(rows.contains { $0.contains(";Pair;") && $0.contains("fp=one") }, "\(browse.output)")
            #expect(rows.contains { $0.contains(#";Pair\032\0352;"#) && $0.contains("fp=two") }, "\(browse.output)")
            #expect(rows.allSatisfy { $0.contains(";mute3.local;") }, "both services share the host name: \(rows)")
            _ = try await first.stop(SIGINT)
            // The first process sends goodbyes for the shared address records too, which the second announces again.
            let named = try await Lab.run(on: "h3", "avahi-resolve", "-4", "-n", "mute3.local")
            #expect(named.output.contains(try await Lab.address("mute3")), "\(named.output)")
            _ = try await second.stop(SIGINT)
        }

        @Test func aNameConflictWithAvahiRenamesOnlyTheLaterService() async throws {
            try await Self.addBareHost("mute4")
            let theirs = try await Publisher.clawradar(on: "h2", "Taken", "--fp", "avahi")
            let ours = try await Self.publish(on: "mute4", "Taken", "--fp", "ours")
            #expect(ours.errorText.contains("Taken #2"))
            let latecomer = try await Publisher.clawradar(on: "h3", "Taken", "--fp", "late")
            let scan = try ScanOutput(try await Lab.run(on: "h1", Lab.clawradar, "scan", "--format", "json").output)
            #expect(scan.service("Taken")?.gateway.fingerprint == "avahi")
            #expect(scan.service("Taken #2")?.gateway.fingerprint == "ours")
            #expect(scan.service("Taken #3")?.gateway.fingerprint == "late", "ours defends its name against Avahi")
            for process in [theirs, ours, latecomer] { _ = try await process.stop(SIGINT) }
        }

        @Test func aNameConflictWithZeroconfRenamesOurService() async throws {
            try await Self.addBareHost("mute5")
            let theirs = try await Publisher.zeroconf(on: "h3", count: 1, prefix: "Python")
            let ours = try await Self.publish(on: "mute5", "Python 0000", "--fp", "ours")
            #expect(ours.errorText.contains("Python 0000 #2"))
            let scan = try ScanOutput(try await Lab.run(on: "h1", Lab.clawradar, "scan", "--format", "json").output)
            #expect(scan.service("Python 0000")?.gateway.fingerprint == "fp-0")
            #expect(scan.service("Python 0000 #2")?.gateway.fingerprint == "ours")
            for process in [theirs, ours] { _ = try await process.stop(SIGINT) }
        }
    }
}
