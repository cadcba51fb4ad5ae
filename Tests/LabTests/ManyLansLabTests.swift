import Foundation
import Glibc
import Testing

extension LabTests {
    /// Three LANs behind a router, which multicast does not cross, with a gateway each: from a fourth one all are found in zones,
    /// with their sites. Two are published by `advertise`, and one by the zone file that OpenClaw makes. Needs `bind9`,
    /// `bind9-dnsutils` and `python3-dnspython`; without them it is skipped.
    @Suite(
        .enabled(
            if: ["/usr/sbin/named", "/usr/bin/dig", "/usr/lib/python3/dist-packages/dns/resolver.py"].allSatisfy {
                FileManager.default.fileExists(atPath: $0)
            },
            "needs bind9, bind9-dnsutils and python3-dnspython"
        )
    )
    struct ManyLansLabTests {
        private static let first = 124

        /// Prints what is published in a domain, as dnspython reads it.
        private static let reader = """
            import sys, dns.resolver
            resolver = dns.resolver.Resolver(configure=False)
            resolver.nameservers, domain = [sys.argv[1]], sys.argv[2]
            for kind in resolver.resolve("_services._dns-sd._udp." + domain, "PTR"):
                for instance in resolver.resolve(kind.target, "PTR"):
                    for place in resolver.resolve(instance.target, "SRV"):
                        addresses = [address.address for address in resolver.resolve(place.target, "A")]
                        texts = sorted(text.decode() for text in resolver.resolve(instance.target, "TXT")[0].strings)
                        print(instance.target.labels[0].decode(), kind.target, place.port, *addresses, *texts)
            """

        /// The zone file of a host, as OpenClaw writes it for CoreDNS.
        private static func openClaw(at address: String) -> String {
            """
            ; openclaw-content-hash: 00000000
            $ORIGIN clawdbot.internal.
            $TTL 60
            @ IN SOA ns1 hostmaster 2026112901 7200 3600 1209600 60
            @ IN NS ns1
            ns1 IN A \(address)
            studio IN A \(address)
            _clawdbot-bridge._tcp IN PTR studio._clawdbot-bridge._tcp
            studio._clawdbot-bridge._tcp IN SRV 0 0 4000 studio
            studio._clawdbot-bridge._tcp IN TXT "displayName=Studio (Clawdbot)" "role=gateway" "transport=bridge" "bridgePort=4000"

            """
        }

        @Test func allAreFoundFromAFourthLAN() async throws {
            let server = try await LabNameServer("lans-router", lan: Self.first, interfaces: 4)
            var hosts: [LabHost] = []
            for (index, name) in ["lans-kitchen", "lans-loft", "lans-studio", "lans-device"].enumerated() {
                let host = try await LabHost.add(name, .bare, lan: Self.first + index)
                let router = try await Lab.address(server.host.name, "eth\(index)")
                try await host.ip("route replace default via \(router)")
                hosts.append(host)
            }
            let silent = ["--no-advertise"]
            let gateways = [
                LabGateway("Kitchen", on: hosts[0], silent + ["--fp", "kitchen"]),
                LabGateway("Loft", on: hosts[1], silent + ["--fp", "loft"]),
                LabGateway("Studio", on: hosts[2], silent + ["--dialect", "bridge"]),
            ]
            for gateway in gateways { try await gateway.start(port: 4_000) }
            let named = try await server.start(
                ["lb._dns-sd._udp PTR kitchen", "lb._dns-sd._udp PTR loft"],
                others: ["clawdbot.internal": Self.openClaw(at: hosts[2].address)]
            )
            let folder = try ScratchFolder.private()
            let key = folder.path("lab.key")
            #expect(
                FileManager.default.createFile(
                    atPath: key,
                    contents: Data(LabNameServer.key.utf8),
                    attributes: [.posixPermissions: 0o600]
                )
            )
            var publishers: [LabProcess] = []
            for (host, site) in zip(hosts, ["kitchen", "loft"]) {
                let publisher = try Lab.start(
                    on: host.name,
                    ["env", "XDG_STATE_HOME=\(folder.path(site))", Lab.clawradar, "advertise", "--tsig-key", key]
                        + ["--gateway", "ws://127.0.0.1:4000", "--zone", "\(site).\(LabNameServer.domain)"]
                        + ["--server", server.host.address]
                )
                _ = try await publisher.line(within: .seconds(20), "publication in \(site)") {
                    $0.contains("published")
                }
                publishers.append(publisher)
            }

            let domains = ["--domain", LabNameServer.domain, "--domain", "clawdbot.internal"]
            let command = ["scan", "--format", "json", "--server", server.host.address] + domains
            let result = try await Lab.run(on: hosts[3].name, [Lab.clawradar] + command)
            let output = try ScanOutput(result.output)
            let rows = Set(output.services.map { "\($0.instance) \($0.type) \($0.domain) \($0.addresses)" })
            let expected = [
                "Kitchen _openclaw._tcp kitchen.zone.test", "Loft _openclaw._tcp loft.zone.test",
                "studio _clawdbot-bridge._tcp clawdbot.internal",
            ]
            #expect(rows == Set(zip(expected, hosts).map { "\($0) \([$1.address])" }), "\(rows)")
            #expect(output.warnings.isEmpty, "\(output.warnings)")
            for host in hosts.dropLast() {
                #expect(result.output.contains(#""endpoint":"\#(host.address):4000""#), "\(result.output)")
            }
            #expect(result.output.components(separatedBy: #""liveness":"answering""#).count > 3, "\(result.output)")

            // A library of others reads the same.
            let reading = ["/usr/bin/python3", "-c", Self.reader, server.host.address, "kitchen.zone.test"]
            let read = try await Lab.run(on: hosts[3].name, reading)
            let place = "Kitchen _openclaw._tcp.kitchen.zone.test. 4000 \(hosts[0].address)"
            let texts = "bots=1 fp=kitchen name=Kitchen port=4000 ver=3"
            #expect(read.output == "\(place) \(texts)", "\(read.output) \(read.errors)")
            for process in publishers { try await process.stop(SIGINT) }
            for gateway in gateways { try await gateway.stop() }
            try await named.stop(SIGKILL)
        }
    }
}
