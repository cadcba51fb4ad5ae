import Testing

@testable import Scanning

@Suite struct TriggerLimiterTests {
    private let start = ContinuousClock.now

    /// Fifty triggers a second cause one question at once, two more a second apart, and then one in ten seconds.
    @Test func manyTriggersAreFewQuestions() {
        var limiter = TriggerLimiter()
        var times: [Duration] = []
        for tick in 0..<1_500 {
            let now = start + .milliseconds(20 * tick)
            if let time = limiter.trigger(now: now) { times.append(time - start) }
        }
        #expect(times == [.zero, .seconds(1), .seconds(2), .seconds(12), .seconds(22), .seconds(32)])
    }

    /// A changed answer shortens the gap between questions to a second again.
    @Test func changedAnswerShortensTheGapAgain() {
        var limiter = TriggerLimiter()
        for second in 0..<3 { _ = limiter.trigger(now: start + .seconds(second)) }
        limiter.answerChanged()
        let time = limiter.trigger(now: start + .seconds(2))
        #expect(time == start + .seconds(3))
    }

    /// A trigger after a long pause causes a question at once.
    @Test func afterAPauseItIsAtOnce() {
        var limiter = TriggerLimiter()
        for second in 0..<3 { _ = limiter.trigger(now: start + .seconds(second)) }
        let time = limiter.trigger(now: start + .seconds(60))
        #expect(time == start + .seconds(60))
    }

    /// A trigger causes no question while one is already scheduled for later.
    @Test func whatIsArrangedIsNotArrangedTwice() {
        var limiter = TriggerLimiter()
        _ = limiter.trigger(now: start)
        let second = limiter.trigger(now: start + .milliseconds(100))
        #expect(second == start + .seconds(1))
        let third = limiter.trigger(now: start + .milliseconds(200))
        #expect(third == nil)
    }
}
