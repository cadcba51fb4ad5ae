import DNSSD
import Foundation
import GRDB
import GatewayProtocol
import Testing

@testable import Pairing

/// A token is sealed together with all that says where it may go, so that a database that somebody else has written to
/// leads it nowhere.
@Suite struct TokenBindingTests {
    private static var network: HomeNetwork {
        get throws {
            HomeNetwork(
                prefix: try #require(IPAddress("10.0.0.0")),
                prefixLength: 24,
                router: [1, 2, 3, 4, 5, 6],
                gateway: [6, 5, 4, 3, 2, 1]
            )
        }
    }

    private static var leaf: LeafFingerprint {
        get throws { try #require(LeafFingerprint(bytes: (0..<32).map { $0 })) }
    }

    private static var policies: [TrustPolicy] {
        get throws {
            [.pinned(try leaf), .certified(host: "gateway.example"), .sameAddress(try network), .lan(try network)]
        }
    }

    /// The changes of single columns, and the policies for which they matter; `nil` for a column that says nothing of
    /// where a token goes.
    private static let changes: [String: [String]?] = [
        "pairing.id": [
            """
            UPDATE pairing SET id = '00000000000000000000000000000000';
            UPDATE endpoint SET pairing = '00000000000000000000000000000000';
            UPDATE bot SET pairing = '00000000000000000000000000000000';
            UPDATE credential SET pairing = '00000000000000000000000000000000'
            """
        ],
        "pairing.fingerprint": ["UPDATE pairing SET fingerprint = x'01'", "UPDATE pairing SET fingerprint = NULL"],
        "pairing.dialect": ["UPDATE pairing SET dialect = 'optaplus'"],
        "pairing.trust": [
            """
            UPDATE pairing SET trust = iif(trust = 'lan', 'sameAddress', 'lan'), networkPrefix = x'0A000000',
                networkLength = 24, router = x'010203040506', gatewayHardware = x'060504030201'
            """
        ],
        "pairing.leaf": ["UPDATE pairing SET leaf = zeroblob(32), trust = 'pinned'"],
        "pairing.host": ["UPDATE pairing SET host = 'evil.example', trust = 'certified'"],
        "pairing.networkPrefix": ["UPDATE pairing SET networkPrefix = x'0A000100'"],
        "pairing.networkLength": ["UPDATE pairing SET networkLength = 8"],
        "pairing.router": ["UPDATE pairing SET router = x'01'"],
        "pairing.gatewayHardware": [
            "UPDATE pairing SET gatewayHardware = x'01'", "UPDATE pairing SET gatewayHardware = NULL",
        ],
        // Trust at the end of a tunnel has tests of its own.
        "pairing.tailnetNode": [], "pairing.tunnelName": [], "pairing.tunnelKind": [], "pairing.tunnelAddress": [],
        "pairing.resource": ["UPDATE pairing SET resource = '/other'"],
        "pairing.remoteURL": [
            "UPDATE pairing SET remoteURL = 'wss://evil.example'", "UPDATE pairing SET remoteURL = NULL",
        ],
        "endpoint.address": ["UPDATE endpoint SET address = x'0A000009' WHERE position = 0"],
        "endpoint.port": ["UPDATE endpoint SET port = 1 WHERE position = 0"],
        "endpoint.resource": ["UPDATE endpoint SET resource = '/other' WHERE position = 0"],
        "endpoint.serverName": ["UPDATE endpoint SET serverName = 'bath.example' WHERE position = 0"],
        "endpoint.scopeName": ["UPDATE endpoint SET scopeName = 'eth9' WHERE position = 1"],
        "endpoint.position": ["UPDATE endpoint SET position = 9 WHERE position = 0", "DELETE FROM endpoint"],
        "credential.id": [],
        "credential.pairing": [],
        "credential.generation": ["UPDATE credential SET generation = 9"],
        "credential.deviceID": ["UPDATE credential SET deviceID = 'other'"],
        "credential.sealedToken": ["UPDATE credential SET sealedToken = x'00'"],
        "credential.sealVersion": [],
    ]

    /// Columns that say nothing of where a token goes: a change of one leaves the tokens as they are.
    private static let free: [String: String] = [
        "pairing.gatewayID": "UPDATE pairing SET gatewayID = 'x'", "pairing.name": "UPDATE pairing SET name = 'x'",
        "pairing.ownName": "UPDATE pairing SET ownName = 'x'",
        "pairing.connectsAutomatically": "UPDATE pairing SET connectsAutomatically = 1",
        "pairing.pairedAt": "UPDATE pairing SET pairedAt = 9",
        "pairing.lastConnected": "UPDATE pairing SET lastConnected = 9",
        "pairing.connectedURL": "UPDATE pairing SET connectedURL = 'wss://other.example'",
        "pairing.operatorTool": "UPDATE pairing SET operatorTool = 'clawdbot'",
        "pairing.binnedAt": "UPDATE pairing SET binnedAt = 1, binReason = 'forgotten'", "pairing.binReason": "",
        "pairing.binDetail": "UPDATE pairing SET binDetail = 'x'",
        "pairing.overdueSince": "UPDATE pairing SET overdueSince = 1",
        "endpoint.pairing": "", "endpoint.scopeIndex": "UPDATE endpoint SET scopeIndex = 99 WHERE position = 1",
        "credential.position": "UPDATE credential SET position = position + 5",
        "credential.createdAt": "UPDATE credential SET createdAt = 9",
        "credential.binnedAt": "UPDATE credential SET binnedAt = 1, binReason = 'forgotten'",
        "credential.binReason": "",
        "credential.lastMessage": "UPDATE credential SET lastMessage = 's_1'",
        "credential.binDetail": "UPDATE credential SET binDetail = 'x'",
        "credential.overdueSince": "UPDATE credential SET overdueSince = 1",
    ]

    /// Every column of these tables is bound or known to be free: a new one has to be put into one of the two lists.
    @Test func everyColumnIsDecidedAbout() async throws {
        try await StoreFolder.with { folder in
            let columns = try folder.open().database.read { db in
                try ["pairing", "endpoint", "credential"].flatMap { table in
                    try db.columns(in: table).map { "\(table).\($0.name)" }
                }
            }
            let known = Set(Self.changes.keys).union(Self.free.keys).union(["endpoint.pairing"])
            #expect(Set(columns) == known)
        }
    }

    /// A change of any bound column keeps the token closed, in all ways of getting it; the token of another pairing
    /// still opens.
    @Test(arguments: 0..<4) func aTokenDoesNotOpenBesideAChangedColumn(policy: Int) async throws {
        let trust = try Self.policies[policy]
        for (column, changes) in Self.changes {
            // With TLS an endpoint is a place to try, and those of a network are not used.
            let isOfPlain = column.hasPrefix("endpoint") || column.contains("network") || column == "pairing.router"
            if isOfPlain || column == "pairing.gatewayHardware", !trust.isPlain { continue }
            for change in changes ?? [] {
                try await StoreFolder.with { folder in
                    let pairing = try StoredPairing.sample(trust: trust)
                    let other = try StoredPairing.sample("Other", trust: trust, pairedAt: 5_000)
                    try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
                    try folder.forge(change)
                    let store = try folder.open()
                    try store.insert(other, secrets: other.sampleSecrets)
                    let id = try #require(try store.pairings().first).id
                    let credential = pairing.credentials[0].id
                    #expect(code { _ = try store.secret(of: credential, in: id) } == .tampered, "\(column)")
                    #expect(code { _ = try store.liveSecret(of: credential, in: id) } == .tampered, "\(column)")
                    #expect(code { _ = try store.livePairing(id, with: credential) } == .tampered, "\(column)")
                    let error = #expect(throws: StoreError.self) { try store.secret(of: credential, in: id) }
                    #expect(error?.description.contains(id.description) == true)
                    _ = try store.livePairing(other.id, with: other.credentials[0].id)
                }
            }
        }
    }

    /// The machine of a tailnet, or the tunnel, that may have a token is stored and bound: whoever puts another one into the
    /// row, makes of it trust in an address, or makes of what is not trusted yet such trust, opens nothing.
    @Test func atTheEndOfATunnelAllIsBound() async throws {
        let keys = ["a1", "b2"].map { "nodekey:" + String(repeating: $0, count: 32) }
        let node = TrustPolicy.tailnet(try #require(TailnetNode(keys[0])))
        let address = try #require(IPAddress("10.8.0.2"))
        let tunnel = TrustPolicy.tunnel(NetworkTunnel(name: "wg0", kind: .wireguard, address: address))
        let other = "UPDATE pairing SET tailnetNode = '\(keys[1])'"
        let network = "UPDATE pairing SET networkPrefix = x'0A000000', networkLength = 24, router = x'010203040506'"
        let cases: [(TrustPolicy, [String])] = [
            (node, [other, "UPDATE pairing SET tailnetNode = NULL", network]),
            (
                tunnel,
                [
                    "UPDATE pairing SET tunnelName = 'wg1'", "UPDATE pairing SET tunnelAddress = x'0A080003'", other,
                    "UPDATE pairing SET tunnelName = NULL", network,
                    "UPDATE endpoint SET address = x'0A000009' WHERE position = 0",
                ]
            ),
            (
                .awaited,
                [
                    other,
                    "UPDATE pairing SET tunnelName = 'wg0', tunnelKind = 'wireguard', tunnelAddress = x'0A080002'",
                ]
            ),
        ]
        for (trust, changes) in cases {
            for change in changes {
                try await StoreFolder.with { folder in
                    let pairing = try StoredPairing.sample(trust: trust)
                    try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
                    let credential = pairing.credentials[0].id
                    #expect(try folder.open().pairings().first?.trust == trust)
                    _ = try folder.open().livePairing(pairing.id, with: credential)
                    try folder.forge(change)
                    let store = try folder.open()
                    #expect(code { _ = try store.liveSecret(of: credential, in: pairing.id) } == .tampered, "\(change)")
                }
            }
        }
    }

    /// A kind of tunnel that this version does not know, and a key that is none, are errors rather than weaker trust; and
    /// columns of a tunnel say nothing of a pairing with other trust.
    @Test func aTunnelIsReadOrNothing() async throws {
        let address = try #require(IPAddress("10.8.0.2"))
        let tunnel = TrustPolicy.tunnel(NetworkTunnel(name: "tun0", kind: .wireguard, address: address))
        for change in ["tunnelKind = 'tun'", "tailnetNode = 'nodekey:x'", "tunnelAddress = x'00'"] {
            try await StoreFolder.with { folder in
                let pairing = try StoredPairing.sample(trust: tunnel)
                try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
                try folder.forge("UPDATE pairing SET \(change)")
                #expect(try folder.open().pairings().isEmpty)
            }
        }
        for trust in try Self.policies {
            try await StoreFolder.with { folder in
                let store = try folder.open()
                let pairing = try StoredPairing.sample(trust: tunnel)
                try store.insert(pairing, secrets: pairing.sampleSecrets)
                // As an earlier version leaves them.
                try store.update(pairing.id) { $0.trust = trust }
                let columns = "tunnelName = 'wg0', tunnelKind = 'wireguard', tunnelAddress = x'0A080002'"
                try folder.forge("UPDATE pairing SET \(columns)")
                #expect(try folder.open().pairings().first?.trust == trust)
                _ = try folder.open().livePairing(pairing.id, with: pairing.credentials[0].id)
            }
        }
    }

    /// A change of any other column keeps the token as it was.
    @Test func aTokenOpensBesideOtherColumns() async throws {
        for (column, change) in Self.free where !change.isEmpty {
            try await StoreFolder.with { folder in
                let pairing = try StoredPairing.sample(trust: .lan(try Self.network))
                try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
                try folder.forge(change)
                let store = try folder.open()
                for (id, secret) in pairing.sampleSecrets {
                    #expect(try store.secret(of: id, in: pairing.id) == secret, "\(column)")
                }
            }
        }
    }

    /// A user's change of what a token is bound to binds it anew, also that of a credential in the bin.
    @Test func aChangeByTheStoreBindsAnew() async throws {
        let network = try Self.network
        let changes: [(inout StoredPairing) -> Void] = [
            { $0.trust = .certified(host: "new.example") }, { $0.trust = .sameAddress(network) },
            { $0.trust = .lan(network) }, { $0.resource = "/new" }, { $0.remoteURL = nil }, { $0.fingerprint = nil },
            { $0.dialect = .optaplus }, { $0.endpoints.removeFirst() }, { $0.endpoints.reverse() },
            { $0.credentials[0].deviceID = "new" }, { $0.name = "New" },
        ]
        for trust in try Self.policies {
            try await StoreFolder.with { folder in
                let store = try folder.open()
                let pairing = try StoredPairing.sample(trust: trust)
                try store.insert(pairing, secrets: pairing.sampleSecrets)
                try store.moveToBin(pairing.credentials[1].id, of: pairing.id, reason: .forgotten, at: 1)
                for change in changes {
                    try store.update(pairing.id, change)
                    _ = try store.livePairing(pairing.id, with: pairing.credentials[0].id)
                    for (id, secret) in pairing.sampleSecrets {
                        #expect(try folder.open().secret(of: id, in: pairing.id) == secret)
                    }
                }
            }
        }
    }

    /// A token that somebody has changed neither opens nor prevents a change after which the others go on.
    @Test func aForgedTokenHoldsUpNoOther() async throws {
        try await StoreFolder.with { folder in
            let pairing = try StoredPairing.sample()
            try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
            let (forged, other) = (pairing.credentials[0].id, pairing.credentials[1].id)
            try folder.forge("UPDATE credential SET sealedToken = x'00' WHERE id = '\(forged)'")
            let store = try folder.open()
            try store.update(pairing.id) { $0.trust = .certified(host: "new.example") }
            #expect(code { _ = try store.liveSecret(of: forged, in: pairing.id) } == .tampered)
            #expect(try store.liveSecret(of: other, in: pairing.id).secret == Secret("secret-token-1"))
        }
    }

    /// A change of what a token is bound to does not make a forged row right: the token stays closed.
    @Test func aForgedPlaceIsNotBound() async throws {
        try await StoreFolder.with { folder in
            let pairing = try StoredPairing.sample()
            try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
            try folder.forge("UPDATE pairing SET host = 'evil.example'")
            let store = try folder.open()
            try store.update(pairing.id) { $0.resource = "/new" }
            let id = pairing.credentials[0].id
            #expect(code { _ = try store.liveSecret(of: id, in: pairing.id) } == .tampered)
        }
    }

    // MARK: Stores of the version before

    /// The tokens of an earlier version are bound at the first opening, and only as they were sealed.
    @Test func tokensOfAnEarlierVersionAreBoundOnce() async throws {
        try await StoreFolder.with { folder in
            let pairing = try StoredPairing.sample()
            try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
            try folder.revertToUnboundTokens(pairing.sampleSecrets)
            let (first, second) = (pairing.credentials[0].id, pairing.credentials[1].id)
            let unbound = try DatabaseQueue(path: folder.location.database).read { db in
                try Data.fetchOne(db, sql: "SELECT hex(sealed) FROM credential WHERE id = '\(first)'")
            }
            try folder.forge("UPDATE credential SET generation = 7 WHERE id = '\(second)'")
            let store = try folder.open()
            #expect(try store.secret(of: first, in: pairing.id) == Secret("secret-token-0"))
            #expect(code { _ = try store.secret(of: second, in: pairing.id) } == .tampered)
            // What was sealed by then is not taken for what is sealed now.
            let digits = String(decoding: try #require(unbound), as: UTF8.self)
            try folder.forge("UPDATE credential SET sealedToken = x'\(digits)' WHERE id = '\(first)'")
            #expect(code { _ = try folder.open().secret(of: first, in: pairing.id) } == .tampered)
        }
    }

    /// A store without its key binds the tokens of an earlier version when the key comes back.
    @Test func aSealedStoreBindsWhenItsKeyComesBack() async throws {
        try await StoreFolder.with { folder in
            let pairing = try StoredPairing.sample()
            try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
            try folder.revertToUnboundTokens(pairing.sampleSecrets)
            let away = folder.location.keyFile + ".away"
            try FileManager.default.moveItem(atPath: folder.location.keyFile, toPath: away)
            let store = try folder.open()
            #expect(store.keyProblem?.code == .sealed)
            try store.update(pairing.id) { $0.name = "Renamed" }
            #expect(code { try store.update(pairing.id) { $0.remoteURL = nil } } == .sealed)
            try FileManager.default.moveItem(atPath: away, toPath: folder.location.keyFile)
            for (id, secret) in pairing.sampleSecrets {
                #expect(try store.secret(of: id, in: pairing.id) == secret)
            }
            try folder.forge("UPDATE pairing SET resource = '/other'")
            let id = pairing.credentials[0].id
            #expect(code { _ = try folder.open().secret(of: id, in: pairing.id) } == .tampered)
        }
    }

    /// A store whose tokens cannot be bound, since another process keeps it, opens none of them until they can.
    @Test func tokensThatCannotBeBoundStaySealed() async throws {
        try await StoreFolder.with { folder in
            let pairing = try StoredPairing.sample()
            try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
            try folder.revertToUnboundTokens(pairing.sampleSecrets)
            let away = folder.location.keyFile + ".away"
            try FileManager.default.moveItem(atPath: folder.location.keyFile, toPath: away)
            let store = try folder.open()
            try store.database.write { try $0.execute(sql: "PRAGMA busy_timeout = 1") }
            try FileManager.default.moveItem(atPath: away, toPath: folder.location.keyFile)
            let id = pairing.credentials[0].id
            try DatabaseQueue(path: folder.location.database).writeWithoutTransaction { db in
                try db.execute(sql: "BEGIN IMMEDIATE")
                #expect(code { _ = try store.secret(of: id, in: pairing.id) } == .busy)
                #expect(store.keyProblem?.code == .busy)
                try db.execute(sql: "ROLLBACK")
            }
            #expect(try store.secret(of: id, in: pairing.id) == Secret("secret-token-0"))
        }
    }
}
