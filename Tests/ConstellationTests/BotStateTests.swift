import GatewayProtocol
import Testing

@testable import Scanning

/// The states of a bot, and the transitions between them.
@Suite struct BotStateTests {
    private static let key = Samples.key("home", "b")

    /// The states that may follow each state when pairing or a connection reports them. Any other transition is
    /// refused.
    private static let allowed: [BotState: Set<BotState>] = [
        .discovered: [.pairing],
        .pairing: [.paired, .error, .discovered],
        .paired: [.connecting],
        .connecting: [
            .connected, .disconnected, .error, .paired, .moved, .changedLeaf, .uncertified, .waiting, .refused, .failed,
        ],
        .connected: [.disconnected, .paired],
        .disconnected: [.connecting, .paired],
        .error: [.pairing, .connecting, .paired],
        .moved: [.pairing, .connecting, .paired],
        .changedLeaf: [.pairing, .connecting, .paired],
        .uncertified: [.pairing, .connecting, .paired],
        .waiting: [.pairing, .connecting, .paired],
        .refused: [.pairing, .connecting, .paired],
        .failed: [.pairing, .connecting, .paired],
    ]

    private static let pairs = BotState.allCases.flatMap { from in BotState.allCases.map { (from, $0) } }

    /// Returns the events that lead to a state, for a bot that is paired or not; `nil` if there is no such state.
    private static func way(to state: BotState, isPaired: Bool) -> [BotMapEvent]? {
        let paired: [BotMapEvent] = isPaired ? [.paired(PairedBot(id: key))] : []
        let states: [BotState]
        switch (state, isPaired) {
        case (.discovered, false), (.paired, true): states = []
        case (.pairing, false): states = [.pairing]
        case (.error, false): states = [.pairing, .error]
        case (.connecting, true): states = [.connecting]
        case (.connected, true): states = [.connecting, .connected]
        case (.disconnected, true): states = [.connecting, .disconnected]
        case (.error, true): states = [.connecting, .error]
        case (.pairing, true): states = [.connecting, .error, .pairing]
        case (.moved, true), (.changedLeaf, true), (.uncertified, true), (.waiting, true), (.refused, true),
            (.failed, true):
            states = [.connecting, state]
        case (.discovered, true), (.paired, false), (.connecting, false), (.connected, false), (.disconnected, false),
            (.moved, false), (.changedLeaf, false), (.uncertified, false), (.waiting, false), (.refused, false),
            (.failed, false):
            return nil
        }
        return paired + states.map { .stateChanged(key, $0) }
    }

    private static func isProblem(_ change: BotMapChange) -> Bool {
        if case .problem = change { true } else { false }
    }

    @Test(arguments: pairs) func everyPairOfStates(from: BotState, to: BotState) {
        #expect(from.canBecome(to) == Self.allowed[from]?.contains(to))
    }

    @Test(arguments: pairs, [true, false])
    func everyPairOfStatesInTheMap(pair: (from: BotState, to: BotState), isPaired: Bool) {
        guard let way = Self.way(to: pair.from, isPaired: isPaired) else { return }
        var map = BotMap()
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1])))
        map.apply(.probed(Samples.endpoint(1), Samples.answer("home", bots: ["b"])))
        #expect(!map.apply(all: way).contains(where: Self.isProblem))
        #expect(map.bots.map(\.state) == [pair.from])

        let changes = map.apply(.stateChanged(Self.key, pair.to))
        // Without a pairing nothing can connect, and a paired bot is `discovered` again only after it was unpaired.
        let isPossible = isPaired ? pair.to != .discovered : pair.to != .connecting && pair.to != .paired
        if pair.from == pair.to {
            #expect(changes.isEmpty)
        } else if Self.allowed[pair.from]?.contains(pair.to) == true, isPossible {
            #expect(map.bots.map(\.state) == [pair.to])
        } else {
            #expect(changes == [.problem(.refusedTransition(Self.key, from: pair.from, to: pair.to))])
            #expect(map.bots.map(\.state) == [pair.from])
        }
    }

    @Test(arguments: BotState.allCases, [true, false]) func unpairedAndRevokedFromEveryState(
        state: BotState,
        isPaired: Bool
    ) {
        guard let way = Self.way(to: state, isPaired: isPaired) else { return }
        for event in [BotMapEvent.unpaired(Self.key), .revoked(Self.key)] {
            var map = BotMap()
            map.apply(all: way + [event])
            #expect(map.gateways.isEmpty)
            #expect(map.records.isEmpty && map.records.count == 0)

            map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1])))
            map.apply(.probed(Samples.endpoint(1), Samples.answer("home", bots: ["b"])))
            map.apply(all: way + [event])
            #expect(map.bots.map(\.state) == [.discovered])
        }
    }

    /// A paired bot is shown whether its gateway is present or not.
    @Test func whatIsPairedIsShownWhereverItsGatewayIs() {
        var map = BotMap()
        map.apply(.paired(PairedBot(id: Self.key, name: "Jarvis", gatewayName: "Home")))
        #expect(map.gateways.map(\.name) == ["Home"])
        #expect(map.bots.map(\.name) == ["Jarvis"])
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1])))
        map.apply(.probed(Samples.endpoint(1), Samples.answer("home", name: "New", bots: ["a", "b"])))
        #expect(map.gateways.map(\.name) == ["New"], "it has proved nothing")
        #expect(map.bots.map(\.state) == [.discovered, .paired])
        map.apply(all: [.serviceLost(Samples.instance("a")), .liveness(Samples.endpoint(1), .gone)])
        #expect(map.bots.map(\.state) == [.paired])
    }

    /// As many bots of a gateway as the limit allows are shown; paired ones always are.
    @Test func theMostBotsAreShownAndPairedOnesAlways() {
        var map = BotMap(limits: BotMapLimits(botsPerGateway: 2))
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1])))
        map.apply(.paired(PairedBot(id: Samples.key("home", "4"))))
        map.apply(.probed(Samples.endpoint(1), Samples.answer("home", bots: ["1", "2", "3", "4"])))
        #expect(map.gateways.first?.bots.map(\.id.bot.text) == ["1", "2", "4"])
        #expect(map.gateways.first?.botsLeftOut == 1)
    }

    /// Names are truncated by characters and by scalars, since one character may have any number of scalars.
    @Test func namesAreCut() {
        let long = String(repeating: "e\u{301}", count: 5_000)
        #expect(BotMapLimits.capped(long).count == 64)
        #expect(BotMapLimits.capped("e" + String(repeating: "\u{301}", count: 5_000)).unicodeScalars.count <= 256)
        #expect(BotMapLimits.capped(String(repeating: "a", count: 64)).count == 64)
    }
}
