import Foundation
import Glibc
import Testing

extension LabTests {
    /// Advertising a gateway by what it answers (`advertise --gateway`), as other hosts see it.
    @Suite struct AdvertiseGatewayLabTests {
        private static let port = "4200"

        /// Starts a gateway on h2 that does not advertise itself.
        private func gateway(_ name: String, host: String = "::", _ arguments: String...) async throws -> LabProcess {
            let process = try Lab.start(
                on: "h2",
                [
                    Lab.referenceGateway, "--plain", "--no-advertise", "--name", name, "--port", Self.port,
                    "--host", host,
                ]
                    + arguments
            )
            _ = try await process.line(within: .seconds(10), "message that it listens") { $0.contains("listens") }
            return process
        }

        /// Starts the tool that advertises the gateway. Its standard error is merged into its output.
        private func advertise(_ arguments: String...) throws -> LabProcess {
            let command = [Lab.clawradar, "advertise", "--gateway", "127.0.0.1:\(Self.port)"] + arguments
            return try Lab.start(on: "h2", ["sh", "-c", "exec \"$@\" 2>&1", "sh"] + command)
        }

        private static func contains(_ text: String) -> @Sendable (String) -> Bool { { $0.contains(text) } }

        /// Creates a folder that exists while `body` runs.
        private func withFolder(_ body: (URL) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try await body(folder)
        }

        @Test func theAdvertisementFollowsTheGateway() async throws {
            try await withFolder { folder in
                let state = folder.appendingPathComponent("state.json").path
                let first = try await gateway("Truthful", "--state", state, "--bot", "bot-1=Jarvis:🤖")
                let watch = try Watch(on: "h1")
                let advertiser = try advertise()
                let found = try await watch.event("found", "Truthful").event.service
                #expect(found.type == "_openclaw._tcp")
                #expect(found.port == 4200)
                #expect(found.gateway.bots == 1 && found.gateway.version == 3 && found.gateway.problems.isEmpty)
                let fingerprint = try #require(found.gateway.fingerprint)
                #expect(try String(contentsOfFile: state, encoding: .utf8).contains("\"\(fingerprint)\""))

                // Its operator adds a bot and restarts it.
                try await first.stop()
                let second = try await gateway("Truthful", "--state", state, "--bot", "a=A", "--bot", "b=B")
                _ = try await watch.process.line(within: .seconds(10), "two bots") { text in
                    guard let event = WatchEvent(text), event.event != "lost" else { return false }
                    return event.service.instance == "Truthful" && event.service.gateway.bots == 2
                        && event.service.gateway.fingerprint == fingerprint
                }

                // The instance has the name of the gateway: if that changes, the old instance is withdrawn.
                try await second.stop()
                let third = try await gateway("Renamed", "--state", state)
                let renamed = try await watch.event("found", "Renamed").event.service
                #expect(renamed.gateway.name == "Renamed" && renamed.gateway.fingerprint == fingerprint)
                // The goodbye takes effect after a second (RFC 6762 §10.1), before or after the new instance is found.
                let isLost = watch.events.contains { $0.event == "lost" && $0.service.instance == "Truthful" }
                if !isLost { try await watch.event("lost", "Truthful") }
                try await third.stop()
                try await watch.event("lost", "Renamed")
                #expect(try await advertiser.stop().status == 0)
                try await watch.stop()
            }
        }

        @Test func aGatewayThatDoesNotAnswerIsWithdrawnWithinFiveSeconds() async throws {
            let process = try await gateway("Stopped")
            let watch = try Watch(on: "h1")
            let advertiser = try advertise()
            try await watch.event("found", "Stopped")

            let stopped = ContinuousClock.now
            process.signal(SIGSTOP)
            let lost = try await watch.event("lost", "Stopped").time - stopped
            #expect(lost <= .seconds(5), "withdrawn after \(lost)")
            let continued = ContinuousClock.now
            process.signal(SIGCONT)
            let back = try await watch.event("found", "Stopped").time - continued
            #expect(back <= .seconds(5), "back after \(back)")

            let killed = ContinuousClock.now
            try await process.stop(SIGKILL)
            let gone = try await watch.event("lost", "Stopped").time - killed
            #expect(gone <= .seconds(5), "withdrawn after \(gone)")
            print("withdrawn \(lost) after STOP, back \(back) after CONT, withdrawn \(gone) after KILL")

            // Another program that listens at its port is not a gateway, and is not advertised.
            let web = try Lab.start(on: "h2", "python3", "-m", "http.server", Self.port)
            _ = try await advertiser.line(
                within: .seconds(15),
                "the reason",
                where: Self.contains("no gateway answers there")
            )
            try await web.stop()
            try await advertiser.stop()
            try await watch.stop()
        }

        @Test func anOpenClawGatewayIsAdvertisedWithItsTXTKeys() async throws {
            let process = try await gateway("Ignored", "--dialect", "openclaw")
            let watch = try Watch(on: "h1")
            let advertiser = try advertise("--name", "Studio")
            let service = try await watch.event("found", "Studio (OpenClaw)").event.service
            #expect(service.type == "_openclaw-gw._tcp")
            #expect(service.port == 4200)
            #expect(
                service.txt == [
                    "role": "gateway", "transport": "gateway", "gatewayPort": Self.port, "displayName": "Studio",
                    "gatewayDirectReachable": "1",
                ]
            )
            #expect(service.gateway.name == "Studio" && service.gateway.problems.isEmpty)
            try await process.stop(SIGKILL)
            try await watch.event("lost", "Studio (OpenClaw)")
            try await advertiser.stop()
            try await watch.stop()
        }

        @Test func aBridgeIsAdvertisedWithItsTXTKeys() async throws {
            let process = try await gateway("Ignored", "--dialect", "bridge")
            let watch = try Watch(on: "h1")
            let advertiser = try advertise("--name", "Old")
            let service = try await watch.event("found", "Old (Clawdbot)").event.service
            #expect(service.type == "_clawdbot-bridge._tcp")
            #expect(
                service.txt == [
                    "role": "gateway", "transport": "bridge", "bridgePort": Self.port, "displayName": "Old",
                ]
            )
            try await advertiser.stop()
            try await watch.event("lost", "Old (Clawdbot)")
            try await process.stop()
            try await watch.stop()
        }

        @Test func anUnreachableGatewayIsNotAdvertised() async throws {
            let lonely = try await gateway("Lonely", host: "127.0.0.1")
            let watch = try Watch(on: "h1")
            let advertiser = try advertise()
            let refusal = try await advertiser.line(
                within: .seconds(10),
                "the reason",
                where: Self.contains("not advertised")
            )
            #expect(refusal.text.contains("other hosts cannot reach it") && refusal.text.contains("--force"))
            #expect(refusal.text.contains(try await Lab.address("h2")))
            #expect(watch.events.allSatisfy { $0.service.instance != "Lonely" })

            let forced = try advertise("--force")
            try await watch.event("found", "Lonely")
            try await forced.stop()
            try await watch.event("lost", "Lonely")

            // The gateway is restarted with an address that other hosts can reach, and then again on loopback only.
            try await lonely.stop()
            let open = try await gateway("Lonely")
            try await watch.event("found", "Lonely")
            try await open.stop()
            let closed = try await gateway("Lonely", host: "127.0.0.1")
            try await watch.event("lost", "Lonely")
            _ = try await advertiser.line(
                within: .seconds(10),
                "the reason",
                where: Self.contains("cannot reach it")
            )
            try await closed.stop()
            try await advertiser.stop()
            try await watch.stop()
        }

        /// A gateway that listens at only one of its host's addresses is published only on that interface.
        @Test func aGatewayIsPublishedOnlyWhereItAnswers() async throws {
            let process = try await gateway("Half", host: try await Lab.address("h2", "eth1"))
            let watch = try Watch(on: "h1")
            let command = [
                Lab.clawradar, "advertise", "--gateway", "\(try await Lab.address("h2", "eth1")):\(Self.port)",
            ]
            let advertiser = try Lab.start(on: "h2", command)
            let found = try await watch.event("found", "Half").event
            #expect(Set(found.service.paths.map(\.interface)) == ["eth1"])
            try await advertiser.stop()
            try await watch.event("lost", "Half")
            try await process.stop()
            try await watch.stop()
        }

        @Test func aGatewayOfAnotherHostIsRefused() async throws {
            let address = try await Lab.address("h1")
            let result = try await Lab.run(on: "h2", Lab.clawradar, "advertise", "--gateway", "ws://\(address):3000")
            #expect(result.status == 64, "\(result.errors)")
            #expect(result.errors.contains("is another host"))
        }
    }
}
