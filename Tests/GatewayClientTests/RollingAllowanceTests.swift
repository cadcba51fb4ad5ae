import TestSupport
import Testing

@testable import GatewayClient

/// The rolling limits, with times that the test passes in.
@Suite struct RollingAllowanceTests {
    private let start = ContinuousClock.now
    private let rate = ConnectionLimits.Rate(burst: 10, perSecond: 2)

    private func time(_ second: Double) -> ContinuousClock.Instant { start + .seconds(second) }

    /// Takes amounts at these seconds after the start, and returns for each whether it was allowed.
    private func taken(_ amounts: [(Int, at: Double)]) -> [Bool] {
        var allowance = RollingAllowance(rate, at: start)
        return amounts.map { allowance.take($0.0, at: time($0.at)) == .allowed }
    }

    @Test func aBurstIsAllowedAndThenTheRate() {
        #expect(taken([(10, at: 0), (1, at: 0), (2, at: 1), (1, at: 1)]) == [true, false, true, false])
    }

    /// A peer that is silent for a week may not send more than the burst afterwards, and a clock that goes back adds
    /// nothing.
    @Test func silenceAccumulatesNoAllowance() {
        #expect(taken([(11, at: 604_800), (10, at: 604_800), (1, at: 0)]) == [false, true, false])
    }

    /// Data that piled up while nothing was read is no flood, as far as a peer within its rate, here two per second,
    /// can have sent it meanwhile.
    @Test func whatPilesUpInAPauseIsNoFlood() {
        var allowance = RollingAllowance(rate, at: start)
        #expect(allowance.take(4, at: time(0)) == .allowed)
        allowance.pause(at: time(0))
        // 6 are left. In the pause of 10 s, 4 fill the bucket in 2 s, and 16 more pile up in 8 s.
        allowance.resume(at: time(10))
        #expect(allowance.take(11, at: time(10)) == .piledUp(wait: .milliseconds(500)))
        #expect(allowance.take(14, at: time(10)) == .piledUp(wait: .seconds(7)))
        #expect(allowance.take(2, at: time(10)) == .flood, "only one is left of the amount that piled up")
        #expect(allowance.take(1, at: time(10)) == .piledUp(wait: .milliseconds(500)))
        #expect(allowance.take(1, at: time(10)) == .flood)
        #expect(allowance.take(10, at: time(20)) == .allowed)
        #expect(allowance.take(1, at: time(20)) == .flood, "only a pause lets an amount pile up")
    }

    /// After a very long pause, no more is allowed than what a peer within its rate sends in a minute.
    @Test func aPauseOfAWeekAllowsAMinute() {
        var allowance = RollingAllowance(rate, at: start)
        allowance.pause(at: start)
        allowance.resume(at: time(604_800))
        #expect(allowance.take(131, at: time(604_800)) == .flood)
        #expect(allowance.take(130, at: time(604_800)) == .piledUp(wait: .seconds(60)))
    }
}

/// The times at which a connection reads on, and the amounts that it considers a flood.
@Suite struct ReadPacingTests {
    private let start = ContinuousClock.now

    private static var limits: ConnectionLimits {
        var limits = ConnectionLimits.session
        limits.byteRate = ConnectionLimits.Rate(burst: 1_000, perSecond: 100)
        limits.frameRate = ConnectionLimits.Rate(burst: 100, perSecond: 10)
        return limits
    }

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    /// Data that piled up is read at a limited pace, even if there is room for more.
    @Test func whatPiledUpIsReadAtAPace() {
        var pacing = ReadPacing(Self.limits, at: start)
        #expect(pacing.wait(at: start) == nil)
        pacing.pause(at: start)
        #expect(pacing.wait(at: time(30_000)) == nil)
        #expect(pacing.takeBytes(1_000, at: time(30_000)) == true)
        #expect(pacing.wait(at: time(30_000)) == nil, "a burst needs no wait")
        #expect(pacing.takeBytes(50, at: time(30_000)) == true)
        #expect(pacing.wait(at: time(30_000)) == .milliseconds(500))
        #expect(pacing.wait(at: time(30_400)) == .milliseconds(100))
        #expect(pacing.wait(at: time(30_500)) == nil)
        for _ in 0..<100 { #expect(pacing.takeFrame(at: time(30_500)) == true) }
        #expect(pacing.wait(at: time(30_500)) == nil)
        #expect(pacing.takeFrame(at: time(30_500)) == true)
        #expect(pacing.wait(at: time(30_500)) == .milliseconds(100), "frames have a rate of their own")
    }

    /// A pause excuses only the data that piled up in it: a peer that goes on flooding is read at a limited pace, and
    /// then found to flood.
    @Test func aFloodAfterAPauseIsOne() {
        var pacing = ReadPacing(Self.limits, at: start)
        pacing.pause(at: start)
        var (now, bytes) = (time(10_000), 0)
        while now < time(1_000_000) {
            if let wait = pacing.wait(at: now) {
                now += wait
                continue
            }
            guard pacing.takeBytes(200, at: now) else { break }
            bytes += 200
        }
        #expect(now < time(40_000))
        #expect(bytes <= 1_000 + 100 * 40)
        #expect(bytes >= 1_000 + 100 * 10, "the amount that may have piled up is read")
    }

    /// A peer within its rate is never considered a flood, however seldom data is read, and everything that it sends is
    /// read.
    @Test func aPeerWithinTheRateIsNeverAFlood() {
        var generator = SeededGenerator.forFuzzing("ReadPacing")
        for _ in 0..<TestCases.count(50) {
            var pacing = ReadPacing(Self.limits, at: start)
            var sender = RollingAllowance(ConnectionLimits.Rate(burst: 99, perSecond: 9), at: start)
            var (waiting, sent, read, isPaused) = (0, 0, 0, false)
            for tick in stride(from: 0, to: 200_000, by: 50) {
                let now = time(tick)
                let count = Int(generator.next() % (generator.next() % 32 == 0 ? 100 : 3))
                if tick < 100_000, sender.take(count, at: now) == .allowed {
                    waiting += count
                    sent += count
                }
                if generator.next() % 64 == 0 { isPaused.toggle() }
                if isPaused, tick < 100_000 {
                    pacing.pause(at: now)
                    continue
                }
                while waiting > 0, pacing.wait(at: now) == nil {
                    for _ in 0..<min(waiting, 7) {
                        guard pacing.takeFrame(at: now), pacing.takeBytes(10, at: now) else {
                            Issue.record("\(read) of \(sent) were read at \(tick) ms")
                            return
                        }
                        waiting -= 1
                        read += 1
                    }
                }
            }
            #expect(read == sent)
        }
    }

    /// On a held connection the limits apply to each minute: after a host has slept for an hour, the data that a
    /// gateway sent in that hour is no flood.
    @Test func whatPilesUpWhileThisHostSleepsIsCountedByTheMinute() {
        let transcript = Transcript()
        for number in 1...100 { #expect(transcript.noteFrame(at: time(3_600_000)) == number) }
        transcript.restart(at: start)
        transcript.pinged()
        for number in 1...64 { #expect(transcript.noteFrame(at: time(119_000)) == number) }
        #expect(transcript.note([UInt8](repeating: 0, count: 60_000), at: time(119_000)) == 60_000)
        #expect(transcript.noteFrame(at: time(120_000)) == 33)
        for _ in 66...(60 * 64) { #expect(transcript.noteFrame(at: time(3_600_000)) <= 64) }
        #expect(transcript.noteFrame(at: time(3_600_000)) == 65)
        #expect(transcript.note([UInt8](repeating: 0, count: 60_001), at: time(3_600_000)) == 2_001)
        transcript.restart(at: time(3_600_000))
        #expect(transcript.note([0], at: time(3_600_000)) == 1)
    }
}
