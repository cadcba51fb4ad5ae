import DNSSD
import Foundation
import GRDB
import GatewayProtocol
import Testing

@testable import Pairing

@Suite struct PairingStoreTests {
    private static var networks: [HomeNetwork] {
        get throws {
            [
                HomeNetwork(
                    prefix: try #require(IPAddress("10.0.0.0")),
                    prefixLength: 24,
                    router: [1, 2, 3, 4, 5, 6],
                    gateway: nil
                ),
                HomeNetwork(
                    prefix: try #require(IPAddress("fd00::")),
                    prefixLength: 64,
                    router: [],
                    gateway: [6, 5, 4]
                ),
            ]
        }
    }

    /// A pairing is stored with everything that is shown offline, and with every kind of trust.
    @Test func whatIsStoredComesBackEqual() async throws {
        let leaf = try #require(LeafFingerprint(bytes: Array(0..<32)))
        let trusts: [TrustPolicy] = [
            .pinned(leaf), .certified(host: "gateway.example"), .sameAddress(try Self.networks[0]),
            .lan(try Self.networks[1]),
        ]
        try await StoreFolder.with { folder in
            var pairings = try trusts.enumerated().map { try StoredPairing.sample(trust: $1, pairedAt: $0) }
            let tools = SessionRefusal.OperatorTool.allCases
            for (index, tool) in tools.enumerated() { pairings[index].operatorTool = tool }
            pairings[0].ownName = "Studio"
            for index in pairings[0].bots.indices { pairings[0].bots[index].accentColor = "#8b5cf6" }
            let first = try folder.open()
            for pairing in pairings { try first.insert(pairing, secrets: pairing.sampleSecrets) }
            let second = try folder.open()
            #expect(try second.pairings() == pairings)
            for pairing in pairings {
                #expect(try second.pairing(pairing.id) == pairing)
                for (id, secret) in pairing.sampleSecrets {
                    #expect(try second.secret(of: id, in: pairing.id) == secret)
                }
            }
            #expect(try second.bin().isEmpty)
            #expect(second.setAside == nil && second.keyProblem == nil)
        }
    }

    /// The identifiers of bots are any UTF-8 bytes, and are kept byte for byte, although SQLite ends a text at a NUL.
    @Test func identifiersAreKeptByteForByte() async throws {
        try await StoreFolder.with { folder in
            var pairing = try StoredPairing.sample()
            let ids = try ["a\0b", "a\0c", "e\u{301}", "\u{E9}"].map { try #require(BotID($0)) }
            pairing.bots = ids.map { StoredBot(id: $0, name: "n\0ame") }
            pairing.credentials = [StoredCredential(bots: ids, createdAt: 1, deviceID: "d")]
            let store = try folder.open()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let stored = try #require(try store.pairing(pairing.id))
            #expect(stored.bots.map(\.id) == ids)
            #expect(stored.credentials[0].bots == ids)
            #expect(stored.bots.allSatisfy { $0.name == "name" })
        }
    }

    @Test func identifiersAreRandomDigits() throws {
        #expect(PairingID() != PairingID() && CredentialID() != CredentialID())
        for text in [PairingID().description, CredentialID().description, String(repeating: "0f", count: 16)] {
            #expect(PairingID(text)?.description == text && CredentialID(text)?.description == text)
        }
        let short = String(repeating: "0f", count: 15)
        for text in ["", short, short + "0F", short + "0g", short + "0f0", short + "é"] {
            #expect(PairingID(text) == nil && CredentialID(text) == nil)
        }
    }

    /// A change of a pairing is stored as a whole, or is refused as a whole.
    @Test func aChangeIsStoredAsAWhole() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try store.update(pairing.id) { pairing in
                pairing.name = "Office"
                pairing.lastConnected = 9
                pairing.endpoints.removeFirst()
                pairing.bots[0].isArchived = true
                pairing.credentials[0].scopes = []
                // The secret is sealed together with the bots of its credential, so that it has to be sealed again.
                pairing.credentials[1].bots = []
            }
            var expected = pairing
            expected.name = "Office"
            expected.lastConnected = 9
            expected.endpoints.removeFirst()
            expected.bots[0].isArchived = true
            expected.credentials[0].scopes = []
            expected.credentials[1].bots = []
            #expect(try store.pairing(pairing.id) == expected)
            for (id, secret) in pairing.sampleSecrets { #expect(try store.secret(of: id, in: pairing.id) == secret) }
            // Secrets and generations can only be changed by functions of their own.
            #expect(code { try store.update(pairing.id) { $0.credentials.removeLast() } } == .invalid)
            #expect(code { try store.update(pairing.id) { $0.credentials[0].generation = 7 } } == .invalid)
            #expect(code { try store.update(PairingID()) { $0.name = "" } } == .notFound)
            #expect(try store.pairing(pairing.id) == expected)
        }
    }

    /// The closure that changes a pairing may use the store, because it runs outside of the transaction.
    @Test func aChangeMayReadTheStore() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try store.update(pairing.id) { $0.name = (try? store.pairings().first?.name).map { "\($0) 2" } ?? "" }
            #expect(try store.pairing(pairing.id)?.name == "Home 2")
        }
    }

    @Test func aNewSecretIsANewGeneration() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let id = pairing.credentials[1].id
            try store.replaceSecret(Secret("newer"), of: id, in: pairing.id, at: 5)
            let stored = try #require(try folder.open().pairing(pairing.id))
            #expect(stored.credentials[1].generation == 2 && stored.credentials[1].createdAt == 5)
            #expect(stored.credentials[0] == pairing.credentials[0])
            #expect(try store.secret(of: id, in: pairing.id) == Secret("newer"))
            #expect(
                code { try store.replaceSecret(Secret("x"), of: CredentialID(), in: pairing.id, at: 5) } == .notFound
            )
            #expect(code { _ = try store.secret(of: id, in: PairingID()) } == .notFound)
        }
    }

    /// A refusal or a new token that concerns an older secret does not affect the secret that has replaced it in the
    /// meantime.
    @Test func aRefusalOfAnOlderSecretDoesNotAffectTheNewOne() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let id = pairing.credentials[0].id
            let sent = try store.liveSecret(of: id, in: pairing.id)
            #expect(sent == StoredSecret(secret: Secret("secret-token-0"), generation: 1))
            #expect(try folder.open().replaceSecret(Secret("newer"), of: id, in: pairing.id, at: 5) == 2)
            func replace() throws {
                try store.replaceSecret(Secret("late"), of: id, in: pairing.id, ifGeneration: sent.generation, at: 6)
            }
            func bin() throws {
                let reason = BinReason.revoked("gone")
                try store.moveToBin(id, of: pairing.id, ifGeneration: sent.generation, reason: reason, at: 6)
            }
            #expect(code(replace) == .outdated)
            #expect(code(bin) == .outdated)
            let current = try store.liveSecret(of: id, in: pairing.id)
            #expect(current == StoredSecret(secret: Secret("newer"), generation: 2))
            #expect(try store.bin().isEmpty)
            try store.moveToBin(id, of: pairing.id, ifGeneration: 2, reason: .revoked("gone"), at: 7)
            #expect(try store.bin().count == 1)
        }
    }

    /// A secret in the bin is not replaced: a token that was just granted would vanish there.
    @Test(arguments: [true, false]) func nothingIsReplacedInTheBin(isWhole: Bool) async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let id = pairing.credentials[0].id
            if isWhole {
                try store.moveToBin(pairing.id, reason: .forgotten, at: 1)
            } else {
                try store.moveToBin(id, of: pairing.id, reason: .forgotten, at: 1)
            }
            #expect(code { try store.replaceSecret(Secret("newer"), of: id, in: pairing.id, at: 5) } == .notFound)
            #expect(code { _ = try store.liveSecret(of: id, in: pairing.id) } == .notFound)
            #expect(try store.secret(of: id, in: pairing.id) == Secret("secret-token-0"), "needed for unpairing")
        }
    }

    /// A generation that a manipulated database has set to the maximum is an error, and does not overflow and end the
    /// process.
    @Test func aGenerationThatCannotGrowIsAnError() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            var pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try store.database.write { try $0.execute(sql: "UPDATE credential SET generation = \(Int.max)") }
            let id = pairing.credentials[0].id
            #expect(code { try store.replaceSecret(Secret("x"), of: id, in: pairing.id, at: 1) } == .unreadable)
            for generation in [Int.max, -1, .min] {
                pairing = try StoredPairing.sample()
                pairing.credentials[0].generation = generation
                #expect(code { try store.insert(pairing, secrets: pairing.sampleSecrets) } == .invalid)
            }
        }
    }

    /// Another credential can add bots to a pairing, and rename those that it already has.
    @Test func moreBotsComeWithAnotherCredential() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let third = try #require(BotID("bot-3"))
            let credential = StoredCredential(bots: [third], createdAt: 3, deviceID: "device")
            let bots = [StoredBot(id: third, name: "Third"), StoredBot(id: pairing.bots[0].id, name: "Renamed")]
            try store.insert(credential, secret: Secret("third"), bots: bots, into: pairing.id)
            let stored = try #require(try store.pairing(pairing.id))
            #expect(stored.bots.map(\.name) == ["Renamed", "Friday", "Third"])
            #expect(stored.credentials == pairing.credentials + [credential])
            #expect(try store.secret(of: credential.id, in: pairing.id) == Secret("third"))
            #expect(
                code { try store.insert(credential, secret: Secret("x"), bots: [], into: pairing.id) } == .exists
            )
        }
    }

    /// The size of everything that is stored is limited, since it comes from gateways: some values are shortened,
    /// others refused.
    @Test func oversizedValuesAreCutOrRefused() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            var long = try StoredPairing.sample(String(repeating: "ä", count: 1_000))
            long.endpoints = Array(repeating: long.endpoints[0], count: 100)
            try store.insert(long, secrets: long.sampleSecrets)
            let stored = try #require(try store.pairing(long.id))
            #expect(stored.name == String(repeating: "ä", count: 128))
            #expect(stored.endpoints.count == 16)
            let changes: [(inout StoredPairing) -> Void] = [
                { $0.remoteURL = String(repeating: "x", count: 3_000) },
                { $0.resource = "/\0" },
                { $0.gatewayID = String(repeating: "x", count: 3_000) },
                { $0.trust = .certified(host: String(repeating: "x", count: 3_000)) },
                { $0.bots = (0..<2_000).compactMap { BotID("\($0)").map { StoredBot(id: $0, name: "") } } },
                { $0.bots += $0.bots },
                { $0.credentials[0].scopes = Array(repeating: "s", count: 65) },
                { $0.credentials[0].deviceID = String(repeating: "x", count: 3_000) },
            ]
            for change in changes {
                #expect(code { try store.update(long.id, change) } == .invalid)
                var other = try StoredPairing.sample()
                change(&other)
                #expect(code { try store.insert(other, secrets: other.sampleSecrets) } == .invalid)
            }
            #expect(try store.pairings() == [stored])
            let other = try StoredPairing.sample()
            let secret = Secret(bytes: Array(repeating: 1, count: 20_000))
            #expect(
                code { try store.insert(other, secrets: other.sampleSecrets.mapValues { _ in secret }) } == .invalid
            )
            #expect(code { try store.insert(other, secrets: [:]) } == .invalid)
            #expect(code { try store.insert(long, secrets: long.sampleSecrets) } == .exists)
            // After a refused insertion, nothing of the pairing is stored.
            #expect(try store.pairing(other.id) == nil)
        }
    }
}
