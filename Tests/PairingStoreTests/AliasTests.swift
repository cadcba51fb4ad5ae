import GatewayProtocol
import Testing

@testable import Pairing

/// The names that a user has given to gateways, in the store.
@Suite struct AliasTests {
    private static func alias(_ id: String, fp: String? = nil, leaf: UInt8? = nil, _ name: String) -> GatewayAlias {
        GatewayAlias(
            gatewayID: id,
            fingerprint: fp.flatMap { GatewayFingerprint($0) },
            leaf: leaf.flatMap { LeafFingerprint(bytes: Array(repeating: $0, count: 32)) },
            name: name
        )
    }

    @Test func aGatewayHasOneNameAndANameOneGateway() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            try store.setAlias(Self.alias("service:a", "Attic"))
            try store.setAlias(Self.alias("fingerprint:f", fp: "f", leaf: 1, "Cellar"))
            // The same certificate and fingerprint elsewhere is the same gateway; a certificate alone may be a front's.
            try store.setAlias(Self.alias("claimant:f", fp: "f", leaf: 1, "Roof"))
            try store.setAlias(Self.alias("endpoint:1", leaf: 1, "One"))
            try store.setAlias(Self.alias("endpoint:2", leaf: 1, "Two"))
            #expect(try folder.open().aliases().map(\.name) == ["Attic", "Roof", "One", "Two"])
            #expect(throws: StoreError.self) { try store.setAlias(Self.alias("endpoint:3", "Two")) }
            #expect(throws: StoreError.self) { try store.setAlias(Self.alias("endpoint:3", "\0")) }
            try store.removeAlias(Self.alias("service:a", "Attic"))
            #expect(try store.aliases().first == Self.alias("claimant:f", fp: "f", leaf: 1, "Roof"))
            for number in 3..<(StoreLimits.aliases) {
                try store.setAlias(Self.alias("endpoint:\(number)", "N\(number)"))
            }
            #expect(throws: StoreError.self) { try store.setAlias(Self.alias("endpoint:x", "X")) }
        }
    }

    /// A paired gateway is shown under the name that the user has given to it, and keeps the one of its pairing.
    @Test func aPairingIsShownUnderIt() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let alias = Self.alias(pairing.gatewayID, "Attic")
            try store.setAlias(alias)
            // In the bin, too; and it is still known by the name that it had.
            #expect(try store.pairings().first?.formerName == pairing.name)
            try store.moveToBin(pairing.id, reason: .forgotten, at: 1)
            #expect(try store.bin().map(\.pairing.name) == ["Attic"])
            try store.restore(pairing.id)
            #expect(try store.pairings().map(\.name) == ["Attic"])
            #expect(try store.pairing(pairing.id)?.name == "Attic")
            try store.update(pairing.id) { $0.lastConnected = 7 }
            try store.removeAlias(alias)
            #expect(try store.pairings().map(\.name) == [pairing.name])

            // It was named as a row of its address, and paired as its service.
            var other = try StoredPairing.sample(
                trust: .pinned(try #require(LeafFingerprint(bytes: [UInt8](repeating: 1, count: 32))))
            )
            other.fingerprint = GatewayFingerprint("f")
            try store.insert(other, secrets: other.sampleSecrets)
            try store.setAlias(Self.alias("endpoint:9", fp: "f", leaf: 1, "Cellar"))
            #expect(try store.pairing(other.id)?.name == "Cellar")
            try store.setAlias(Self.alias("endpoint:9", fp: "g", leaf: 1, "Cellar"))
            #expect(try store.pairing(other.id)?.name == other.name)
        }
    }
}
