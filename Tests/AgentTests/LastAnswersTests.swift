import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Agent

/// The last answers of gateways, and the doubts about them.
@Suite struct LastAnswersTests {
    private var map = BotMap()
    private var answers = LastAnswers()
    private var now = ContinuousClock.now
    private let first = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 3_000)
    private let second = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0002)), port: 3_000)

    private mutating func take(_ event: BotMapEvent, after time: Duration = .seconds(1)) {
        now += time
        let changes = map.apply(event).map(ConstellationChange.gateway)
        answers.note(.changes(changes, revision: 1), at: now)
    }

    /// Takes in an answer that is no news for the map.
    private mutating func answer(at endpoint: Endpoint, after time: Duration = .seconds(1)) {
        now += time
        answers.times[endpoint] = now
    }

    private func doubts() throws -> Bool { answers.doubts(try #require(map.gateways.first)) }

    /// A gateway at two addresses, of which the first one leads.
    private mutating func begin() throws {
        let leaf = try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))
        let identity = GatewayIdentity(
            fingerprint: GatewayFingerprint("abc"),
            name: "Home",
            dialect: .optaplus,
            leaf: leaf
        )
        for endpoint in [first, second] {
            take(.endpointAdded(endpoint, .local))
            take(.probed(endpoint, .gateway(identity), roundTrip: .milliseconds(2)))
            take(.liveness(endpoint, .answering))
        }
        let row = try #require(map.gateways.first)
        try #require(row.paths.count == 2 && row.paths.first(where: \.leads)?.endpoint == first)
        for endpoint in [first, second] { answer(at: endpoint) }
    }

    /// That its session gets no answer is no answer, though its other address counts as answering until it was asked.
    @Test mutating func aSuspectWayIsNoAnswer() throws {
        try begin()
        take(.sessionLiveness(first, .answering, roundTrip: .milliseconds(3)))
        answer(at: first)
        let last = now
        #expect(try !doubts())
        take(.sessionLiveness(first, .suspect), after: .seconds(7))
        take(.liveness(first, .suspect))
        let row = try #require(map.gateways.first)
        try #require(row.liveness == .answering)
        #expect(answers.time(of: row) == last)
        #expect(try doubts())
    }

    /// The way of a session counts, even if another one leads the row.
    @Test mutating func theWayOfASessionCounts() throws {
        try begin()
        let session = ShownSession(
            id: "s",
            pairing: "p",
            gateway: "g",
            name: "Home",
            bots: [],
            state: .connected,
            reason: nil,
            remedy: nil,
            path: "\(second)",
            isElsewhere: false,
            latency: nil,
            since: now
        )
        answers.note(.changes([.session(.found(session))], revision: 1), at: now)
        take(.liveness(first, .suspect))
        #expect(try !doubts())
        take(.liveness(first, .answering))
        take(.liveness(second, .suspect))
        #expect(try doubts())
    }

    /// An answer of the other address ends the doubt, and it does not begin again while the first one stays silent.
    @Test mutating func anAnswerElsewhereEndsTheDoubt() throws {
        try begin()
        take(.liveness(first, .suspect), after: .seconds(3))
        #expect(try doubts())
        answer(at: second)
        #expect(try !doubts())
        #expect(answers.time(of: try #require(map.gateways.first)) == now)
        take(.liveness(first, .suspect))
        #expect(try !doubts())
    }

    /// The other address is asked when the first one leaves its first question unanswered, and is suspect only after the
    /// second one.
    @Test mutating func anAnswerElsewhereBeforeThePathIsSuspectPreventsTheDoubt() throws {
        try begin()
        answer(at: second, after: .seconds(3))
        take(.liveness(first, .suspect), after: .milliseconds(1_200))
        #expect(try !doubts())
    }
}
