import Foundation
import Glibc
import Testing

extension LabTests {
    /// The liveness of a gateway on h2, as a scanner on h1 determines it by checks, independently of DNS-SD.
    @Suite struct LivenessLabTests {
        /// Runs a gateway and a scanner, and runs `body` once the scanner shows the gateway as *answering*.
        private func withGateway(
            _ name: String,
            port: Int,
            _ body: (_ gateway: LabProcess, _ scanner: LabProcess) async throws -> Void
        ) async throws {
            let gateway = try Lab.start(
                on: "h2",
                [
                    Lab.referenceGateway, "--plain", "--name", name, "--port", "\(port)", "--host", "::",
                    "--bot", "b=Jarvis:🤖",
                ]
            )
            _ = try await gateway.line(within: .seconds(10), "message that it listens") { $0.contains("listens") }
            let scanner = try Lab.start(on: "h1", [Lab.testTool, "scan-recorder"])
            _ = try await Self.row("answering optaplus 1", name, of: scanner, within: .seconds(20))
            try await body(gateway, scanner)
            gateway.signal(SIGCONT)
            try await scanner.stop(SIGKILL)
            try await gateway.stop()
        }

        /// Waits until `scan-recorder` prints a row that begins with these words.
        ///
        /// - Returns: The time that has passed until then.
        private static func row(
            _ words: String,
            _ name: String,
            of scanner: LabProcess,
            within limit: Duration
        ) async throws -> Duration {
            let start = ContinuousClock.now
            let line = try await scanner.line(within: limit, "row \(words) of \(name)") {
                $0.hasPrefix("row \(words)") && $0.hasSuffix(" \(name)")
            }
            return line.time - start
        }

        @Test func aStoppedProcessIsNoticedThoughItsServiceIsListedAndTCPConnects() async throws {
            try await withGateway("Stopped", port: 4_110) { gateway, scanner in
                let stop = ContinuousClock.now
                gateway.signal(SIGSTOP)
                let suspect = try await Self.row("suspect", "Stopped", of: scanner, within: .seconds(5))
                _ = try await Self.row("gone", "Stopped", of: scanner, within: .seconds(10) - (.now - stop))
                let gone = ContinuousClock.now - stop
                gateway.signal(SIGCONT)
                let back = try await Self.row("answering", "Stopped", of: scanner, within: .seconds(5))
                print("STOP: suspect after \(suspect), gone after \(gone); CONT: answering after \(back)")
            }
        }

        @Test func aHostThatLosesItsLinksIsGoneWithinTenSeconds() async throws {
            try await withGateway("Unplugged", port: 4_111) { _, scanner in
                for interface in ["eth0", "eth1"] { try await Lab.control("link", "h2", interface, "down") }
                let gone = try await Self.row("gone", "Unplugged", of: scanner, within: .seconds(10))
                print("links down: gone after \(gone)")
                for interface in ["eth0", "eth1"] { try await Lab.control("link", "h2", interface, "up") }
                let back = try await Self.row("answering", "Unplugged", of: scanner, within: .seconds(70))
                print("links up: answering after \(back)")
            }
        }

        /// If a publisher dies without a goodbye, its records would be valid for two more minutes. They are reconfirmed
        /// once the gateway does not answer (RFC 6762 §10.4), and the service is lost soon. Neither host has a daemon,
        /// since Avahi sends goodbyes for clients that crash; and no other host is in their LAN, whose daemon would keep
        /// the records.
        @Test func aServiceThatDiesWithoutAGoodbyeIsLostSoon() async throws {
            for host in ["ghost", "seer"] { _ = try await LabHost.add(host, .bare, lan: 121) }
            let gateway = try Lab.start(
                on: "ghost",
                [
                    Lab.referenceGateway, "--plain", "--name", "Ghost", "--port", "4113", "--host", "::",
                    "--bot", "b=Jarvis:🤖",
                ]
            )
            _ = try await gateway.line(within: .seconds(10), "message that it listens") { $0.contains("listens") }
            let scanner = try Lab.start(on: "seer", [Lab.testTool, "scan-recorder"])
            _ = try await Self.row("answering optaplus 1", "Ghost", of: scanner, within: .seconds(20))
            let start = ContinuousClock.now
            gateway.signal(SIGKILL)
            let line = try await scanner.line(within: .seconds(25), "the loss of the service") {
                $0 == "service lost Ghost"
            }
            print("killed without a goodbye: service lost after \(line.time - start)")
            try await scanner.stop(SIGKILL)
        }

        @Test func aForgedGoodbyeDoesNotEndALiveGateway() async throws {
            try await withGateway("Slandered", port: 4_112) { _, scanner in
                // A daemon announces its service again when it receives a forged goodbye. Here it must not receive it.
                try await Lab.control("loss", "h2", "100")
                // A new service is announced several times, and each announcement undoes the goodbye: it is repeated.
                var isLost = false
                for _ in 1...10 where !isLost {
                    let forged = try await Lab.run(
                        on: "h3",
                        "python3",
                        Lab.tool("forge-goodbye"),
                        "Slandered",
                        "_openclaw._tcp",
                        "eth0",
                        "eth1"
                    )
                    #expect(forged.output == "sent", "\(forged.errors)")
                    let line = try? await scanner.line(within: .seconds(2), "the loss of the service") {
                        $0 == "service lost Slandered"
                    }
                    isLost = line != nil
                }
                #expect(isLost, "no forged goodbye took effect, so that the test proves nothing")
                // A gateway that does not answer is gone within half of this time.
                await #expect(throws: LabProcess.TimedOut.self) {
                    try await scanner.line(within: .seconds(20), "an end of the gateway") {
                        $0.hasSuffix(" Slandered") && ($0.hasPrefix("lost") || $0.hasPrefix("row suspect"))
                    }
                }
                try await Lab.control("loss", "h2", "0")
            }
        }
    }
}
