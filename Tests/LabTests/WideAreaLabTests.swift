import Foundation
import Testing

extension LabTests {
    /// Zones on real name servers: what multicast cannot bring is found by `--domain`, and changes, outages and cut answers are told
    /// as they are. Needs `bind9`, `bind9-dnsutils`; without them it is skipped.
    @Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/named"), "needs bind9"))
    struct WideAreaLabTests {
        private static let domain = LabNameServer.domain

        private static func instance(
            _ name: String,
            _ address: String,
            port: Int = 4_000,
            type: String = "_openclaw"
        )
            -> [String]
        {
            [
                "\(type)._tcp PTR \(name).\(type)._tcp", "\(name).\(type)._tcp SRV 0 0 \(port) \(name)-host",
                "\(name).\(type)._tcp TXT \"name=\(name)\" \"bots=1\"", "\(name)-host A \(address)",
            ]
        }

        private func scan(_ device: LabHost, _ server: String, _ more: String...) async throws -> ScanOutput {
            let command = ["scan", "--no-probe", "--format", "json", "--domain", Self.domain, "--server", server]
            let result = try await Lab.run(on: device.name, [Lab.clawradar] + command + more)
            return try ScanOutput(result.output)
        }

        /// A gateway behind a router is found in the zone, asked, and shown with its site; one of the LAN that is in the zone as
        /// well is one row, by its address in the LAN.
        @Test func whatMulticastCannotBringIsFoundInTheZone() async throws {
            let server = try await LabNameServer("zone-router", lan: 118, interfaces: 2)
            let far = try await LabHost.add("zone-far", .bare, lan: 119)
            let near = try await LabHost.add("zone-near", .bare, lan: 118)
            let device = try await LabHost.add("zone-device", .bare, lan: 118)
            let inner = try #require(
                server.host.addresses.first { $0.hasPrefix("10.") && $0 != server.host.address },
                "the router has one address only"
            )
            try await far.ip("route add default via \(inner)")
            try await device.ip("route replace default via \(server.host.address)")
            let gateways = [
                LabGateway("Far", on: far, ["--no-advertise", "--fp", "far"]),
                LabGateway("Near", on: near, ["--fp", "near"]),
            ]
            for gateway in gateways { try await gateway.start(port: 4_000) }
            let named = try await server.start(
                Self.instance("Far", far.address) + Self.instance("Near", near.address)
                    + ["lb._dns-sd._udp PTR site", "_openclaw._tcp.site PTR Loft._openclaw._tcp.site"]
                    + ["Loft._openclaw._tcp.site SRV 0 0 4000 Far-host", "Loft._openclaw._tcp.site TXT \"name=Loft\""]
            )
            let command = ["scan", "--format", "json", "--domain", Self.domain, "--server", server.host.address]
            let result = try await Lab.run(on: device.name, [Lab.clawradar] + command)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains(#""endpoint":"\#(far.address):4000""#), "\(result.output)")
            #expect(result.output.contains(#""domain":"zone.test""#) && result.output.contains(#""source":"zone""#))
            #expect(result.output.contains(#""domain":"site.zone.test""#), "\(result.output)")
            let endpoints = result.output.components(separatedBy: #""endpoint":"\#(near.address):4000""#).count - 1
            #expect(endpoints == 1, "a gateway of LAN and zone is one row: \(result.output)")
            for gateway in gateways { try await gateway.stop() }
            try await named.stop(SIGKILL)
        }

        /// What `watch` says of a change within a TTL and a second, of a server that is gone, and of one that is back.
        @Test func changesAndOutagesAreTold() async throws {
            let server = try await LabNameServer("zone-change", lan: 121, interfaces: 1)
            let device = try await LabHost.add("zone-watch", .bare, lan: 121)
            var named = try await server.start(Self.instance("a", "10.1.0.1"), ttl: 3)
            let watch = try Lab.start(
                on: device.name,
                [Lab.clawradar, "watch", "--no-probe", "--domain", Self.domain, "--server", server.host.address]
            )
            _ = try await watch.line(within: .seconds(10), "+ a") { $0.contains("+ a") }
            try await server.update(
                "update add _openclaw._tcp.zone.test 3 PTR b._openclaw._tcp.zone.test",
                "update add b._openclaw._tcp.zone.test 3 SRV 0 0 4000 a-host.zone.test",
                "update add b._openclaw._tcp.zone.test 3 TXT \"name=b\""
            )
            let changed = ContinuousClock.now
            let seen = try await watch.line(within: .seconds(10), "+ b") { $0.contains("+ b") }
            #expect(seen.time - changed < .seconds(4))
            try await server.update("update delete _openclaw._tcp.zone.test PTR b._openclaw._tcp.zone.test")
            _ = try await watch.line(within: .seconds(10), "- b") { $0.contains("- b") }
            try await named.stop(SIGKILL)
            try await Task.sleep(for: .seconds(8))
            named = try await server.start(Self.instance("c", "10.1.0.3"), ttl: 3)
            _ = try await watch.line(within: .seconds(20), "+ c") { $0.contains("+ c") }
            // The server has refused while it started: until all is asked anew, it is not there again.
            var patience = Patience(.seconds(20))
            while !watch.errorText.contains("is there again"), patience.isLeft() {
                try await Task.sleep(for: patience.step)
            }
            let result = try await watch.stop(SIGINT)
            #expect(
                result.errors.contains("zone.test cannot be browsed: \(server.host.address):53 "),
                "\(result.errors)"
            )
            #expect(result.errors.contains("zone zone.test is there again"), "\(result.errors)")
            try await named.stop(SIGKILL)
        }

        /// A name with 1,000 instances does not fit into a packet: it is read over TCP, and complete in no more than a few seconds.
        @Test func aThousandInstancesAreComplete() async throws {
            let server = try await LabNameServer("zone-crowd", lan: 122, interfaces: 1)
            let device = try await LabHost.add("zone-reader", .bare, lan: 122)
            let named = try await server.start(
                (0..<1_000).flatMap { Self.instance("i\($0)", "10.1.\($0 / 250).\($0 % 250 + 1)") }
            )
            let output = try await scan(device, server.host.address, "--timeout", "30")
            #expect(output.services.count == 1_000)
            #expect(output.services.allSatisfy { $0.addresses.count == 1 && $0.paths.map(\.source) == ["zone"] })
            #expect(output.elapsedMs < 10_000, "\(output.elapsedMs)")
            try await named.stop(SIGKILL)
        }

        /// Where a server does not serve the domain, or none is there, the scan says which, and why.
        @Test func aServerThatCannotAnswerIsTold() async throws {
            let server = try await LabNameServer("zone-refusing", lan: 123, interfaces: 1)
            let device = try await LabHost.add("zone-refused", .bare, lan: 123)
            let nobody = try await scan(device, server.host.address)
            #expect(
                nobody.warnings.contains {
                    $0.contains("zone.test cannot be browsed: \(server.host.address):53 has no")
                }
            )
            let named = try await server.start([])
            let command = ["scan", "--no-probe", "--format", "json", "--domain", "other.test", "--server"]
            let result = try await Lab.run(on: device.name, [Lab.clawradar] + command + [server.host.address])
            #expect(result.output.contains("refuses the question (REFUSED)"), "\(result.output)")
            try await named.stop(SIGKILL)
        }
    }
}
