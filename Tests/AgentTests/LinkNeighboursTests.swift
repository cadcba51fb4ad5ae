import Testing

@testable import Agent

/// The times at which the neighbours of a link are asked.
@Suite struct LinkNeighboursTests {
    /// An agent looks at a link before any gateway has answered there. As soon as one does, the neighbours are asked, so that
    /// the next silence finds some that have answered before; they were not for ten minutes.
    @Test func theyAreAskedOnceAGatewayAnswers() {
        var known = LinkNeighbours.Known()
        let start = ContinuousClock.now
        func isDue(_ seconds: Double, isSilent: Bool) -> Bool {
            known.isAsking = false
            return known.isDue(isSilent: isSilent, at: start + .seconds(seconds))
        }
        #expect(isDue(0, isSilent: true))
        #expect(!isDue(1, isSilent: true))
        #expect(isDue(2, isSilent: false))
        #expect(!isDue(300, isSilent: false))
        #expect(isDue(301, isSilent: true), "the first silence after they were asked")
        #expect(!isDue(302, isSilent: true))
        #expect(isDue(304.5, isSilent: true))
        #expect(!isDue(305, isSilent: false))
        #expect(isDue(602, isSilent: false))
    }

    /// While an answer is awaited, nothing else is asked, and the question of the moment is not forgotten.
    @Test func aQuestionThatWaitsIsAskedAfterwards() {
        var known = LinkNeighbours.Known()
        let start = ContinuousClock.now
        let isFirstDue = known.isDue(isSilent: true, at: start)
        let isDueMeanwhile = known.isDue(isSilent: false, at: start + .seconds(1))
        // Whoever looks only when something changes would not look again.
        #expect(known.isAwaited)
        known.isAsking = false
        let isDueAfterwards = known.isDue(isSilent: false, at: start + .seconds(2))
        #expect(isFirstDue && !isDueMeanwhile && isDueAfterwards)
    }

    /// Only the first question of a silence is waited for: the next ones are asked while its answer still counts.
    @Test func theFirstQuestionOfASilenceIsWaitedFor() {
        var known = LinkNeighbours.Known()
        let start = ContinuousClock.now
        _ = known.isDue(isSilent: false, at: start)
        #expect(known.state(isSilent: false) == .unknown && known.state(isSilent: true) == .asked)
        known.isAsking = false
        _ = known.isDue(isSilent: true, at: start + .seconds(10))
        #expect(known.state(isSilent: true) == .asked)
        (known.isAsking, known.isSilenceJudged) = (false, true)
        _ = known.isDue(isSilent: true, at: start + .seconds(14))
        #expect(known.isAsking && known.state(isSilent: true) == .unknown)
        known.isAsking = false
        _ = known.isDue(isSilent: false, at: start + .seconds(20))
        _ = known.isDue(isSilent: true, at: start + .seconds(30))
        #expect(known.state(isSilent: true) == .asked)
    }
}
