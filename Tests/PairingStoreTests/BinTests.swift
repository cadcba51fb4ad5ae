import GatewayProtocol
import Testing

@testable import PairingStore

@Suite struct BinTests {
    @Test(arguments: [
        BinReason.unpaired(withdrawnThere: true), .unpaired(withdrawnThere: false), .revoked("token_revoked"),
        .forgotten,
    ])
    func whatIsBinnedCanBeRestored(reason: BinReason) async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            let other = try StoredPairing.sample("Other", pairedAt: 2_000)
            for pairing in [pairing, other] { try store.insert(pairing, secrets: pairing.sampleSecrets) }
            try store.moveToBin(pairing.id, reason: reason, at: 7)
            let second = try folder.open()
            #expect(try second.pairings() == [other])
            #expect(try second.pairing(pairing.id) == nil)
            let binned = BinnedPairing(pairing: pairing, reason: reason, time: 7, isWhole: true)
            #expect(try second.bin() == [binned])
            #expect(code { try second.update(pairing.id) { $0.name = "x" } } == .notFound)
            // Unpairing there takes the secret, after it was unpaired here.
            for (id, secret) in pairing.sampleSecrets { #expect(try second.secret(of: id, in: pairing.id) == secret) }
            try second.restore(pairing.id)
            #expect(try store.pairings() == [pairing, other])
            #expect(try store.bin().isEmpty)
            for (id, secret) in pairing.sampleSecrets { #expect(try store.secret(of: id, in: pairing.id) == secret) }
        }
    }

    @Test func aReasonCanBecomeAnother() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try store.moveToBin(pairing.id, reason: .unpaired(withdrawnThere: false), at: 7)
            try store.moveToBin(pairing.id, reason: .unpaired(withdrawnThere: true), at: 8)
            // The 30 days count from the first.
            #expect(try store.bin().map(\.time) == [7])
            #expect(try store.bin().map(\.reason) == [.unpaired(withdrawnThere: true)])
            #expect(code { try store.moveToBin(PairingID(), reason: .forgotten, at: 1) } == .notFound)
            #expect(code { try store.restore(PairingID()) } == .notFound)
        }
    }

    /// One revoked credential of several takes its bots with it, and leaves the others connected.
    @Test func oneCredentialGoesByItself() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let first = pairing.credentials[0]
            try store.moveToBin(first.id, of: pairing.id, reason: .revoked("gone"), at: 7)
            var live = pairing
            live.bots.removeFirst()
            live.credentials.removeFirst()
            #expect(try store.pairings() == [live])
            let binned = try #require(try store.bin().first)
            #expect(binned.pairing.credentials == [first] && binned.pairing.bots == [pairing.bots[0]])
            #expect(binned.reason == .revoked("gone") && !binned.isWhole)
            // Changes of what is live leave what is not seen.
            try store.update(pairing.id) { $0.bots[0].name = "Renamed" }
            try store.restore(pairing.id)
            let restored = try #require(try store.pairing(pairing.id))
            #expect(restored.credentials == pairing.credentials)
            #expect(Set(restored.bots.map(\.name)) == ["Jarvis", "Renamed"])
            // With the last one the pairing goes.
            for credential in pairing.credentials {
                try store.moveToBin(credential.id, of: pairing.id, reason: .revoked("gone"), at: 9)
            }
            #expect(try store.pairings().isEmpty)
            #expect(try store.bin().map(\.isWhole) == [true])
            try store.restore(pairing.id)
            #expect(try store.pairing(pairing.id) == restored)
        }
    }

    @Test func whatIsThirtyDaysOldIsDeleted() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairings = try (0..<3).map { try StoredPairing.sample(pairedAt: $0) }
            for pairing in pairings { try store.insert(pairing, secrets: pairing.sampleSecrets) }
            let now = 10 * BinnedPairing.retention
            try store.moveToBin(pairings[0].id, reason: .forgotten, at: now - BinnedPairing.retention - 1)
            try store.moveToBin(pairings[1].id, reason: .forgotten, at: now - BinnedPairing.retention)
            let old = pairings[2].credentials[0].id
            try store.moveToBin(old, of: pairings[2].id, reason: .revoked(""), at: 0)
            try store.purgeBin(before: now - BinnedPairing.retention)
            #expect(try store.bin().map(\.pairing) == [pairings[1]])
            #expect(code { try store.restore(pairings[0].id) } == .notFound)
            #expect(code { try store.restore(pairings[2].id) } == .notFound)
            #expect(code { _ = try store.secret(of: old, in: pairings[2].id) } == .notFound)
            let live = try #require(try store.pairing(pairings[2].id))
            #expect(live.credentials == [pairings[2].credentials[1]] && live.bots == [pairings[2].bots[1]])
        }
    }

    /// Sealed or not, what was deleted is not left in the free pages of the file.
    @Test func whatIsDeletedIsOverwritten() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let sealed = try store.database.read { try CredentialRow.fetch(pairing.id, $0).map(\.sealed) }
            func isThere(_ bytes: [UInt8]) throws -> Bool {
                try folder.content().values.contains { $0.firstRange(of: bytes) != nil }
            }
            for bytes in sealed { #expect(try isThere(bytes)) }
            try store.moveToBin(pairing.id, reason: .forgotten, at: 1)
            try store.purgeBin(before: 2)
            for bytes in sealed { #expect(try !isThere(bytes)) }
        }
    }
}
