import GRDB
import GatewayProtocol
import Testing

@testable import Pairing

@Suite struct BinTests {
    /// A pairing that was moved to the bin for any reason is hidden, but keeps its bots and secrets, and can be
    /// restored.
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
            // The secret is still needed, to withdraw the pairing at the gateway after it was unpaired here.
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
            // The 30 days count from the time at which it was first moved to the bin.
            #expect(try store.bin().map(\.time) == [7])
            #expect(try store.bin().map(\.reason) == [.unpaired(withdrawnThere: true)])
            #expect(code { try store.moveToBin(PairingID(), reason: .forgotten, at: 1) } == .notFound)
            #expect(code { try store.restore(PairingID()) } == .notFound)
        }
    }

    /// A single credential that is revoked takes its bots with it to the bin; the other credentials of the pairing
    /// remain.
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
            // Changes of the live part of a pairing do not affect the part that is in the bin.
            try store.update(pairing.id) { $0.bots[0].name = "Renamed" }
            try store.restore(pairing.id)
            let restored = try #require(try store.pairing(pairing.id))
            #expect(restored.credentials == pairing.credentials)
            #expect(Set(restored.bots.map(\.name)) == ["Jarvis", "Renamed"])
            // With its last credential, the whole pairing is in the bin.
            for credential in pairing.credentials {
                try store.moveToBin(credential.id, of: pairing.id, reason: .revoked("gone"), at: 9)
            }
            #expect(try store.pairings().isEmpty)
            #expect(try store.bin().map(\.isWhole) == [true])
            try store.restore(pairing.id)
            #expect(try store.pairing(pairing.id) == restored)
        }
    }

    // MARK: Thirty days

    private static let now = 10 * BinnedPairing.retention
    private static let day = BinnedPairing.purgeInterval

    /// Purges the bin at this time.
    private func purge(_ store: PairingStore, at time: Int) throws {
        try store.purgeBin(before: time - BinnedPairing.retention)
    }

    /// A pairing that has been in the bin for 30 days is marked as overdue by the next purge, and deleted by one that
    /// is at least a day later.
    @Test func whatIsThirtyDaysOldIsDeletedTheDayAfter() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairings = try (0..<3).map { try StoredPairing.sample(pairedAt: $0) }
            for pairing in pairings { try store.insert(pairing, secrets: pairing.sampleSecrets) }
            try store.moveToBin(pairings[0].id, reason: .forgotten, at: Self.now - BinnedPairing.retention - 1)
            try store.moveToBin(pairings[1].id, reason: .forgotten, at: Self.now - BinnedPairing.retention + Self.day)
            let old = pairings[2].credentials[0].id
            try store.moveToBin(old, of: pairings[2].id, reason: .revoked(""), at: 0)
            let before = try store.bin()
            for time in [Self.now, Self.now + 1, Self.now + Self.day - 1] {
                try purge(folder.open(), at: time)
                #expect(try store.bin() == before)
            }
            try purge(store, at: Self.now + Self.day)
            #expect(try store.bin().map(\.pairing) == [pairings[1]])
            #expect(code { try store.restore(pairings[0].id) } == .notFound)
            #expect(code { try store.restore(pairings[2].id) } == .notFound)
            #expect(code { _ = try store.secret(of: old, in: pairings[2].id) } == .notFound)
            let live = try #require(try store.pairing(pairings[2].id))
            #expect(live.credentials == [pairings[2].credentials[1]] && live.bots == [pairings[2].bots[1]])
        }
    }

    /// A wrong clock deletes no pairing. A machine without a battery-backed clock starts in 1970, or at the time at
    /// which it was switched off, until it has synchronized.
    @Test(arguments: [0, now + BinnedPairing.retention + 40 * day])
    func aClockThatWasWrongTakesNothingAway(wrong: Int) async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            // Either the clock was behind when the pairing was moved to the bin, or it was ahead when the bin was
            // purged.
            let (binned, purged) = wrong < Self.now ? (wrong, Self.now) : (Self.now, wrong)
            try store.moveToBin(pairing.id, reason: .forgotten, at: binned)
            for _ in 0..<3 { try purge(store, at: purged) }
            try store.restore(pairing.id)
            #expect(try store.pairings() == [pairing])
        }
    }

    /// A mark that was set while the clock was ahead is removed once the clock is right.
    @Test func aNoteOfAClockThatWasAheadIsCleared() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try store.moveToBin(pairing.id, reason: .forgotten, at: Self.now)
            let credential = try StoredPairing.sample()
            try store.insert(credential, secrets: credential.sampleSecrets)
            try store.moveToBin(credential.credentials[0].id, of: credential.id, reason: .forgotten, at: Self.now)
            try purge(store, at: Self.now + 31 * Self.day)
            try purge(store, at: Self.now + Self.day)
            // The pairing is overdue now, and is marked as such for the first time.
            try purge(store, at: Self.now + 33 * Self.day)
            #expect(try store.bin().count == 2)
            try purge(store, at: Self.now + 34 * Self.day)
            #expect(try store.bin().isEmpty)
        }
    }

    /// A mark with a time in the future is corrected, so that it does not delay the deletion until that time.
    @Test func aNoteFromTheFutureIsSetBack() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try store.moveToBin(pairing.id, reason: .forgotten, at: 0)
            try purge(store, at: 2 * Self.now)
            try purge(store, at: Self.now)
            #expect(try store.bin().count == 1)
            try purge(store, at: Self.now + Self.day)
            #expect(try store.bin().isEmpty)
        }
    }

    /// Everything in the bin can be restored, even if a purge has already marked it as overdue. Its 30 days begin anew
    /// when it is moved to the bin again.
    @Test func whatIsOverdueCanBeRestored() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try store.moveToBin(pairing.id, reason: .forgotten, at: 0)
            try purge(store, at: Self.now)
            try store.restore(pairing.id)
            #expect(try store.pairings() == [pairing])
            try store.moveToBin(pairing.id, reason: .forgotten, at: 0)
            try purge(store, at: Self.now + Self.day)
            #expect(try store.bin().count == 1, "restoring must remove the mark")
            // Only the reason changes; the mark stays.
            try store.moveToBin(pairing.id, reason: .unpaired(withdrawnThere: true), at: Self.now)
            try purge(store, at: Self.now + 2 * Self.day)
            #expect(try store.bin().isEmpty)
        }
    }

    /// Times of a manipulated row that are far apart do not overflow and end the process.
    @Test(arguments: [(Int.min, Int.max), (Int.min, 0), (0, Int.min)])
    func timesThatAreFarApartEndNothing(since: Int, time: Int) async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try store.moveToBin(pairing.id, reason: .forgotten, at: .min)
            try store.database.write { try $0.execute(sql: "UPDATE pairing SET overdueSince = \(since)") }
            #expect(throws: Never.self) { try store.purgeBin(before: time) }
        }
    }

    /// Deleted secrets are overwritten, and do not remain in free pages of the file, although they are sealed.
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
            try store.purgeBin(before: 2 + BinnedPairing.purgeInterval)
            for bytes in sealed { #expect(try !isThere(bytes)) }
        }
    }
}
