import DNSSD
import Foundation
import GatewayProtocol
import Testing

@testable import Pairing

/// The import of an older configuration of bots.
@Suite struct BotMigrationTests {
    /// An entry of each kind, as the older program wrote it, and the address and trust that it becomes.
    private static let kinds: [(fields: String, url: String, isCertified: Bool)] = [
        (#""host":"192.168.1.50","port":3000,"connectionMethod":"lan""#, "ws://192.168.1.50:3000", false),
        (#""host":"pad.local","connectionMethod":"lan""#, "ws://pad.local:3000", false),
        (#""host":"fd00::5","port":3001,"connectionMethod":"manual""#, "ws://[fd00::5]:3001", false),
        (#""host":"bot.example.org","connectionMethod":"tunnel""#, "wss://bot.example.org", true),
        (#""host":"bot.example.org","port":8443,"connectionMethod":"tunnel""#, "wss://bot.example.org:8443", true),
        (#""host":"10.0.0.7","port":3000,"connectionMethod":"tunnel""#, "wss://10.0.0.7:3000", false),
        (#""host":"wss://far.example.org/bots","connectionMethod":"manual""#, "wss://far.example.org/bots", true),
        (#""host":"ws://10.0.0.8","port":3005"#, "ws://10.0.0.8:3005", false),
        (#""host":"wss://far.example.org:444/","port":3,"connectionMethod":"lan""#, "wss://far.example.org:444", true),
        (#""host":"10.0.0.9","port":3000,"isEnabled":false"#, "ws://10.0.0.9:3000", false),
    ]

    static func entry(_ number: Int, _ fields: String) -> String {
        #"{"id":"bot-\#(number)","name":"Bot \#(number)","token":"token-\#(number)","accentColor":{"red":0.5},\#(fields)}"#
    }

    @Test(arguments: kinds.indices) func eachKindHasItsAddressAndTrust(index: Int) throws {
        let kind = Self.kinds[index]
        let list = try OlderBotList(parsing: Array("[\(Self.entry(1, kind.fields))]".utf8))
        let bot = try #require(list.bots.first, "\(list.refused)")
        #expect("\(bot.url)" == kind.url)
        #expect((bot.certifiedHost != nil) == kind.isCertified)
        let pairing = try #require(BotMigration([bot], known: [], binned: [], at: 5).parts.first?.pairing)
        #expect(pairing.awaitsTrust != kind.isCertified)
        #expect(pairing.isToBeConnected == (kind.isCertified && bot.isEnabled))
        #expect(pairing.endpoints.isEmpty && pairing.remoteURL == kind.url)
    }

    /// A colour is kept in whichever form it is written; one that is not understood is left out, and its bot is not.
    @Test(
        arguments: [
            (#"{"red":0.5}"#, "#800000"), (#"{"red":1,"green":0.2,"blue":0,"opacity":1}"#, "#ff3300"),
            (#""8B5CF6""#, "#8b5cf6"), (##""#a78bfa""##, "#a78bfa"), (#""violet""#, nil), (#"{"red":2}"#, nil),
            ("7", nil),
        ] as [(String, String?)]
    )
    func aColourIsKept(json: String, colour: String?) throws {
        let entry = #"{"id":"x","token":"t","host":"10.0.0.1","accentColor":\#(json)}"#
        let bot = try #require(try OlderBotList(parsing: Array("[\(entry)]".utf8)).bots.first)
        #expect(bot.accentColor == colour)
        let pairing = try #require(BotMigration([bot], known: [], binned: [], at: 5).parts.first?.pairing)
        #expect(pairing.bots.map(\.accentColor) == [colour])
    }

    /// Each bad entry is named by its line, without anything of it, and those around it are imported.
    @Test(arguments: [
        #"{"id":"x","host":"10.0.0.1"}"#, #"{"id":"","token":"s3cret","host":"10.0.0.1"}"#, "17",
        #"{"id":"x","token":7,"host":"10.0.0.1"}"#, #"{"id":"x","token":"","host":"10.0.0.1"}"#,
        #"{"id":"x","token":"s3cret"}"#, #"{"id":"x","token":"s3cret","host":"http://10.0.0.1"}"#,
        #"{"id":"x","token":"s3cret","host":"10.0.0.1","port":70000}"#,
        #"{"id":"x","token":"s3cret","host":"10.0.0.1","port":"3000"}"#,
        #"{"id":"x","token":"s3cret","host":"10.0.0.1","connectionMethod":"smoke"}"#,
        #"{"id":"x","token":"s3cret","host":"10.0.0.1","isEnabled":"no"}"#,
        #"{"id":"x","id":"y","token":"s3cret","host":"10.0.0.1"}"#,
        #"{"id":"x","token":"s3cret","host":"u:p@10.0.0.1"}"#, #"{"id":"x","token":"s3cret","host":"127.1"}"#,
        #"{"id":"x" "token":"s3cret","host":"10.0.0.1"}"#, #"{"id":"bot-1","token":"s3cret","host":"10.0.0.8"}"#,
        "{\"a\":" + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}",
    ]) func aBadEntryIsNamedByItsLine(entry: String) throws {
        let good = (1...2).map { Self.entry($0, #""host":"10.0.0.8""#) }
        let list = try OlderBotList(parsing: Array("[\(good[0]),\n\n\(entry),\n\(good[1])]".utf8))
        #expect(list.bots.map(\.id.text) == ["bot-1", "bot-2"])
        #expect(list.refused.map(\.line) == [3])
        #expect(list.refused.allSatisfy { !$0.reason.contains("s3cret") && !$0.reason.isEmpty })
    }

    /// An entry at which the file is cut off is reported, and those before it are imported.
    @Test func aFileThatIsCutOffIsReadUpToThere() throws {
        let text = "[\(Self.entry(1, #""host":"10.0.0.8""#)),\n{\"id\":\"x\",\"tok"
        let list = try OlderBotList(parsing: Array(text.utf8))
        #expect(list.bots.count == 1 && list.refused.map(\.line) == [2])
        let comma = try OlderBotList(parsing: Array("[\(Self.entry(1, #""host":"10.0.0.8""#)),\n".utf8))
        #expect(comma.bots.count == 1 && comma.refused.map(\.line) == [2])
        #expect(throws: OlderBot.Problem.self) { try OlderBotList(parsing: Array("{}".utf8)) }
        let many = (1...1_001).map { Self.entry($0, #""host":"10.0.0.8""#) }.joined(separator: ",")
        #expect(throws: OlderBot.Problem.self) { try OlderBotList(parsing: Array("[\(many)]".utf8)) }
    }

    /// 200 entries of every kind, twice: the second time nothing changes, and what was unpaired meanwhile stays so.
    @Test func aSecondImportChangesNothing() async throws {
        let entries = (1...200).map { Self.entry($0, Self.kinds[$0 % Self.kinds.count].fields) }
        let bytes = Array("[\(entries.joined(separator: ",\n"))]".utf8)
        try await Self.withStore { store in
            for round in 0..<3 {
                let list = try OlderBotList(parsing: bytes)
                #expect(list.bots.count == 200 && list.refused.isEmpty)
                let before = try store.pairings()
                let bin = try store.bin()
                let migration = try store.plan(list.bots, at: 1_000 + round)
                #expect(try store.insert(migration).isEmpty)
                let after = try store.pairings()
                #expect(migration.newBots == (round == 0 ? 200 : 0))
                if round > 0 {
                    #expect(after == before)
                    #expect(try store.bin() == bin)
                }
                #expect(after.flatMap(\.bots).count == (round == 2 ? 180 : 200))
                #expect(after.filter(\.awaitsTrust).allSatisfy { !$0.isToBeConnected })
                for pairing in after {
                    for credential in pairing.credentials {
                        let number = try #require(credential.bots.first?.text.dropFirst(4))
                        #expect(try store.secret(of: credential.id, in: pairing.id).revealed == "token-\(number)")
                    }
                }
                if round == 1, let first = after.first {
                    try store.moveToBin(first.id, reason: .forgotten, at: 2_000)
                }
            }
        }
    }

    /// A bot that is new in the file is added to the pairing that its gateway has.
    @Test func aNewBotIsAddedToItsGateway() async throws {
        try await Self.withStore { store in
            for count in [1, 3] {
                let entries = (1...count).map { Self.entry($0, #""host":"10.0.0.8""#) }
                let list = try OlderBotList(parsing: Array("[\(entries.joined(separator: ","))]".utf8))
                #expect(try store.insert(store.plan(list.bots, at: 1_000)).isEmpty)
            }
            let pairings = try store.pairings()
            #expect(pairings.count == 1 && pairings[0].bots.map(\.id.text) == ["bot-1", "bot-2", "bot-3"])
        }
    }

    /// The older program gave bots identifiers of its own: the name leads to that of the gateway.
    @Test func anAcceptedGatewayGivesItsBotsTheirIdentifiers() throws {
        let entries = [(1, "Jarvis"), (2, "Friday"), (3, "Nobody")].map { number, name in
            #"{"id":"bot-\#(number)","name":"\#(name)","token":"t","host":"10.0.0.5"}"#
        }
        let list = try OlderBotList(parsing: Array("[\(entries.joined(separator: ","))]".utf8))
        var pairing = try #require(BotMigration(list.bots, known: [], binned: [], at: 5).parts.first?.pairing)
        let bots = [
            BotDescription(id: try #require(BotID("j")), name: "Jarvis", emoji: "🤖"),
            BotDescription(id: try #require(BotID("bot-2")), name: "Saturday"),
        ]
        let leaf = try PairingSamples.leaf(7)
        let offer = try PairingSamples.offer(leaf: leaf, bots: bots)
        pairing.accept(offer, .pinned(leaf), as: "device")
        #expect(pairing.trust == .pinned(leaf) && pairing.endpoints == [offer.endpoint])
        #expect(pairing.bots.map(\.id.text) == ["j", "bot-2", "bot-3"])
        #expect(pairing.bots.map(\.name) == ["Jarvis", "Saturday", "Nobody"])
        #expect(pairing.credentials.map(\.bots) == pairing.bots.map { [$0.id] })
        #expect(pairing.credentials.allSatisfy { $0.deviceID == "device" } && pairing.remoteURL == nil)
        let accepted = pairing
        pairing.accept(offer, .pinned(try PairingSamples.leaf(8)), as: "other")
        #expect(pairing == accepted)
    }

    /// Nothing that answers may have a token while trust is awaited, whatever it shows and wherever it is.
    @Test func whileTrustIsAwaitedNobodyMayHaveAToken() throws {
        let endpoint = PairingSamples.endpoint
        let leaf = try PairingSamples.leaf(7)
        let nowhere = NetworkObservation(
            prefix: HomeNetwork.nowhere.prefix,
            prefixLength: 0,
            router: .none,
            gateway: .none
        )
        for shown in [TrustAttempt.Shown.plain, .leaf(leaf), .certified(host: "a.example", leaf: leaf)] {
            for network in [PairingSamples.home, .ownHost, nowhere, nil] {
                let attempt = TrustAttempt(
                    shown: shown,
                    endpoint: endpoint,
                    knownEndpoints: [endpoint],
                    network: network
                )
                #expect(!TrustPolicy.awaited.decision(for: attempt).isAllowed)
            }
        }
    }

    static func withStore(_ body: (PairingStore) throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "clawradar-migration-\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        let location = StoreLocation(
            folder: root.appending(path: "data/clawradar").path,
            keyFile: root.appending(path: "state/clawradar/sealing.key").path
        )
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try body(try PairingStore(location))
    }
}

extension PairingStore {
    /// Plans an import beside what is in the store.
    func plan(_ bots: [OlderBot], at time: Int) throws(StoreError) -> BotMigration {
        let live = try pairings()
        let binned = try bin()
        return BotMigration(
            bots,
            known: Set((live + binned.map(\.pairing)).flatMap { $0.credentials.map(\.id) }),
            binned: Set(binned.filter(\.isWhole).map(\.pairing.id)),
            at: time
        )
    }
}
