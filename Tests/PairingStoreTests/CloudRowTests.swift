import DNSSD
import GatewayProtocol
import Testing

@testable import Pairing

/// Rows of the cloud: what leaves this device, what of it another one believes, and nothing else.
@Suite struct CloudRowTests {
    private static let owner = CloudOwner(user: "3E0C5B6A-0000-4000-8000-000000000001", device: "device-a")

    private static func carried(_ dialect: GatewayDialect = .optaplus) throws -> CarriedPairing {
        var pairing = try StoredPairing.sample()
        pairing.dialect = dialect
        return CarriedPairing(pairing, secrets: pairing.sampleSecrets)
    }

    /// Sends a row and reads it back, as PostgREST would give it.
    private static func returned(
        _ row: CloudRow,
        _ change: (inout [String: JSONValue]) -> Void = { _ in }
    ) throws -> CloudRow {
        var fields = try #require(row.json.object)
        fields["updated_at"] = "2026-11-29T10:00:00.5+00:00"
        change(&fields)
        return try #require(CloudRow(try JSONValue(parsing: JSONValue.object(fields).encoded)))
    }

    private static func opened(_ row: CloudRow, _ vault: VaultKey) throws -> CarriedPairing {
        guard case .pairing(let carried) = row.opened(with: vault) else {
            Issue.record("\(row.opened(with: vault))")
            throw StoreError(.invalid, expected: "a pairing", found: "none")
        }
        return carried
    }

    /// A second device has of the pairing all that this one has, tokens and trust included, however many rows it took.
    @Test func aPairingArrivesWhole() throws {
        let (carried, vault) = (try Self.carried(), VaultKey())
        let rows = try CloudRow.rows(of: carried, for: Self.owner, sealedWith: vault).map { try Self.returned($0) }
        #expect(rows.map(\.key.bot) == ["bot-1", "bot-2"])
        #expect(rows.allSatisfy { $0.pairedAt == 1_000_000 })
        let parts = try rows.map { try Self.opened($0, vault) }
        #expect(parts.allSatisfy { $0.secrets.count == 1 })
        let secrets = parts.map(\.secrets).reduce([:]) { $0.merging($1) { $1 } }
        #expect(secrets == carried.secrets)
        #expect(parts.flatMap(\.pairing.bots) == carried.pairing.bots)
        #expect(parts.flatMap(\.pairing.credentials) == carried.pairing.credentials)
        for part in parts {
            var whole = part.pairing
            (whole.bots, whole.credentials) = (carried.pairing.bots, carried.pairing.credentials)
            #expect(whole == carried.pairing)
        }
    }

    /// A token for all bots is in each row, and stays one for all.
    @Test func aTokenForAllBotsStaysOne() throws {
        var carried = try Self.carried()
        let vault = VaultKey()
        carried.pairing.credentials = Array(carried.pairing.credentials.prefix(1))
        carried.pairing.credentials[0].bots = []
        carried = CarriedPairing(carried.pairing, secrets: carried.secrets)
        let rows = try CloudRow.rows(of: carried, for: Self.owner, sealedWith: vault)
        let parts = try rows.map { try Self.opened($0, vault) }
        for part in parts {
            #expect(part.pairing.credentials == carried.pairing.credentials && part.secrets == carried.secrets)
        }
    }

    /// Tokens that are bound to this device never leave it: their rows say that there is such a pairing.
    @Test(arguments: [GatewayDialect.openClaw, .bridge, .clawline]) func boundTokensStayHere(
        dialect: GatewayDialect
    ) throws {
        let vault = VaultKey()
        for row in try CloudRow.rows(of: Self.carried(dialect), for: Self.owner, sealedWith: vault) {
            let arrived = try Self.opened(row, vault)
            #expect(arrived.secrets.isEmpty && arrived.pairing.credentials.isEmpty)
            #expect(arrived.pairing.endpoints.count == 2 && row.pairedAt == 1_000_000)
        }
    }

    /// No server can swap, backdate or change a row, nor offer one that was sealed with another key.
    @Test func whatIsSealedOpensInItsRowAlone() throws {
        let vault = VaultKey()
        let row = try #require(try CloudRow.rows(of: Self.carried(), for: Self.owner, sealedWith: vault).first)
        for (column, value) in [
            ("user_id", JSONValue.string("3e0c5b6a-0000-4000-8000-000000000002")), ("bot_id", "bot-2"),
            ("gateway_fingerprint", "hex:ff0081"), ("device_id", "device-b"),
            ("paired_at", "1970-01-01T00:00:01.000001+00:00"),
        ] {
            #expect(try Self.returned(row) { $0[column] = value }.opened(with: vault) == .broken, "\(column)")
        }
        // What other programs are shown may be anything.
        #expect(try Self.opened(Self.returned(row) { $0["bot_name"] = "x" }, vault).pairing.name == "Home")
        let bytes = try #require(Base64.standard.decode(row.sealed))
        for index in bytes.indices {
            var (changed, other) = (bytes, row)
            changed[index] ^= 1
            other.sealed = Base64.standard.encode(changed)
            guard case .pairing = other.opened(with: vault) else { continue }
            Issue.record("byte \(index)")
        }
        #expect(row.opened(with: VaultKey()) == .foreignKey(id: vault.id))
        for text in ["", "AA==", "<html>", String(repeating: "A", count: 4_096)] {
            var other = row
            other.sealed = text
            #expect(other.opened(with: vault) == .broken)
        }
    }

    /// A deleted row is no pairing, whatever is in it.
    @Test func aDeletedRowIsNone() throws {
        let vault = VaultKey()
        var row = try #require(try CloudRow.rows(of: Self.carried(), for: Self.owner, sealedWith: vault).first)
        _ = try Self.opened(row, vault)
        row.isActive = false
        #expect(row.opened(with: vault) == .deleted)
    }

    /// The newest row wins, and the device decides between two of one time: in any order the same.
    @Test func oneOfTwoRowsWins() {
        let key = CloudRow.Key(user: "u", bot: "b", gateway: "g")
        let rows = [("a", 1), ("b", 1), ("a", 2)].map { CloudRow(key: key, device: $0, pairedAt: $1) }
        #expect(rows.shuffled().sorted { $1.isNewer(than: $0) } == rows)
        #expect(!rows[0].isNewer(than: rows[0]))
    }

    /// Whoever wants it leaves nothing in clear but times and identifiers; both devices make the same row.
    @Test func namesCanBeSealed() throws {
        let (carried, vault) = (try Self.carried(), VaultKey())
        let owner = CloudOwner(user: Self.owner.user, device: Self.owner.device, sealsNames: true)
        let rows = try CloudRow.rows(of: carried, for: owner, sealedWith: vault)
        let again = try CloudRow.rows(of: carried, for: owner, sealedWith: vault)
        #expect(rows.map(\.key) == again.map(\.key) && Set(rows.map(\.key)).count == 2)
        #expect(rows.map(\.sealed) != again.map(\.sealed))
        for row in rows {
            // What is sealed may have any letters.
            var shown = row
            shown.sealed = ""
            let text = String(decoding: shown.json.encoded, as: UTF8.self)
            for name in ["Home", "Jarvis", "Friday", "bot-1", "10.0.0.1", "gateway.example", "ff0080"] {
                #expect(!text.contains(name), "\(name)")
            }
        }
        // In clear otherwise, as the guide says; the token never.
        let clear = try CloudRow.rows(of: carried, for: Self.owner, sealedWith: vault)
        let text = String(decoding: JSONValue.array(clear.map(\.json)).encoded, as: UTF8.self)
        #expect(text.contains("Jarvis") && text.contains("10.0.0.1") && !text.contains("secret-token"))
    }

    /// A gateway cannot take the row of another one by telling a fingerprint that looks like that row's.
    @Test func aGatewayHasARowOfItsOwn() throws {
        var pairing = try StoredPairing.sample()
        #expect(pairing.cloudKey == "hex:ff0080")
        for (told, column) in [("abc123", "abc123"), ("host:x", "hex:686f73743a78"), ("a\0", "hex:6100")] {
            pairing.fingerprint = GatewayFingerprint(told)
            #expect(pairing.cloudKey == column)
        }
        pairing.fingerprint = nil
        #expect(pairing.cloudKey == "host:gateway.example")
        let leaf = try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))
        pairing.trust = .pinned(leaf)
        #expect(pairing.cloudKey == "leaf:\(leaf)")
        pairing.trust = .awaited
        #expect(pairing.cloudKey == nil)
        let carried = CarriedPairing(pairing, secrets: [:])
        #expect(try CloudRow.rows(of: carried, for: Self.owner, sealedWith: VaultKey()).isEmpty)
    }

    /// Microseconds are a part of what is authenticated, in whichever form a server writes them.
    @Test func timesAreReadToTheMicrosecond() {
        #expect(CloudTime.text(1_000_001) == "1970-01-01T00:00:01.000001Z")
        #expect(CloudTime.text(-1) == "1969-12-31T23:59:59.999999Z")
        for text in [
            "2026-11-29T12:00:00.25+02:00", "2026-11-29T10:00:00.250000Z", "2026-11-29T10:00:00.25+00",
            "2026-11-29T04:30:00.25-05:30",
        ] {
            #expect(CloudTime.read(text) == 1_795_946_400_250_000, "\(text)")
        }
        for text in [
            "", "2026-11-29", "2026-02-29T10:00:00Z", "2026-11-29T24:00:00Z", "2026-11-29T10:00:00", "infinity",
            "2026-11-29T10:00:00.Z", "2026-11-29T10:00:00.1234567Z", "2026-11-29 10:00:00+00", "0000-01-01T00:00:00Z",
            "2026-11-29T10:00:00+2", "2026-11-29T10:00:00+00:00:00", "2026-11-29T10:00:00é",
        ] {
            #expect(CloudTime.read(text) == nil, "\(text)")
        }
        for _ in 0..<1_000 {
            let time = Int.random(in: CloudTime.range)
            #expect(CloudTime.read(CloudTime.text(time)) == time)
        }
    }

    /// What another device is told of a pairing decides where its tokens go there: each kind of trust arrives as it was, and
    /// nothing that is not understood is taken in part.
    @Test func eachTrustArrivesAsItWas() throws {
        let network = HomeNetwork(
            prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
            prefixLength: 24,
            router: [1, 2, 3, 4, 5, 6],
            gateway: [6, 5, 4, 3, 2, 1]
        )
        let node = try #require(TailnetNode("nodekey:\(String(repeating: "a", count: 64))"))
        let address = IPAddress.v4(IPv4Address(bits: 0x0A08_0002))
        let leaf = try #require(LeafFingerprint(bytes: Array(repeating: 7, count: 32)))
        let policies: [TrustPolicy] = [
            .pinned(leaf), .certified(host: "h.example"), .sameAddress(network), .lan(network), .tailnet(node),
            .tunnel(NetworkTunnel(name: "wg0", kind: .wireguard, address: address)), .awaited,
        ]
        for trust in policies {
            let pairing = try StoredPairing.sample(trust: trust)
            let carried = CarriedPairing(pairing, secrets: pairing.sampleSecrets)
            let lo = [NetworkInterface(index: 1, name: "lo")]
            #expect(CarriedPairing(carried.json, interfaces: lo) == carried, "\(trust)")
            // An interface that this host does not have.
            #expect(CarriedPairing(carried.json, interfaces: [])?.pairing.endpoints.count == 1)
            var fields = try #require(carried.json.object)
            var told = try #require(fields["trust"]?.object)
            told["kind"] = "anything"
            fields["trust"] = .object(told)
            #expect(CarriedPairing(.object(fields)) == nil)
        }
    }

    /// The vault key of this device is sealed in its store, and opens there alone.
    @Test func theVaultKeyIsKept() async throws {
        try await StoreFolder.with { folder in
            let (store, vault) = (try folder.open(), VaultKey())
            #expect(try store.vaultKey() == nil)
            try store.keepVaultKey(vault)
            #expect(try folder.open().vaultKey() == vault)
            let bytes = vault.key.bytes.withUnsafeBytes { Array($0) }
            #expect(try folder.content().values.allSatisfy { !$0.contains(bytes) })
            #expect("\(vault)" == "<vault key \(vault.id)>" && String(reflecting: vault) == "\(vault)")
            try store.keepVaultKey(nil)
            #expect(try store.vaultKey() == nil)
        }
    }
}

extension CloudRow {
    /// Returns the rows of a pairing, as they are before the cloud has any.
    fileprivate static func rows(
        of carried: CarriedPairing,
        for owner: CloudOwner,
        sealedWith vault: VaultKey
    ) throws -> [CloudRow] {
        try carried.pairing.cloudParts(for: owner, sealedWith: vault).map { part in
            let version = CloudVersion.new(at: part.time, by: owner.device, after: nil)
            return try part.row(version, carried.secrets, for: owner, sealedWith: vault)
        }
    }
}
