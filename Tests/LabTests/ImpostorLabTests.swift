import Foundation
import Testing

extension LabTests {
    /// Somebody who pretends to be a paired gateway: no token is sent, and the pairing stays.
    @Suite struct ImpostorLabTests {
        /// The gateways that are paired and then imitated, each by its name, its port, and how it is run.
        private static let victims = [
            (name: "Pinned", port: 4_000, options: ["--fp", "pinned-label"], isPlain: false),
            (name: "Plain", port: 4_100, options: ["--fp", "plain-label"], isPlain: true),
        ]

        /// So that an IPv4 address that is taken over is all there is of a gateway.
        private static let ipv4 = "0.0.0.0"

        @Test
        func impostorsAreSentNothing() async throws {
            let victimHost = try await LabHost.add("imitated", .bare, lan: 42)
            let mallory = try await LabHost.add("mallory", .bare, lan: 42)
            let device = try LabDevice(on: try await LabHost.add("imitated-device", .avahi, lan: 42))
            let folder = try ScratchFolder()
            let gateways = Self.victims.map {
                LabGateway($0.name, on: victimHost, listen: Self.ipv4, isPlain: $0.isPlain, $0.options)
            }
            for (gateway, victim) in zip(gateways, Self.victims) {
                try await gateway.start(port: victim.port)
                try await device.pair(victim.name, victim.isPlain ? ["--trust", "address"] : [])
            }
            let tokens = try await device.tokens()
            #expect(Set(tokens).count == 2)
            let watch = try SessionWatch(of: device)
            try await Scenario.lasts(.seconds(3))
            for victim in Self.victims { #expect(watch.last(victim.name)?.state == "connected") }

            var table: [String] = []
            /// Imitates both for a while, and notes what was got by it.
            func attack(_ what: String, isPlain: Bool? = nil, during: () async throws -> Void) async throws {
                var impostors: [(LabGateway, SecretLogFile)] = []
                for victim in Self.victims {
                    let log = SecretLogFile(folder.path("\(what) \(victim.name)"))
                    let options = victim.options + ["--log-secrets", log.path]
                    let impostor = LabGateway(
                        victim.name,
                        on: mallory,
                        listen: Self.ipv4,
                        isPlain: isPlain ?? victim.isPlain,
                        options
                    )
                    try await impostor.start(port: victim.port)
                    impostors.append((impostor, log))
                }
                try await during()
                for ((impostor, log), victim) in zip(impostors, Self.victims) {
                    let given = log.lines.isEmpty ? "nothing" : "GIVEN"
                    table.append("\(what) × \(victim.name): \(given), \(watch.last(victim.name)?.state ?? "no state")")
                    #expect(log.lines.isEmpty, "\(what) × \(victim.name)")
                    try await impostor.stop()
                }
            }

            try await attack("its fingerprint elsewhere, beside it") { try await Scenario.lasts(.seconds(4)) }
            for victim in Self.victims { #expect(watch.last(victim.name)?.state == "connected") }

            try await attack("its fingerprint elsewhere, instead of it") {
                for gateway in gateways { try await gateway.stop() }
                try await Scenario.lasts(.seconds(6))
            }
            for victim in Self.victims { #expect(watch.last(victim.name)?.state != "connected") }

            try await victimHost.ip("link set eth0 down")
            try await mallory.ip("address add \(victimHost.address)/16 brd + dev eth0")
            // The kernel of the device would go on sending to the victim for a while.
            try await device.host.ip("neigh flush dev eth0")
            try await attack("its address taken over") { try await Scenario.lasts(.seconds(8)) }
            #expect(watch.last("Pinned")?.state != "connected")
            #expect(watch.last("Plain")?.state == "moved")

            try await attack("its address taken over, TLS turned plain", isPlain: true) {
                try await Scenario.lasts(.seconds(6))
            }
            for victim in Self.victims { #expect(watch.last(victim.name)?.state != "connected") }

            try await watch.stop()
            print(table.joined(separator: "\n"))
            #expect(try await device.tokens() == tokens, "nothing is taken away")
        }
    }
}
