import DNSSD
import GatewayClient
import GatewayProtocol
import Testing

@testable import Scanning

/// The parts of an endpoint, each by itself.
@Suite struct EndpointPartsTests {
    private let start = ContinuousClock.now

    private func candidate(
        _ name: String,
        _ standing: ProbeStanding,
        expected: GatewayDialect? = nil
    ) -> EndpointCandidate {
        EndpointCandidate(
            key: .service(Samples.instance(name)),
            rules: TargetRules(origin: .network),
            hint: ProbeHint(expected: expected),
            standing: standing,
            host: nil
        )
    }

    // MARK: Candidates

    /// The most trusted candidate comes first, and only a new hint is something new to ask.
    @Test func candidatesAreInTheOrderOfTrust() {
        var candidates = EndpointCandidates()
        #expect(candidates.add(candidate("a", .stranger)) == true)
        #expect(candidates.add(candidate("b", .firstHand)) == false)
        #expect(candidates.add(candidate("c", .manual, expected: .clawline)) == true)
        #expect(candidates.all.map(\.standing) == [.manual, .firstHand, .stranger])
        #expect(candidates.isManual && candidates.standing == .manual)
        #expect(candidates.hints.map(\.expected) == [.clawline, nil])
        candidates.confirm(.service(Samples.instance("a")))
        #expect(candidates.all.last?.standing == .confirmed || candidates.all[1].standing == .confirmed)
        // What its host has confirmed stays confirmed when it is seen again.
        _ = candidates.add(candidate("a", .stranger))
        #expect(candidates.all.contains { $0.key == .service(Samples.instance("a")) && $0.standing == .confirmed })
    }

    /// When there is no room, only a more trusted candidate gets in.
    @Test func candidatesAreBounded() {
        var candidates = EndpointCandidates()
        for number in 0..<EndpointCandidates.most { _ = candidates.add(candidate("\(number)", .stranger)) }
        #expect(candidates.add(candidate("one more", .stranger)) == nil)
        #expect(candidates.add(candidate("trusted", .manual)) != nil)
        #expect(candidates.all.count == EndpointCandidates.most && candidates.isManual)
    }

    /// When nothing points at it any more, the rules stay, and the time counts from then.
    @Test func candidatesLeaveTheirRules() {
        var candidates = EndpointCandidates()
        #expect(!candidates.isWanted && candidates.unwantedSince == nil)
        let rules = TargetRules(origin: .user)
        let entered = EndpointCandidate(key: .manual(1), rules: rules, hint: ProbeHint(), standing: .manual, host: nil)
        _ = candidates.add(entered)
        candidates.remove(.manual(1), now: start)
        #expect(!candidates.isWanted && candidates.unwantedSince == start && candidates.rules == rules)
        _ = candidates.add(candidate("a", .stranger))
        #expect(candidates.isWanted && candidates.unwantedSince == nil)
        let reported = EndpointCandidates(hostHint: ProbeHint(expected: .optaplus), rules: rules, now: start)
        #expect(reported.standing == .confirmed && reported.hints.count == 1 && reported.unwantedSince == start)
    }

    // MARK: Question

    /// Only the latest question is open, and only what is under way can be outdated.
    @Test func aQuestionIsOpenUntilItIsClosed() {
        var question = EndpointQuestion()
        question.outdate()
        #expect(question.demands.isEmpty && !question.isUnderWay)
        #expect(question.begin(now: start) == 1)
        #expect(question.begin(now: start + .seconds(1)) == 2)
        #expect(question.open == EndpointQuestion.Open(number: 2, start: start + .seconds(1)) && question.isUnderWay)
        question.outdate()
        #expect(question.demands == .afresh)
        question.close()
        #expect(question.open == nil && !question.isUnderWay && question.number == 2)
        question.demands = []
        question.probing = .waiting(job: 1)
        question.outdate()
        #expect(question.demands.isEmpty && question.isUnderWay)
        question.probing = .running(job: 1)
        question.outdate()
        #expect(question.demands == .afresh)
    }

    /// In a minute there are at most forty checks; the next is allowed when that has passed.
    @Test func checksAreCountedByTheMinute() {
        var question = EndpointQuestion()
        for second in 0..<40 { #expect(question.takeCheck(now: start + .seconds(second)) == nil) }
        #expect(question.takeCheck(now: start + .seconds(59)) == start + .seconds(60))
        #expect(question.takeCheck(now: start + .seconds(60)) == nil)
    }

    // MARK: Turn

    /// Only the time that was set last counts.
    @Test func aTurnIsTheLatest() {
        var turn = EndpointTurn()
        #expect(turn.set(start, waitingSince: nil) == 1)
        #expect(turn.set(start + .seconds(1), waitingSince: start) == 2)
        #expect(turn.number == 2 && turn.time == start + .seconds(1) && turn.waitsSince == start)
        turn.take()
        #expect(turn.time == nil && turn.waitsSince == start)
    }

    // MARK: Holding

    /// Each held connection that floods doubles the time until the next one, up to an hour; a short one that floods in
    /// the meantime does not.
    @Test func floodsPutOffHeldConnections() {
        var holding = EndpointHolding()
        #expect(holding.mayHold(at: start) && !holding.isFlooding)
        var now = start
        for wait in [60, 120, 240, 480, 960, 1_920, 3_600, 3_600] {
            holding.flooded(until: now + .seconds(60), now: now)
            holding.flooded(until: now + .seconds(61), now: now + .seconds(1))
            #expect(holding.isFlooding && holding.floodedUntil == now + .seconds(61))
            holding.endFlood()
            #expect(!holding.isFlooding && !holding.mayHold(at: now + .seconds(wait) - .nanoseconds(1)))
            now += .seconds(wait)
            #expect(holding.mayHold(at: now), "after \(wait) s")
        }
    }

    // MARK: What the map was told

    /// A round-trip time is worth reporting when it is new, or differs by more than 2 ms and by half.
    @Test func onlyRoundTripsThatMatterAreReported() {
        var told = ScannedEndpoint.Told()
        #expect(!told.isWorthReporting(nil) && told.isWorthReporting(.milliseconds(1)))
        told.roundTrip = .milliseconds(10)
        #expect(!told.isWorthReporting(.milliseconds(15)) && told.isWorthReporting(.milliseconds(16)))
        #expect(!told.isWorthReporting(.milliseconds(7)) && told.isWorthReporting(.milliseconds(6)))
        told.roundTrip = .milliseconds(1)
        #expect(!told.isWorthReporting(.milliseconds(3)) && told.isWorthReporting(.milliseconds(4)))
    }

    // MARK: The state of all endpoints

    /// Checks start one after another, and at most 32 of their own connections at once.
    @Test func checksAreSpaced() {
        var pace = CheckPace()
        #expect(pace.wait(now: start) == nil)
        pace.space(20, now: start)
        pace.space(20, now: start)
        #expect(pace.wait(now: start) == start + .milliseconds(100))
        #expect(pace.wait(now: start + .milliseconds(100)) == nil)
        for _ in 0..<32 {
            #expect(pace.hasRoom)
            pace.begin()
        }
        #expect(!pace.hasRoom)
        pace.end()
        #expect(pace.hasRoom && pace.running == 31)
    }

    /// An entry has a number of its own for ever, and of several the first counts.
    @Test func entriesAreNumbered() {
        var entries = ManualEntries()
        let (one, two) = (
            ManualGateway(endpoints: [Samples.endpoint(1)]), ManualGateway(endpoints: [Samples.endpoint(2)])
        )
        #expect(entries.add(one) == 1 && entries.add(two) == 2 && entries.add(one) == nil)
        #expect(entries.first { _ in true }?.gateway == one)
        #expect(entries.remove(one) == 1 && entries.remove(one) == nil)
        #expect(entries.first { _ in true }?.number == 2 && entries.add(one) == 3)
    }

    /// A pin that was reported ends with its report; one that was not says nothing of one that was configured.
    @Test func noticesAreTakenAsTheyChange() throws {
        let leaf = try #require(LeafFingerprint(String(repeating: "5f", count: 32)))
        let (one, other) = (Samples.endpoint(1), Samples.endpoint(2))
        var noticed = NoticedEndpoints()
        var news = noticed.take(one, session: .answering, pin: nil)
        #expect(!news.isPinReported && news.isSessionNew)
        news = noticed.take(one, session: .answering, pin: nil)
        #expect(!news.isPinReported && !news.isSessionNew)
        news = noticed.take(other, session: nil, pin: leaf)
        #expect(news.isPinReported && !news.isSessionNew)
        news = noticed.take(other, session: nil, pin: nil)
        #expect(news.isPinReported && !news.isSessionNew)
        news = noticed.take(other, session: nil, pin: nil)
        #expect(!news.isPinReported)
    }

    // MARK: The scanner

    private func check(_ path: GatewayProbePath) -> CheckJob {
        CheckJob(
            endpoint: path.endpoint,
            number: 1,
            path: path,
            dialect: .optaplus,
            signature: nil,
            connecting: nil,
            isHeld: true
        )
    }

    /// A question goes over the connection that is held; a gateway that is reached on another path needs a new one.
    @Test func aConnectionIsHeldForOnePath() async throws {
        let endpoint = Samples.endpoint(1)
        let plain = check(GatewayProbePath(endpoint: endpoint, leaf: nil))
        let encrypted = check(GatewayProbePath(endpoint: endpoint, leaf: Samples.leaf(1)))
        var held = HeldChecks()
        let firstTaken = held.ask(plain)
        let first = try #require(firstTaken)
        #expect(held.ask(plain) == nil && held.isLatest(first.number, at: endpoint))
        let secondTaken = held.ask(encrypted)
        let second = try #require(secondTaken)
        #expect(!held.isLatest(first.number, at: endpoint) && held.isLatest(second.number, at: endpoint))
        var questions = 0
        for await _ in first.questions { questions += 1 }
        #expect(questions == 1, "the second question came before the first was taken")
        held.letGoOfAll()
        #expect(!held.isLatest(second.number, at: endpoint))
        for await _ in second.questions { questions += 1 }
        #expect(questions == 2)
    }

    /// The map is told until nothing more has come in the meantime.
    @Test func reportsAreTakenUntilThereAreNone() throws {
        var reports = PendingReports()
        #expect(reports.isEmpty && reports.take() == nil)
        let lost = BotMapEvent.endpointRemoved(Samples.endpoint(1))
        reports.add(lost)
        reports.add(silenceOf: Samples.endpoint(2))
        #expect(!reports.isEmpty)
        let firstTaken = reports.take()
        let first = try #require(firstTaken)
        #expect(first.events == [lost] && first.silences == [Samples.endpoint(2)] && !reports.isEmpty)
        reports.add(silenceOf: Samples.endpoint(1))
        let secondTaken = reports.take()
        let second = try #require(secondTaken)
        #expect(second.events.isEmpty && second.silences == [Samples.endpoint(1)] && !reports.isEmpty)
        #expect(reports.take() == nil && reports.isEmpty)
    }

    /// A caller that waits is woken once by all passes since it looked last, and no more once it is removed.
    @Test func callersAreWokenByPasses() async {
        var watchers = PassWatchers()
        let (one, passes) = watchers.add()
        let (other, _) = watchers.add()
        #expect(one != other)
        watchers.wake()
        watchers.wake()
        watchers.remove(one)
        watchers.wake()
        var count = 0
        for await _ in passes { count += 1 }
        #expect(count == 1)
    }
}
