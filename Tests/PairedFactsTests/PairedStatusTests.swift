import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Pairing

/// The one word for the state of a paired gateway, from its row and from what sessions say.
@Suite struct PairedStatusTests {
    private let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0002)), port: 3_000)

    private func pairing() throws -> StoredPairing {
        var pairing = StoredPairing(
            gatewayID: "fingerprint:home",
            fingerprint: GatewayFingerprint("home"),
            name: "Home",
            dialect: .optaplus,
            trust: .certified(host: "home.example"),
            endpoints: [endpoint],
            pairedAt: 1,
            bots: [StoredBot(id: try #require(BotID("b")), name: "Jarvis")]
        )
        pairing.lastConnected = 7
        return pairing
    }

    private func row(_ liveness: Liveness) throws -> Gateway {
        var map = BotMap()
        let identity = GatewayIdentity(
            fingerprint: GatewayFingerprint("home"),
            name: "Home",
            dialect: .optaplus
        )
        map.apply(.endpointAdded(endpoint, .local))
        map.apply(.probed(endpoint, .gateway(identity)))
        map.apply(.liveness(endpoint, liveness))
        return try #require(map.gateways.first)
    }

    private func session(_ state: PairedState, since: Int = 5, path: String? = nil) -> HeldSession {
        HeldSession(
            holder: LockHolder(process: Int32(since), program: "clawradar"),
            note: SessionNote(state: state.rawValue, since: since, path: path, reason: "as told")
        )
    }

    // MARK: The row

    @Test func aRowThatAnswersIsPaired() throws {
        #expect(PairedState(try row(.answering)) == .paired)
        #expect(PairedState(try row(.suspect)) == .paired)
        #expect(PairedState(try row(.gone)) == .gone)
        #expect(PairedState(nil) == .gone)
        #expect(PairedState(try row(.gone), bot: .connected) == .connected)
        #expect(PairedState(try row(.answering), bot: .connecting) == .connecting)
    }

    @Test func withoutASessionItIsAsTheRowSays() throws {
        let here = PairedStatus(try pairing(), row: try row(.answering), sessions: [])
        #expect(here.state == .paired && here.since == nil && here.holder == nil && here.reason == nil)
        #expect(here.path == endpoint.description)
        let gone = PairedStatus(try pairing(), row: try row(.gone), sessions: [])
        #expect(gone.state == .gone && gone.since == 7 && gone.path == nil)
    }

    // MARK: Sessions

    @Test func aSessionKnowsMoreThanTheRow() throws {
        let sessions = [session(.connecting), session(.connected, since: 6, path: "10.0.0.9:1"), session(.moved)]
        let status = PairedStatus(try pairing(), row: try row(.answering), sessions: sessions)
        #expect(status.state == .connected && status.since == 6 && status.path == "10.0.0.9:1")
        #expect(status.holder?.process == 6 && status.reason == "as told")
    }

    /// The order of two sessions does not matter: the one that says more counts.
    @Test func theWorseNewsOfSessionsThatAreNotConnectedCounts() throws {
        let order: [PairedState] = [.connected, .changedLeaf, .connecting, .refused, .waiting, .gone]
        for (index, first) in order.enumerated() {
            for second in order.dropFirst(index + 1) {
                for sessions in [[session(first), session(second)], [session(second), session(first)]] {
                    let status = PairedStatus(try pairing(), row: nil, sessions: sessions)
                    #expect(status.state == first, "\(first) and \(second)")
                }
            }
        }
    }

    /// A session that only waits for its gateway does not hide that the map has just found it.
    @Test func aSessionThatWaitsKnowsNoMoreThanTheRow() throws {
        let here = PairedStatus(try pairing(), row: try row(.answering), sessions: [session(.gone)])
        #expect(here.state == .paired && here.holder?.process == 5 && here.path == endpoint.description)
        let away = PairedStatus(try pairing(), row: nil, sessions: [session(.gone)])
        #expect(away.state == .gone && away.since == 7 && away.reason == "as told")
    }

    // MARK: Sessions of other processes

    /// Only what another process says of a bot is shown for it, and it ends with that session.
    @Test func theSessionsOfOthersAreShownAtTheirBots() throws {
        var (pairing, paired, others) = (try pairing(), PairedGateways(), OthersSessions())
        let bots = try ["b", "c"].map { try #require(BotID($0)) }
        pairing.bots = bots.map { StoredBot(id: $0, name: $0.text) }
        pairing.credentials = [
            StoredCredential(id: CredentialID(), bots: [], createdAt: 1, deviceID: "d"),
            StoredCredential(id: CredentialID(), bots: [bots[1]], createdAt: 1, deviceID: "d"),
        ]
        _ = paired.take([pairing], interfaces: [], network: { _ in nil })
        let row = try #require(paired.row(of: pairing.id))
        let keys = bots.map { BotKey(gateway: row, bot: $0) }
        let (all, one) = (pairing.credentials[0].id, pairing.credentials[1].id)

        func states(_ held: [CredentialID: HeldSession]) -> [BotKey: BotState] {
            var last: [BotKey: BotState] = [:]
            for case .stateChanged(let key, let state) in others.take(held, of: paired) { last[key] = state }
            return last
        }
        #expect(states([one: session(.connected), all: session(.gone)]) == [keys[1]: .connected])
        #expect(states([one: session(.connected)]) == [:])
        #expect(states([all: session(.connecting)]) == [keys[0]: .connecting, keys[1]: .connecting])
        #expect(states([:]) == [keys[0]: .paired, keys[1]: .paired])
        // Of what was unpaired meanwhile, there is nothing to say.
        #expect(states([all: session(.connected)]).count == 2)
        _ = paired.take([], interfaces: [], network: { _ in nil })
        #expect(states([:]) == [:])
    }

    /// A word of `status` about a gateway, which the map alone does not know, is also the word where the bots of that
    /// gateway are shown, from whichever process it comes: else they would be paired there, or away.
    @Test(arguments: [
        PairedState.moved, .changedLeaf, .uncertified, .waiting, .refused, .failed, .connected, .connecting,
    ])
    func theWordOfASessionIsThatOfEveryView(word: PairedState) throws {
        var (pairing, paired, others) = (try pairing(), PairedGateways(), OthersSessions())
        let credential = StoredCredential(id: CredentialID(), bots: [], createdAt: 1, deviceID: "d")
        pairing.credentials = [credential]
        var map = BotMap()
        for event in paired.take([pairing], interfaces: [], network: { _ in nil }) { map.apply(event) }
        map.apply(.endpointAdded(endpoint, .local))
        for event in others.take([credential.id: session(word)], of: paired) {
            #expect(map.apply(event).allSatisfy { if case .problem = $0 { false } else { true } })
        }
        for liveness in Liveness.allCases {
            map.apply(.probed(endpoint, .nothing(.refused)))
            map.apply(.liveness(endpoint, liveness))
            let row = try #require(map.gateways.first { $0.isPaired })
            let status = PairedStatus(pairing, row: row, sessions: [session(word)])
            #expect(status.state == word)
            #expect(PairedState(row, bot: row.bots.first?.state) == word)
        }
        for event in others.take([:], of: paired) { map.apply(event) }
        let row = try #require(map.gateways.first { $0.isPaired })
        #expect(row.bots.first?.state == .paired)
    }

    /// A pairing that came from another device without its token, which is bound to that one, is the same in every view: nobody
    /// has a session that would tell it. Once it is paired here, too, it is like any other.
    @Test func whatIsToBePairedHereIsSaidInEveryView() throws {
        var (pairing, paired, map) = (try pairing(), PairedGateways(), BotMap())
        pairing.dialect = .openClaw
        func take(_ pairing: StoredPairing) throws -> Gateway {
            for event in paired.take([pairing], interfaces: [], network: { _ in nil }) {
                #expect(map.apply(event).allSatisfy { if case .problem = $0 { false } else { true } })
            }
            map.apply(.endpointAdded(endpoint, .local))
            map.apply(.liveness(endpoint, .answering))
            return try #require(map.gateways.first { $0.isPaired })
        }
        func expect(_ state: PairedState, _ row: Gateway) {
            #expect(PairedStatus(pairing, row: row, sessions: []).state == state)
            #expect(row.bots.map { PairedState(row, bot: $0.state) } == pairing.bots.map { _ in state })
        }
        expect(.failed, try take(pairing))
        pairing.name = "House"
        pairing.bots.append(StoredBot(id: try #require(BotID("c")), name: "Friday"))
        expect(.failed, try take(pairing))
        pairing.credentials = [StoredCredential(bots: [], createdAt: 1, deviceID: "d")]
        #expect(try take(pairing).bots.map(\.state) == [.paired, .paired])
    }

    /// A bot is to be paired here as long as no pairing of its gateway has a token for it, in whatever order they come and go.
    @Test func eachBotHasTheStateOfAllItsPairings() throws {
        var (paired, map) = (PairedGateways(), BotMap())
        let (b, c) = (try #require(BotID("b")), try #require(BotID("c")))
        func pairing(_ bots: BotID..., hasToken: Bool = false) throws -> StoredPairing {
            var pairing = try self.pairing()
            (pairing.dialect, pairing.bots) = (.openClaw, bots.map { StoredBot(id: $0, name: $0.text) })
            if hasToken { pairing.credentials = [StoredCredential(bots: [], createdAt: 1, deviceID: "d")] }
            return pairing
        }
        func states(_ pairings: StoredPairing...) throws -> [String: BotState] {
            for event in paired.take(pairings, interfaces: [], network: { _ in nil }) {
                #expect(map.apply(event).allSatisfy { if case .problem = $0 { false } else { true } })
            }
            let bots = map.gateways.flatMap(\.bots)
            return Dictionary(uniqueKeysWithValues: bots.map { ($0.id.bot.text, $0.state) })
        }
        let (one, other, whole) = (try pairing(b), try pairing(c), try pairing(b, c, hasToken: true))
        #expect(try states(one, other) == ["b": .failed, "c": .failed])
        #expect(try states(one, other, whole) == ["b": .paired, "c": .paired])
        #expect(try states(one, other) == ["b": .paired, "c": .paired])
        var own = other
        own.credentials = whole.credentials
        #expect(try states(one, own) == ["b": .failed, "c": .paired])
        #expect(try states(one) == ["b": .failed])
    }

    // MARK: Accepting

    /// A gateway whose fingerprint is that of its certificate goes by the new one, once that is accepted.
    @Test func anAcceptedLeafBringsItsFingerprint() throws {
        let leaves = try (1...2).map { byte in
            try #require(LeafFingerprint(bytes: Array(repeating: UInt8(byte), count: 32)))
        }
        var pairing = try pairing()
        (pairing.trust, pairing.fingerprint) = (.pinned(leaves[0]), GatewayFingerprint(leaves[0].description))
        pairing.accept(.pinned(leaves[1]))
        #expect(pairing.trust == .pinned(leaves[1]))
        #expect(pairing.fingerprint == GatewayFingerprint(leaves[1].description))
        #expect(pairing.gatewayID == "fingerprint:\(leaves[1])")

        pairing = try self.pairing()
        pairing.trust = .pinned(leaves[0])
        pairing.accept(.pinned(leaves[1]))
        #expect(pairing.trust == .pinned(leaves[1]))
        #expect(pairing.fingerprint == GatewayFingerprint("home") && pairing.gatewayID == "fingerprint:home")
    }
}
