import DNSSD
import Foundation
import GatewayProtocol
import Glibc
import Testing

extension LabTests {
    /// The services that the engine publishes from a host with neither bus nor daemon, as others see them.
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

        @Test func theEndIsSeenASecondLater() async throws {
            try await Self.addBareHost("mute2")
            let publisher = try await Self.publish(on: "mute2", "Short")
            let watch = try Watch(on: "h1")
            try await watch.event("found", "Short")
            let end = ContinuousClock.now
            #expect(try await publisher.stop(SIGINT).status == 0)
            let lost = try await watch.event("lost", "Short")
            print("goodbye seen after \(lost.time - end)")
            // RFC 6762 §10.1: one second, and what the way takes.
            #expect(lost.time - end < .seconds(2))
            try await watch.stop()
        }

        /// A record that was multicast within the last second is not multicast again (RFC 6762 §6): another program of
        /// the host asks for it in another way.
        @Test func whatWasPublishedAMomentAgoIsFoundAtOnceOnItsOwnHost() async throws {
            try await Self.addBareHost("mute6")
            let publisher = try await Self.publish(on: "mute6", "Just now")
            let published = ContinuousClock.now
            let watch = try Watch(on: "mute6", "--backend", "embedded")
            let found = try await watch.event("found", "Just now")
            print("published to found, by a program that starts then: \(found.time - published)")
            #expect(found.time - published < .milliseconds(700))
            try await watch.stop()
            _ = try await publisher.stop(SIGINT)
        }

        @Test func ofTwoProcessesOnOneBareHostOneIsRenamedAndBothAreVisible() async throws {
            try await Self.addBareHost("mute3")
            let first = try await Self.publish(on: "mute3", "Pair", "--fp", "one")
            let second = try await Self.publish(on: "mute3", "Pair", "--fp", "two")
            let browse = try await Lab.run(on: "h2", "avahi-browse", "-rpt", "_openclaw._tcp")
            let rows = browse.output.split(separator: "\n").filter { $0.hasPrefix("=") && $0.contains(";Pair") }
            #expect(rows.contains { $0.contains(";Pair;") && $0.contains("fp=one") }, "\(browse.output)")
            #expect(rows.contains { $0.contains(#";Pair\032\0352;"#) && $0.contains("fp=two") }, "\(browse.output)")
            #expect(rows.allSatisfy { $0.contains(";mute3.local;") }, "they share the host: \(rows)")
            _ = try await first.stop(SIGINT)
            // What the first one takes back of the host, the second one says again.
            let named = try await Lab.run(on: "h3", "avahi-resolve", "-4", "-n", "mute3.local")
            #expect(named.output.contains(try await Lab.address("mute3")), "\(named.output)")
            _ = try await second.stop(SIGINT)
        }

        @Test func againstAvahisNameExactlyOneIsRenamed() async throws {
            try await Self.addBareHost("mute4")
            let theirs = try await Publisher.clawradar(on: "h2", "Taken", "--fp", "avahi")
            let ours = try await Self.publish(on: "mute4", "Taken", "--fp", "ours")
            #expect(ours.errorText.contains("Taken #2"))
            let latecomer = try await Publisher.clawradar(on: "h3", "Taken", "--fp", "late")
            let scan = try ScanOutput(try await Lab.run(on: "h1", Lab.clawradar, "scan", "--format", "json").output)
            #expect(scan.service("Taken")?.gateway.fingerprint == "avahi")
            #expect(scan.service("Taken #2")?.gateway.fingerprint == "ours")
            #expect(scan.service("Taken #3")?.gateway.fingerprint == "late", "ours defends its name against avahi")
            for process in [theirs, ours, latecomer] { _ = try await process.stop(SIGINT) }
        }

        @Test func againstZeroconfsNameOursIsRenamed() async throws {
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
