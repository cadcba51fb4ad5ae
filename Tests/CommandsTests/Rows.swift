import DNSSD
import GatewayProtocol
import GatewaySamples
import Reports
import Scanning

@testable import Commands

/// Events and rows of a map, as a scan would produce them.
enum Rows {
    static func endpoint(_ last: UInt8 = 2, port: UInt16 = 3_000) -> Endpoint {
        Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 | UInt32(last))), port: port)
    }

    static func bots(_ names: [String]) -> [BotDescription] {
        names.enumerated().compactMap { index, name in
            BotID("bot-\(index + 1)").map { BotDescription(id: $0, name: name, emoji: "🤖", status: "online") }
        }
    }

    static func gateway(
        fingerprint: String? = "abc123",
        name: String? = "Home",
        bots: [BotDescription] = bots(["Jarvis", "Friday"])
    ) -> ProbeOutcome {
        .gateway(
            GatewayIdentity(
                fingerprint: fingerprint.flatMap { GatewayFingerprint($0) },
                name: name,
                dialect: .optaplus,
                bots: bots
            )
        )
    }

    /// Returns a map that has taken in these events.
    static func map(_ events: [BotMapEvent]) -> BotMap {
        var map = BotMap()
        for event in events { map.apply(event) }
        return map
    }

    static func snapshot(_ events: [BotMapEvent]) -> NetworkSnapshot {
        let services = events.compactMap { event in
            if case .serviceFound(let service) = event { service } else { nil }
        }
        return NetworkSnapshot(rows: map(events).gateways, services: services)
    }

    /// Returns the events of a gateway with two bots, an SSH server, a port that refuses connections, and a service
    /// that is not resolved.
    static func mixed() throws -> [BotMapEvent] {
        let ssh = ForeignAnswer(summary: "an SSH server", bytes: Array("SSH-2.0-OpenSSH_9.2\r\nx".utf8))
        return [
            .serviceFound(try Fixture.service()),
            .probed(endpoint(), gateway()),
            .liveness(endpoint(), .answering, roundTrip: .microseconds(1_234)),
            .endpointAdded(endpoint(3, port: 22), .local),
            .probed(endpoint(3, port: 22), .somethingElse(ssh)),
            .endpointAdded(endpoint(4), .local),
            .probed(endpoint(4), .nothing(.refused)),
            .serviceFound(try Fixture.service(name: "lost", resolution: .failed(reason: "nobody answered"))),
        ]
    }
}
