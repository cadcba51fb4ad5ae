import Testing

@testable import Scanning

@Suite struct TriggerLimiterTests {
    private let start = ContinuousClock.now

    /// Fifty a second: one question at once, two more a second apart, and then one in ten seconds.
    @Test func manyTriggersAreFewQuestions() {
        var limiter = TriggerLimiter()
        var times: [Duration] = []
        for tick in 0..<1_500 {
            let now = start + .milliseconds(20 * tick)
            if let time = limiter.trigger(now: now) { times.append(time - start) }
        }
        #expect(times == [.zero, .seconds(1), .seconds(2), .seconds(12), .seconds(22), .seconds(32)])
    }

    @Test func anAnswerThatIsAnotherOneIsAReasonToListenAgain() {
        var limiter = TriggerLimiter()
        for second in 0..<3 { _ = limiter.trigger(now: start + .seconds(second)) }
        limiter.answerChanged()
        let time862 = limiter.trigger(now: start + .seconds(2))
        #expect(time862 == start + .seconds(3))
    }

    /// A service that nobody has spoken of for a while is asked about at once.
    @Test func afterAPauseItIsAtOnce() {
        var limiter = TriggerLimiter()
        for second in 0..<3 { _ = limiter.trigger(now: start + .seconds(second)) }
        let time1184 = limiter.trigger(now: start + .seconds(60))
        #expect(time1184 == start + .seconds(60))
    }

    @Test func whatIsArrangedIsNotArrangedTwice() {
        var limiter = TriggerLimiter()
        _ = limiter.trigger(now: start)
        let time1406 = limiter.trigger(now: start + .milliseconds(100))
        #expect(time1406 == start + .seconds(1))
        let time1495 = limiter.trigger(now: start + .milliseconds(200))
        #expect(time1495 == nil)
    }
}
