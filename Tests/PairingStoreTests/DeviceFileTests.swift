import DNSSD
import GRDB
import GatewayProtocol
import Testing

@testable import Pairing

/// The file that a device takes to another one, and what becomes of it there.
@Suite struct DeviceFileTests {
    /// Calls a closure with the stores of two devices.
    private static func withTwo(_ body: (PairingStore, PairingStore) throws -> Void) async throws {
        try await StoreFolder.with { one in
            try await StoreFolder.with { other in try body(one.open(), other.open()) }
        }
    }

    private static func sample(
        _ dialect: GatewayDialect,
        _ name: String,
        fingerprint: String,
        at time: Int = 1_000
    ) throws -> StoredPairing {
        var pairing = try StoredPairing.sample(name, trust: .certified(host: "\(fingerprint).example"))
        pairing.dialect = dialect
        pairing.fingerprint = GatewayFingerprint(fingerprint)
        for index in pairing.credentials.indices { pairing.credentials[index].createdAt = time }
        return pairing
    }

    /// Writes and reads a file, as it would be taken over.
    private static func carry(_ kind: DeviceFile.Kind, _ store: PairingStore) throws -> DeviceFile {
        let file = try store.deviceFile(kind, at: 5)
        let read = try #require(DeviceFile(file.content))
        #expect(read == file)
        return read
    }

    /// A copy brings bearer tokens with their trust; gateways whose tokens are bound to the first device arrive as known, and
    /// the identity stays where it is.
    @Test func aCopyLeavesWhatIsBoundToTheDevice() async throws {
        try await Self.withTwo { one, other in
            let free = try Self.sample(.optaplus, "Free", fingerprint: "f")
            let bound = try Self.sample(.openClaw, "Bound", fingerprint: "b")
            try one.insert(free, secrets: free.sampleSecrets)
            try one.insert(bound, secrets: bound.sampleSecrets)
            let vault = VaultKey()
            try one.keepVaultKey(vault)
            let (file, before) = (try Self.carry(.copy, one), other.device.id)
            #expect(file.identity == nil && file.vault == vault)
            try other.take(other.plan(file), at: 6)
            let found = try other.pairings()
            #expect(found.first { $0.name == "Free" } == free)
            let known = try #require(found.first { $0.name == "Bound" })
            #expect(known.credentials.isEmpty && known.endpoints == bound.endpoints && known.obstacle != nil)
            for credential in free.credentials {
                #expect(try other.secret(of: credential.id, in: free.id) == free.sampleSecrets[credential.id])
            }
            #expect(try other.vaultKey() == vault && other.device.id == before)
            // Once more changes nothing.
            try other.take(other.plan(file), at: 7)
            #expect(try other.pairings() == found && other.bin().isEmpty)
        }
    }

    /// A newer pairing of the device stays; an older one goes to the bin, from where it comes back; and what was unpaired
    /// here since stays so.
    @Test func aNewerPairingIsNeverOverwritten() async throws {
        try await Self.withTwo { one, other in
            let carried = try Self.sample(.optaplus, "Theirs", fingerprint: "f", at: 2_000)
            try one.insert(carried, secrets: carried.sampleSecrets)
            let file = try Self.carry(.copy, one)
            let newer = try Self.sample(.optaplus, "Ours", fingerprint: "f", at: 2_001)
            try other.insert(newer, secrets: newer.sampleSecrets)
            #expect(try other.plan(file).items.map(\.verdict) == [.isHere])
            try other.take(other.plan(file), at: 9_000)
            #expect(try other.pairings() == [newer])

            try other.moveToBin(newer.id, reason: .forgotten, at: 1_999)
            let older = try Self.sample(.optaplus, "Older", fingerprint: "f", at: 1_999)
            try other.insert(older, secrets: older.sampleSecrets)
            #expect(try other.plan(file).items.map(\.verdict) == [.replaces(older.id)])
            try other.take(other.plan(file), at: 9_000)
            #expect(try other.pairings().map(\.name) == ["Theirs"])
            #expect(try other.bin().map(\.pairing.name) == ["Ours", "Older"])

            try other.moveToBin(carried.id, reason: .forgotten, at: 9_001)
            #expect(try other.plan(file).items.map(\.verdict) == [.wasUnpaired])
            // What was unpaired before it was paired there comes, under an identifier of its own.
            var later = file
            later.pairings[0].pairing.credentials[0].createdAt = 9_002
            try other.take(other.plan(later), at: 9_003)
            let found = try #require(try other.pairings().first)
            #expect(found.id != carried.id && found.name == "Theirs")
            for credential in found.credentials { _ = try other.secret(of: credential.id, in: found.id) }
        }
    }

    /// Whatever ends an import in between: never are both the older pairing and the one of the file live, nor is one of several
    /// there.
    @Test func anImportIsDoneAsAWhole() async throws {
        try await Self.withTwo { one, other in
            for name in ["a", "b"] {
                let newer = try Self.sample(.optaplus, "Newer", fingerprint: name, at: 2_000)
                try one.insert(newer, secrets: newer.sampleSecrets)
            }
            let older = try Self.sample(.optaplus, "Older", fingerprint: "b", at: 1_999)
            try other.insert(older, secrets: older.sampleSecrets)
            let plan = try other.plan(try Self.carry(.copy, one))
            // The process ends before the older one is in the bin.
            try other.database.write {
                try $0.execute(
                    sql: "CREATE TEMP TRIGGER crash BEFORE UPDATE ON pairing BEGIN SELECT RAISE(ABORT, 'killed'); END"
                )
            }
            #expect(throws: StoreError.self) { try other.take(plan, at: 9_000) }
            #expect(try other.pairings() == [older])
            try other.database.write { try $0.execute(sql: "DROP TRIGGER crash") }
            try other.take(plan, at: 9_000)
            #expect(try other.pairings().map(\.name) == ["Newer", "Newer"])
            #expect(try other.bin().map(\.pairing.name) == ["Older"])
        }
    }

    /// A moved device connects no more, says why, and opens no token, until it is restored.
    @Test func aMovedDeviceConnectsNoMore() async throws {
        try await Self.withTwo { one, other in
            var pairing = try Self.sample(.openClaw, "Home", fingerprint: "f")
            pairing.connectsAutomatically = true
            try one.insert(pairing, secrets: pairing.sampleSecrets)
            let second = try PairingStore(one.location)
            let credential = try #require(pairing.credentials.first?.id)
            let file = try Self.carry(.move, one)
            #expect(one.keyProblem == nil)
            try one.noteMoved(at: 7)
            // In another process, too.
            for store in [one, second] {
                #expect(try store.pairings().map(\.isToBeConnected) == [false])
                #expect(PairedStatus(try #require(try store.pairings().first), row: nil, sessions: []).state == .failed)
                #expect(code { _ = try store.liveSecret(of: credential, in: pairing.id) } == .moved)
                #expect(code { try store.insert(pairing, secrets: pairing.sampleSecrets) } == .moved)
                #expect(code { _ = try store.deviceFile(.copy, at: 8) } == .moved)
                #expect(store.keyProblem?.code == .moved)
            }

            // The other one is that device now, and keeps its vault key.
            let vault = VaultKey()
            try other.keepVaultKey(vault)
            try other.take(other.plan(file), at: 8)
            #expect(try other.vaultKey() == vault)
            #expect(other.device.id == one.device.id && other.device.publicKey == one.device.publicKey)
            let message = Array("message".utf8)
            #expect(try other.device.signature(of: message).count == 64)
            #expect(try other.liveSecret(of: credential, in: pairing.id).secret == Secret("secret-token-0"))
            #expect(try PairingStore(other.location).device.id == one.device.id)

            try one.noteMoved(at: nil)
            #expect(try one.pairings() == [pairing] && second.keyProblem == nil)
            _ = try second.liveSecret(of: credential, in: pairing.id)
        }
    }

    /// Another identity is not taken where tokens are bound to the present one: they would be lost.
    @Test func anIdentityWithTokensStays() async throws {
        try await Self.withTwo { one, other in
            let bound = try Self.sample(.clawline, "Bound", fingerprint: "b")
            try other.insert(bound, secrets: bound.sampleSecrets)
            let (plan, before) = (try other.plan(try Self.carry(.move, one)), other.device.id)
            #expect(code { try other.take(plan, at: 1) } == .invalid)
            #expect(other.device.id == before && plan.bound.count == 1)
        }
    }

    /// Anything but such a file is refused as a whole.
    @Test func anotherContentIsRefused() async throws {
        try await Self.withTwo { one, _ in
            let pairing = try Self.sample(.optaplus, "Home", fingerprint: "f")
            try one.insert(pairing, secrets: pairing.sampleSecrets)
            let text = try #require(try one.deviceFile(.move, at: 5).content.revealed)
            for (part, other) in [
                ("\"version\":1", "\"version\":2"), ("\"clawradar\":\"device\"", "\"clawradar\":\"x\""),
                ("\"dialect\":\"optaplus\"", "\"dialect\":\"later\""), ("\"kind\":\"certified\"", "\"kind\":\"later\""),
                ("\"publicKey\":\"", "\"publicKey\":\"AAAA"), ("\"platform\":", "\"platforn\":"),
            ] {
                #expect(text.contains(part))
                #expect(DeviceFile(Secret(text.replacing(part, with: other))) == nil, "\(part)")
            }
            for wrong in ["", "{}", "[]", "null", String(text.dropLast())] { #expect(DeviceFile(Secret(wrong)) == nil) }
        }
    }
}
