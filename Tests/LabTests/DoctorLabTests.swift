import Foundation
import Testing

extension LabTests {
    /// `clawradar doctor` finds each cause that can be made here, and none at a gateway that can be used.
    @Suite struct DoctorLabTests {
        /// A diagnosis as it is printed.
        private struct Diagnosis: Decodable {
            struct Finding: Decodable {
                let cause: String
                let sentence: String
                let command: String
            }
            struct Place: Decodable { let roundTripMs: Double? }
            let healthy: Bool
            let findings: [Finding]
            let state: String?
            let places: [Place]
            let next: String?
        }

        /// Runs the tool, and compares the causes and the exit status.
        ///
        /// - Parameter cause: The one cause; `nil` if the gateway can be used.
        @discardableResult
        private static func expect(
            _ cause: String?,
            of subject: String,
            _ device: LabDevice,
            _ location: SourceLocation = #_sourceLocation
        ) async throws -> Diagnosis {
            let result = try await device.run(["doctor", subject, "--format", "json"])
            let line = result.output.split(separator: "\n").last ?? ""
            let diagnosis = try JSONDecoder().decode(Diagnosis.self, from: Data(line.utf8))
            let causes = diagnosis.findings.map(\.cause)
            let said = "\(subject): \(result.output) \(result.errors)"
            #expect(causes == [cause].compactMap(\.self), "\(said)", sourceLocation: location)
            #expect(result.status == (cause == nil ? 0 : 1), "\(said)", sourceLocation: location)
            #expect(diagnosis.healthy == (cause == nil), sourceLocation: location)
            print("\(subject): \(cause ?? "healthy") in \(result.elapsed)")
            return diagnosis
        }

        /// For a place with which a device is not paired, `doctor` finds what answers there, or why no gateway does.
        @Test func placesAndWhatAnswersThere() async throws {
            let home = try await LabHost.add("doctor-home", .bare, lan: 72)
            let device = try LabDevice(on: try await LabHost.add("doctor-user", .bare, lan: 72))
            let other = try await LabHost.add("doctor-other", .bare, lan: 72)
            let owner = try LabDevice(on: home)
            func at(_ port: Int) -> String { "\(home.address):\(port)" }

            let well = LabGateway("Well", on: home, ["--fp", "well"])
            try await well.start(port: 3_000)
            let secure = LabGateway("Secure", on: home, isPlain: false)
            try await secure.start(port: 3_001)
            let hidden = LabGateway("Hidden", on: home, listen: "127.0.0.1", ["--no-advertise"])
            try await hidden.start(port: 3_002)
            let foreign = LabGateway("Foreign", on: home, ["--dialect", "openagents"])
            try await foreign.start(port: 3_003)
            let servers = try await [("silent", 3_004), ("web", 3_005)].atOnce { how, port in
                let server = try Lab.start(on: home.name, Lab.tool("tcp-peer"), how, "\(port)")
                _ = try await server.line(within: .seconds(10), "message that it listens") { $0 == "ready" }
                return server
            }

            try await device.host.ip("route add unreachable 203.0.113.0/24")
            let absent = home.address.split(separator: ".").dropLast().joined(separator: ".") + ".251"
            let usable = ["Well", at(3_000), "ws://\(at(3_000))", "Secure", "wss://\(at(3_001))"]
            for diagnosis in try await usable.atOnce({ try await Self.expect(nil, of: $0, device) }) {
                #expect(diagnosis.places.contains { ($0.roundTripMs ?? 0) > 0 } && diagnosis.next != nil)
            }
            let causes = [
                ("no-tls", "wss://\(at(3_000))"), ("only-tls", "ws://\(at(3_001))"), ("port-closed", at(3_002)),
                ("dialect", "Foreign"), ("hanging", at(3_004)), ("not-a-gateway", at(3_005)), ("not-found", "Nobody"),
                ("no-route", "203.0.113.9:3000"), ("host-down", "\(absent):3000"),
            ]
            _ = try await causes.atOnce { try await Self.expect($0, of: $1, device) }
            try await Self.expect("loopback-only", of: at(3_002), owner)

            let rules =
                "add table inet t; add chain inet t c { type filter hook input priority 0; }; "
                + "add rule inet t c tcp dport 3000 drop"
            let filter = try await Lab.run(on: home.name, "nft", rules)
            try #require(filter.status == 0, "\(filter.errors)")
            try await Self.expect("filtered", of: at(3_000), device)
            try #require(try await Lab.run(on: home.name, "nft", "delete", "table", "inet", "t").status == 0)

            for (address, cause) in [("172.17.0.1", "container-address"), ("127.0.0.1", "forbidden-address")] {
                // “Boxed” at the host “box”, in hexadecimal.
                let tool = Lab.tool("forge-services")
                let responder = try Lab.start(on: home.name, tool, address, "eth0", "426f786564 626f78")
                _ = try await responder.line(within: .seconds(10), "message that it listens") { $0 == "ready" }
                try await Self.expect(cause, of: "Boxed", device)
                try await responder.stop()
            }

            let claimant = LabGateway("Claimant", on: other, ["--fp", "well"])
            try await claimant.start(port: 3_000)
            try await Self.expect("claimed", of: at(3_000), device)
            try await claimant.stop()

            try await device.host.ip("link set eth0 down")
            try await Self.expect("no-network", of: at(3_000), device)
            for server in servers { try await server.stop() }
            for gateway in [well, secure, hidden, foreign] { try await gateway.stop() }
        }

        /// `doctor` finds what has become of a pairing with a gateway that proves itself by its certificate, and of one
        /// with a gateway without TLS.
        @Test func pairingsAndTheirTrust() async throws {
            let home = try await LabHost.add("doctor-paired", .bare, lan: 73)
            let device = try LabDevice(on: try await LabHost.add("doctor-device", .bare, lan: 73))
            let folder = try ScratchFolder.private()
            let studio = LabGateway("Studio", on: home, isPlain: false)
            let pad = LabGateway("Pad", on: home, ["--state", folder.path("pad")])
            let state = ["--state", folder.path("studio")]
            try await studio.start(port: 4_000, state)
            try await pad.start(port: 4_001)
            try await device.pair("Studio")
            try await device.pair("Pad", ["--trust", "address"])
            for name in ["Studio", "Pad"] {
                let found = try await Self.expect(nil, of: name, device)
                #expect(found.state == "connected" && found.next == nil, "\(found)")
            }
            // Another process has the sessions, and says what they are.
            let watch = try SessionWatch(of: device)
            #expect(try await watch.settles("Studio", "connected"))
            #expect(try await Self.expect(nil, of: "Studio", device).state == "connected")
            try await watch.stop()

            let disconnected = try LabDevice(copyOf: device)
            _ = try await disconnected.run(["disconnect", "Studio"])
            let found = try await Self.expect("disconnected", of: "Studio", disconnected)
            #expect(found.findings.first?.command == "clawradar connect \"Studio\"")
            let sealed = try LabDevice(copyOf: device)
            try FileManager.default.removeItem(atPath: sealed.folders[1])
            try await Self.expect("sealed", of: "Studio", sealed)

            try await pad.stop()
            try await pad.start(port: 4_002)
            try await Self.expect("moved", of: "Pad", device)
            try await studio.stop()
            try await Self.expect("port-closed", of: "Studio", device)
            // Without its state, it has another certificate.
            try await studio.start(port: 4_000)
            try await Self.expect("changed-certificate", of: "Studio", device)
            try await studio.stop()
            // With its certificate, and without its pairings.
            try await studio.start(port: 4_000, state)
            let devices = try await Lab.run(
                on: home.name,
                [Lab.referenceGateway, "devices", "--format", "json"] + state
            )
            let id = try #require(devices.output.firstMatch(of: /"deviceId":"([^"]+)"/)?.output.1, "\(devices)")
            _ = try await Lab.run(on: home.name, [Lab.referenceGateway, "revoke", String(id), "--forget"] + state)
            try await Self.expect("revoked", of: "Studio", device)
            // From the bin, it is known still.
            try await Self.expect("revoked", of: "Studio", device)
            for gateway in [studio, pad] { try await gateway.stop() }
        }

        /// A gateway that is known by its certificate, which two other places show: it is paired with at the right one.
        @Test func aPinnedGatewayThatHasMoved() async throws {
            let home = try await LabHost.add("doctor-moved", .bare, lan: 89)
            let device = try LabDevice(on: try await LabHost.add("doctor-mover", .bare, lan: 89))
            let folder = try ScratchFolder.private()
            let token = try SecretFile(folder.path("token"))
            let options = ["--dialect", "openclaw", "--token-file", token.path, "--approve", "auto"]
            let gateway = LabGateway("Claw", on: home, isPlain: false, options + ["--state", folder.path("claw")])
            try await gateway.start(port: 18_789)
            try await device.pair("Claw", ["--token-file", token.path])
            try await Self.expect(nil, of: "Claw", device)
            try await gateway.stop()
            try FileManager.default.copyItem(atPath: folder.path("claw"), toPath: folder.path("copy"))
            let other = LabGateway("Claw", on: home, isPlain: false, options + ["--state", folder.path("copy")])
            try await gateway.start(port: 18_790)
            try await other.start(port: 18_791)
            let moved = try await Self.expect("moved", of: "Claw", device)
            let command = moved.findings.first?.command ?? ""
            #expect(command.hasPrefix("clawradar pair \"\(home.address):1879"), "\(moved)")
            for one in [gateway, other] { try await one.stop() }
        }

        /// `doctor` finds that an OpenClaw gateway is not ready, also for a device that is not paired with it, and that
        /// it has revoked the access of one that was.
        @Test func whatAGatewayRefuses() async throws {
            let home = try await LabHost.add("doctor-claw", .bare, lan: 74)
            let device = try LabDevice(on: try await LabHost.add("doctor-clawed", .bare, lan: 74))
            let folder = try ScratchFolder.private()
            let token = try SecretFile(folder.path("token"))
            let state = ["--state", folder.path("claw")]
            let options = ["--dialect", "openclaw", "--token-file", token.path, "--approve", "auto"] + state
            let claw = LabGateway("Claw", on: home, isPlain: false, options)
            try await claw.start(port: 18_789)
            try await device.pair("Claw", ["--token-file", token.path])
            try await Self.expect(nil, of: "Claw", device)
            let stranger = try LabDevice(on: device.host)
            for (play, cause) in [("failing:discord", "not-ready"), ("ready", nil)] {
                let verb = [Lab.referenceGateway, "readiness", play] + state
                try #require(try await Lab.run(on: home.name, verb).status == 0)
                try await Self.expect(cause, of: "Claw", device)
                try await Self.expect(cause, of: "Claw", stranger)
            }

            try await claw.stop()
            try await claw.start(port: 18_789, ["--starting", "60"])
            try await Self.expect("not-ready", of: "Claw", device)
            try await claw.stop()
            try await claw.start(port: 18_789)
            let devices = try await Lab.run(
                on: home.name,
                [Lab.referenceGateway, "devices", "--format", "json"] + state
            )
            let id = try #require(devices.output.firstMatch(of: /"deviceId":"([^"]+)"/)?.output.1, "\(devices)")
            _ = try await Lab.run(on: home.name, [Lab.referenceGateway, "revoke", String(id)] + state)
            try await Self.expect("revoked", of: "Claw", device)
            try await claw.stop()
        }
    }
}
