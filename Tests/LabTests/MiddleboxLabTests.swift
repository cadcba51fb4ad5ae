import Glibc
import Testing

extension LabTests {
    /// Things that stand between a gateway and us, or are simpler than RFC 6762 expects: our engine sees the gateway
    /// all the same.
    @Suite struct MiddleboxLabTests {
        /// Avahi's reflector copies the compressed names of NSEC records byte for byte, so that their pointers lead
        /// anywhere: each packet of python-zeroconf that it passes on has a damaged record.
        @Test(.enabled(if: Lab.zeroconfPython != nil, "CLAWRADAR_ZEROCONF_PYTHON names no Python with zeroconf"))
        func aGatewayThatAppearsBehindAReflectorIsSeen() async throws {
            try await Lab.control("host", "add", "reflector", "--interfaces", "2", "--config", "enable-reflector=yes")
            try await Lab.control("host", "add", "behind", "--no-daemon", "--no-bus", "--lan", "1")
            try await Lab.control("host", "add", "before", "--no-daemon", "--no-bus")
            try await Lab.control("daemon", "reflector", "settle")
            let outcome = await Self.outcome { try await Self.findsWhatIsReflected() }
            // The other suites have the same two LANs, which must be apart again.
            try await Lab.control("daemon", "reflector", "stop")
            try outcome.get()
        }

        private static func outcome(_ body: () async throws -> Void) async -> Result<Void, any Error> {
            do { return .success(try await body()) } catch { return .failure(error) }
        }

        /// Publishes on the far side of the reflector, and expects each service on the near side.
        private static func findsWhatIsReflected() async throws {
            let watch = try Watch(on: "before", "--backend", "embedded")
            let direct = try Publisher.avahi(on: "h2", "Not reflected")
            try await watch.event("found", "Not reflected")
            // Names of several lengths, since the pointers lead to the middle of other names by chance.
            for prefix in ["A", "Studio upstairs", "The gateway of the whole house, in the cellar"] {
                let publisher = try await Publisher.zeroconf(on: "behind", count: 1, prefix: prefix)
                let start = ContinuousClock.now
                let found = try await watch.event("found", "\(prefix) 0000")
                print("behind a reflector, registered to found: \(found.time - start)")
                // Later, our next question or its goodbye brings it to light, even to those who drop such packets.
                #expect(found.time - start < .seconds(1))
                try await publisher.stop()
            }
            try await direct.stop()
            try await watch.stop()
        }

        @Test(arguments: ["one", "first"]) func aSimpleResponderIsSeen(reads: String) async throws {
            let (device, watcher) = ("simple-\(reads)", "sees-\(reads)")
            // It says no goodbye: in a LAN of their own, no daemon keeps its records for 75 minutes.
            let bare = ["--lan", "122", "--no-daemon", "--no-bus"]
            try await Lab.control(["host", "add", device, "--ipv4-only"] + bare)
            try await Lab.control(["host", "add", watcher] + bare)
            let address = try await Lab.address(device)
            let name = "Simple \(reads)"
            let responder = try Lab.start(on: device, Lab.tool("simple-responder"), reads, name, "3000", address)
            _ = try await responder.line(within: .seconds(10), "message that it is ready") { $0 == "ready" }
            let start = ContinuousClock.now
            let watch = try Watch(on: watcher, "--backend", "embedded")
            let found = try await watch.event("found", name, within: .seconds(10))
            print("simple responder (\(reads)), start to found: \(found.time - start)")
            #expect(found.event.service.port == 3000)
            try await watch.stop()
            responder.signal(SIGTERM)
        }
    }
}
