import DNSSD
import GatewayProtocol
import Reports
import Scanning
import Testing

@testable import Pairing

/// A made-up pairing.
enum PairingSample {
    static let leaf = LeafFingerprint(String(repeating: "5f", count: 32))

    static func pairing(_ trust: TrustPolicy? = nil) throws -> StoredPairing {
        let bot = try #require(BotID("bot-1"))
        return StoredPairing(
            id: try #require(PairingID("00112233445566778899aabbccddeeff")),
            gatewayID: "fingerprint:abc123",
            fingerprint: GatewayFingerprint("abc123"),
            name: "Home Gateway",
            dialect: .optaplus,
            trust: try trust ?? .pinned(#require(leaf)),
            endpoints: [Endpoint(address: try #require(IPAddress("10.0.0.2")), port: 3_000)],
            pairedAt: 1_700_000_000_000,
            bots: [StoredBot(id: bot, name: "Jarvis", emoji: "🤖")],
            credentials: [
                StoredCredential(
                    id: try #require(CredentialID("ffeeddccbbaa99887766554433221100")),
                    bots: [bot],
                    createdAt: 1_700_000_000_000,
                    deviceID: "device"
                )
            ]
        )
    }

    /// Returns a session of a pairing that needs its user.
    static func session(_ pairing: StoredPairing) -> ShownSession {
        ShownSession(
            id: "\(pairing.credentials[0].id)",
            pairing: "\(pairing.id)",
            gateway: pairing.gatewayID,
            name: pairing.name,
            bots: pairing.bots.map { ShownSession.Bot(id: $0.id, name: $0.name) },
            state: .changedLeaf,
            reason: "another\ncertificate",
            path: "10.0.0.2:3000",
            latency: .microseconds(1_500),
            since: .now
        )
    }

    /// Returns a document of each kind, to compare with the tables of the guide.
    static func documents() throws -> [(String, [any JSONReport])] {
        let pairing = try pairing()
        let report = PairingReport(pairing)
        let binned = BinnedPairing(pairing: pairing, reason: .forgotten, time: 0, isWhole: true)
        let identity = DeviceIdentity(
            id: "1",
            name: "Studio",
            emoji: nil,
            platform: "linux",
            publicKey: [],
            privateKey: nil,
            sealed: nil
        )
        let device = DeviceReport(identity, openClawID: "2")
        return [
            ("PairingReport", [report]), ("TrustReport", [TrustReport(pairing.trust)]),
            ("PairedBotReport", pairing.bots.map { PairedBotReport($0) }),
            ("CredentialReport", pairing.credentials.map { CredentialReport($0, secrets: [:]) }),
            ("PairingDocument", [PairingDocument(report, withdrawal: .withdrawn)]),
            ("PairingListReport", [PairingListReport([report])]), ("BinReport", [BinReport([binned])]),
            ("BinnedPairingReport", [BinnedPairingReport(binned)]),
            ("DeviceReport", [device]), ("DeviceDocument", [DeviceDocument(device)]),
            (
                "PairedStatusReport",
                [PairedStatusReport(pairing, state: "gone", since: nil, path: nil, reason: nil, holder: nil)]
            ),
            ("SessionReport", [SessionReport(PairingSample.session(pairing), at: Timestamp(milliseconds: 0))]),
        ]
    }
}

/// The JSON of pairings and sessions, which other programs read.
@Suite struct PairingReportTests {
    @Test func aPairingHasNoSecretUnlessItIsGiven() throws {
        let pairing = try PairingSample.pairing()
        #expect(
            PairingDocument(PairingReport(pairing)).line == """
                {"pairing":{"bots":[{"accentColor":null,"emoji":"🤖","id":"bot-1","isArchived":false,"name":"Jarvis"}],\
                "connectsAutomatically":true,"credentials":[{"bots":["bot-1"],"createdAt":"2023-11-14T22:13:20.000Z",\
                "deviceID":"device","generation":1,"id":"ffeeddccbbaa99887766554433221100","isSealed":false,"scopes":[]}],\
                "dialect":"optaplus","elsewhere":[],"endpoints":["10.0.0.2:3000"],"fingerprint":"abc123","gateway":"fingerprint:abc123",\
                "id":"00112233445566778899aabbccddeeff","lastConnected":null,"name":"Home Gateway",\
                "pairedAt":"2023-11-14T22:13:20.000Z","remoteURL":null,"trust":{"host":null,"kind":"pinned",\
                "leafSha256":"\(String(repeating: "5f", count: 32))","network":null,"tailnetNode":null,"tunnel":null}},"schema":2}

                """
        )
        let secrets = [pairing.credentials[0].id: Secret("t0ken")]
        #expect(PairingReport(pairing, secrets: secrets).json["credentials"]?.array?[0]["token"] == "t0ken")
    }

    /// The device was active when a gateway last answered it, whichever that was.
    @Test func theDeviceSaysWhenItWasLastActive() throws {
        var pairings = [try PairingSample.pairing(), try PairingSample.pairing()]
        (pairings[0].lastConnected, pairings[1].lastConnected) = (1_700_000_000_000, nil)
        let identity = DeviceIdentity(
            id: "1",
            name: "Studio",
            emoji: nil,
            platform: "linux",
            publicKey: [],
            privateKey: nil,
            sealed: nil
        )
        let report = DeviceReport(identity, openClawID: "2", pairings: pairings)
        #expect(report.json["lastActive"] == "2023-11-14T22:13:20.000Z")
        #expect(DeviceReport(identity, openClawID: "2").fields["lastActive"] == .null)
    }

    @Test func trustInAPlaceTellsTheNetwork() throws {
        let network = HomeNetwork(
            prefix: try #require(IPAddress("10.0.0.0")),
            prefixLength: 24,
            router: [0x02, 0, 0, 0, 0, 0x0A],
            gateway: nil
        )
        let json = TrustReport(.lan(network)).json
        #expect(json["kind"] == "lan")
        #expect(json["network"]?["prefix"] == "10.0.0.0/24")
        #expect(json["network"]?["router"] == "02:00:00:00:00:0a")
        #expect(json["network"]?["gateway"] == nil)
        #expect(TrustReport(.sameAddress(network)).json["kind"] == "address")
        // What was shown is compared with what is: as a client has read it, with or without what is null.
        #expect(TrustReport(shown: json) == TrustReport(.lan(network)))
        let brief = JSONValue.object((json.object ?? [:]).filter { $0.value != .null })
        #expect(TrustReport(shown: brief) == TrustReport(.lan(network)))
        #expect(TrustReport(shown: json) != TrustReport(.sameAddress(network)))
        #expect(TrustReport(shown: .object([:])) == nil && TrustReport(shown: "lan") == nil)
    }

    /// Trust at the end of a tunnel tells which one, in the words that `--trust` takes.
    @Test func trustInATunnelTellsWhich() throws {
        let key = "nodekey:" + String(repeating: "a1", count: 32)
        let node = TrustPolicy.tailnet(try #require(TailnetNode(key)))
        #expect(TrustReport(node).json["kind"] == "tailnet" && node.acceptingWord == "tailnet")
        #expect(TrustReport(node).json["tailnetNode"]?.string == key)
        let address = try #require(IPAddress("10.8.0.2"))
        let tunnel = TrustPolicy.tunnel(NetworkTunnel(name: "wg0", kind: .wireguard, address: address))
        #expect(TrustReport(tunnel).json["kind"] == "tunnel" && tunnel.acceptingWord == "tunnel")
        let fields: JSONValue = .object(["name": "wg0", "kind": "wireguard", "address": "10.8.0.2"])
        #expect(TrustReport(tunnel).json["tunnel"] == fields)
    }

    @Test func theBinSaysWhyAndUntilWhen() throws {
        let item = BinnedPairing(
            pairing: try PairingSample.pairing(),
            reason: .revoked("device removed"),
            time: 1_700_000_000_000,
            isWhole: true
        )
        let json = BinnedPairingReport(item).json
        #expect(json["reason"] == "revoked")
        #expect(json["word"] == "device removed")
        #expect(json["withdrawn"] == nil)
        #expect(json["keptUntil"] == "2023-12-14T22:13:20.000Z")
    }

    /// The command is at the end of a reason, and tables show what an agent has answered: it is not cut on the way.
    @Test func aLongReasonIsWhole() throws {
        let pairing = try PairingSample.pairing()
        let session = ShownSession(
            id: "x",
            pairing: "\(pairing.id)",
            gateway: pairing.gatewayID,
            name: pairing.name,
            bots: [],
            state: .moved,
            reason: String(repeating: "it is elsewhere, ", count: 20),
            remedy: .acceptAddress,
            since: .now
        )
        let reason = SessionReport(session, at: Timestamp(milliseconds: 0)).json["reason"]?.string
        #expect(reason == session.text && reason?.hasSuffix("clawradar trust 00112233 --trust address") == true)
        let long = String(repeating: "漢", count: 2_000)
        #expect(DisplayText(sentence: long).text.count < long.count, "a stranger cannot print as much as it wants")
    }

    @Test func aSessionIsOneLine() throws {
        let pairing = try PairingSample.pairing()
        let report = SessionReport(PairingSample.session(pairing), at: Timestamp(milliseconds: 0))
        #expect(
            report.line == """
                {"bots":["bot-1"],"elsewhere":false,"event":"session","formerState":"changed-leaf",\
                "gateway":"fingerprint:abc123","gatewayName":"Home Gateway","latencyMs":1.5,"name":"Home Gateway",\
                "pairing":"00112233445566778899aabbccddeeff","path":"10.0.0.2:3000","reason":"another\u{FFFD}certificate",\
                "requests":null,"schema":2,"state":"changed-certificate","time":"1970-01-01T00:00:00.000Z"}

                """
        )
    }
}
