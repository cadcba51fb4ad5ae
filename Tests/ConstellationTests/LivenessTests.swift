import GatewayProtocol
import Testing

@testable import Scanning

/// Liveness, in the order in which it is decided: by the answers of an endpoint, by all that bears on an endpoint, and
/// for several endpoints together.
@Suite struct LivenessTests {
    // MARK: Answers and misses

    @Test func twoMissesAreSuspectAndFourAreGone() {
        var tracker = LivenessTracker()
        let start = ContinuousClock.now
        let changes = [tracker.answered(at: start), tracker.answered(at: start)]
        #expect(changes == [true, false])
        let states = (1...5).map { tracker.missed(at: start + .seconds($0 * 2)) }
        #expect(states == [nil, .suspect, nil, .gone, nil])
        let isBack = tracker.answered(at: start + .seconds(11))
        #expect(isBack)
    }

    /// An endpoint is not gone before its last answer is five seconds old, however quickly it misses answers.
    @Test func whatAnsweredFiveSecondsAgoIsNotGone() {
        var tracker = LivenessTracker()
        let start = ContinuousClock.now
        _ = tracker.answered(at: start)
        let states = (1...5).map { tracker.missed(at: start + .milliseconds($0 * 1_100)) }
        #expect(states == [nil, .suspect, nil, nil, .gone])
    }

    /// What a session has missed counts: after its end, one more miss decides. Nothing counts where a session ended well.
    @Test(arguments: [true, false]) func aSuspectSessionIsWorthMisses(isSuspect: Bool) {
        var tracker = LivenessTracker()
        let start = ContinuousClock.now
        _ = tracker.answered(at: start)
        if isSuspect { tracker.sessionSuspected(at: start + .seconds(60)) }
        tracker.sessionEnded()
        #expect(tracker.liveness == (isSuspect ? .suspect : .answering) && tracker.misses == (isSuspect ? 3 : 0))
        let missed = tracker.missed(at: start + .seconds(65))
        #expect(missed == (isSuspect ? .gone : nil))
    }

    /// A session that was doubted for half a second only, and was then closed, leaves time for an answer.
    @Test func aSessionThatWasJustDoubtedIsNotGone() {
        var tracker = LivenessTracker()
        let start = ContinuousClock.now
        _ = tracker.answered(at: start)
        tracker.sessionSuspected(at: start + .seconds(60))
        tracker.sessionEnded()
        let states = (1...4).map { tracker.missed(at: start + .seconds(60) + .milliseconds($0 * 1_250)) }
        #expect(states == [nil, nil, nil, .gone])
        let isBack = tracker.answered(at: start + .seconds(70))
        #expect(isBack)
    }

    /// A session says nothing of what is gone or has never answered.
    @Test func aSessionRevivesNothing() {
        var tracker = LivenessTracker()
        let start = ContinuousClock.now
        tracker.sessionSuspected(at: start)
        tracker.sessionEnded()
        #expect(tracker == LivenessTracker())
        _ = tracker.answered(at: start)
        for second in 1...4 { _ = tracker.missed(at: start + .seconds(second * 2)) }
        let gone = tracker
        tracker.sessionSuspected(at: start + .seconds(10))
        tracker.sessionEnded()
        #expect(tracker == gone && tracker.liveness == .gone)
    }

    @Test func waitsGrowFromASecondToAMinute() {
        var tracker = LivenessTracker()
        var waits: [Duration] = []
        for _ in 0..<25 { waits.append(tracker.nextWait()) }
        #expect(waits.first == .seconds(1))
        #expect(waits.last == .seconds(60))
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
    }

    // MARK: One endpoint

    /// Checks decide while there is no session; without both, a gateway's answer does.
    @Test func checksDecideWithoutASession() {
        var facts = EndpointLiveness()
        #expect(facts.isBlank && facts.value(isGateway: false) == nil && facts.value(isGateway: true) == .answering)
        facts.noteCheck(.suspect)
        #expect(facts.value(isGateway: true) == .suspect && facts.isChecked && !facts.isBlank)
        facts.noteCheck(.gone)
        #expect(facts.value(isGateway: true) == .gone && !facts.isChecked)
        facts.forgetChecks()
        #expect(facts.value(isGateway: true) == .answering && facts.isBlank)
    }

    /// A session that is answered is proof of life; a loss that it reports counts until a check has an answer.
    @Test func aSessionThatAnswersCountsForMore() {
        var facts = EndpointLiveness()
        facts.noteCheck(.gone)
        facts.noteSession(.answering)
        #expect(facts.value(isGateway: true) == .answering)
        facts.noteCheck(.answering)
        facts.noteSession(.suspect)
        #expect(facts.value(isGateway: true) == .suspect)
        facts.noteAnswer()
        #expect(facts.value(isGateway: true) == .answering)
    }

    /// The liveness that a session last saw outlives it only if it is newer than the last answer to a check.
    @Test(arguments: [true, false])
    func theLossOfASessionOutlivesIt(isAnsweredSince: Bool) {
        var facts = EndpointLiveness()
        facts.noteAnswer()
        facts.noteSession(.gone)
        if isAnsweredSince { facts.noteCheck(.answering) }
        facts.noteSession(nil)
        #expect(facts.session == nil && facts.value(isGateway: true) == (isAnsweredSince ? .answering : .gone))
    }

    /// A session that has ended well leaves what checks have found before.
    @Test func aSessionThatEndsWellLeavesNothing() {
        var facts = EndpointLiveness()
        facts.noteCheck(.suspect)
        facts.noteSession(.answering)
        facts.noteSession(nil)
        #expect(facts.value(isGateway: true) == .suspect)
    }

    /// An endpoint that floods is suspect even if it answers, and no better if it does not.
    @Test func whatFloodsIsSuspect() {
        var facts = EndpointLiveness()
        facts.isFlooding = true
        #expect(facts.value(isGateway: true) == .suspect && facts.value(isGateway: false) == nil && !facts.isBlank)
        facts.noteCheck(.gone)
        #expect(facts.value(isGateway: true) == .gone)
    }

    // MARK: Several endpoints

    /// The best of several counts, and what is not known does not.
    @Test func theBestOfSeveralCounts() {
        #expect(Liveness.best([.gone, nil, .suspect]) == .suspect)
        #expect(Liveness.best([nil, .answering, .gone]) == .answering)
        #expect(Liveness.best([nil, nil]) == nil && Liveness.best([]) == nil)
    }
}
