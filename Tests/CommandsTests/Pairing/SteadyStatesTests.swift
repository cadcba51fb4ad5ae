import DNSSD
import GatewayProtocol
import Pairing
import Scanning
import Testing

@testable import Commands

/// `status` ends when what it shows is known: it waits for no address where nobody is, and accuses nobody too soon.
@Suite(.timeLimit(.minutes(1))) struct SteadyStatesTests {
    private let constellation = Constellation()
    private let pairing: StoredPairing
    private let paired: PairedGateways

    init() async throws {
        pairing = try Pairings.pairing("Home", id: "a", fingerprint: "fp-home", bots: [("bot-1", "Jarvis")])
        var paired = PairedGateways()
        let marks = paired.take([pairing], network: { _ in nil })
        self.paired = paired
        await constellation.apply(marks)
    }

    /// Returns what is shown of the gateway, given the rows of the map.
    private var judge: @Sendable ([Gateway]) -> [PairedStatus] {
        let (pairing, id) = (pairing, paired.row(of: pairing.id))
        return { rows in [PairedStatus(pairing, row: rows.first { $0.id == id }, sessions: [])] }
    }

    /// The gateway answers at its place, with the certificate of its pairing or another one.
    private func answer(leaf digits: String = "5f") async {
        let identity = GatewayIdentity(
            fingerprint: GatewayFingerprint("fp-home"),
            name: "Home",
            dialect: .optaplus,
            bots: [],
            leaf: LeafFingerprint(String(repeating: digits, count: 32))
        )
        let place = pairing.endpoints[0]
        await constellation.apply([
            .endpointAdded(place, .local), .probed(place, .gateway(identity)), .liveness(place, .answering),
        ])
    }

    /// Another place of it, of which nobody knows yet whether anything is there, holds nothing up.
    @Test func aSilentAddressIsNotWaitedFor() async {
        await answer()
        await constellation.apply([.endpointAdded(Rows.endpoint(9), .local)])
        await SteadyStates.wait(for: constellation, hold: .milliseconds(10), seen: judge, shown: judge)
        #expect(await judge(constellation.gateways).map(\.state) == [.paired])
    }

    /// While a gateway has not answered anywhere, it is looked for.
    @Test func aGatewayThatIsAwayIsWaitedFor() async {
        let (looks, look) = AsyncStream.makeStream(of: Void.self)
        let (constellation, judge) = (constellation, judge)
        async let end: Void = SteadyStates.wait(for: constellation, hold: .zero, seen: judge) { rows in
            look.yield()
            return judge(rows)
        }
        var seen = looks.makeAsyncIterator()
        // The first look, and one more when it has been away for as long as what is seen must stay the same.
        for _ in 0..<2 { await seen.next() }
        await answer()
        await end
        #expect(await judge(constellation.gateways).map(\.state) == [.paired])
    }

    /// While the session of another process connects, it is about to know more than the map.
    @Test func aSessionThatConnectsIsWaitedFor() async throws {
        await answer()
        let bot = try BotKey(gateway: #require(paired.row(of: pairing.id)), bot: #require(BotID("bot-1")))
        await constellation.apply([.stateChanged(bot, .connecting)])
        let (looks, look) = AsyncStream.makeStream(of: PairedState.self)
        let (constellation, pairing, judge) = (constellation, pairing, judge)
        let shown: @Sendable ([Gateway]) -> [PairedStatus] = { rows in
            let state = PairedState(rows.first, bot: rows.first?.bots.first?.state)
            look.yield(state)
            let note = SessionNote(state: state.rawValue, since: 0)
            let session = HeldSession(holder: LockHolder(process: 1, program: "clawradar"), note: note)
            return [PairedStatus(pairing, row: rows.first, sessions: [session])]
        }
        async let end: Void = SteadyStates.wait(for: constellation, hold: .zero, seen: judge, shown: shown)
        var states = looks.makeAsyncIterator()
        #expect(await states.next() == .connecting)
        await constellation.apply([.stateChanged(bot, .connected)])
        await end
        look.finish()
        var last: PairedState?
        while let state = await states.next() { last = state }
        #expect(last == .connected)
    }

    /// A state must have stayed the same before it is shown: what answers first may be proved otherwise by the next
    /// answer.
    @Test func whatHasJustChangedIsNotKnown() async {
        await answer(leaf: "6e")
        let (constellation, judge) = (constellation, judge)
        #expect(await judge(constellation.gateways).map(\.state) == [.changedLeaf])
        // Longer than a machine may pause between the first look and the change.
        let hold = Duration.seconds(1)
        let (looks, look) = AsyncStream.makeStream(of: Void.self)
        let seen: @Sendable ([Gateway]) -> [PairedStatus] = { rows in
            look.yield()
            return judge(rows)
        }
        async let end: Void = SteadyStates.wait(for: constellation, hold: hold, seen: seen, shown: judge)
        var looked = looks.makeAsyncIterator()
        await looked.next()
        let changed = ContinuousClock.now
        await answer()
        await end
        #expect(.now - changed >= hold)
        #expect(await judge(constellation.gateways).map(\.state) == [.paired])
    }
}
