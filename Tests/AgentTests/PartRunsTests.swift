import Reports
import Testing

@testable import Agent

@Suite struct PartRunsTests {
    private let time = Timestamp(milliseconds: 1_000)
    private var now = ContinuousClock.now

    @Test mutating func aPartThatEndsAtOnceRunsAgainAfterLongerAndLongerPauses() {
        var runs = PartRuns(at: time)
        var pauses: [Duration] = []
        for _ in 0..<8 {
            runs.begin(now: now, at: time)
            pauses.append(runs.end(reason: "no socket", now: now, at: time))
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(runs.ends == 8)
    }

    @Test mutating func afterAGoodRunThePauseIsShortAgain() {
        var runs = PartRuns(at: time)
        for _ in 0..<4 {
            runs.begin(now: now, at: time)
            _ = runs.end(reason: "no socket", now: now, at: time)
        }
        runs.begin(now: now, at: time)
        now += .seconds(60)
        #expect(runs.end(reason: "no socket", now: now, at: time) == .seconds(1))
        runs.begin(now: now, at: time)
        now += .seconds(59)
        #expect(runs.end(reason: "no socket", now: now, at: time) == .seconds(2))
    }

    @Test func theStateSaysSinceWhenAndWhy() {
        let later = Timestamp(milliseconds: 2_000)
        var runs = PartRuns(at: time)
        #expect(runs.state == PartState(.starting, since: time))
        runs.begin(now: now, at: time)
        runs.report(trouble: nil, at: time)
        runs.report(trouble: nil, at: later)
        #expect(runs.state == PartState(.running, since: time))
        runs.report(trouble: "no daemon", at: later)
        #expect(runs.state == PartState(.impaired, reason: "no daemon", since: later))
        _ = runs.end(reason: "moved", now: now, at: later)
        #expect(runs.state == PartState(.waiting, reason: "moved", since: later))
        runs.stop(at: later)
        #expect(runs.state == PartState(.stopped, since: later))
    }

    @Test func aReportThatComesAfterTheEndChangesNothing() {
        var runs = PartRuns(at: time)
        runs.begin(now: now, at: time)
        _ = runs.end(reason: "moved", now: now, at: time)
        runs.report(trouble: nil, at: time)
        #expect(runs.state == PartState(.waiting, reason: "moved", since: time))
    }
}
