internal import GatewayProtocol
internal import Synchronization

/// A record of the data received over one connection so far: its counts, and its first bytes.
final class Transcript: Sendable {
    private struct State {
        /// `nil` once they were forgotten.
        var firstBytes: [UInt8]? = []
        var bytes = 0
        var frames = 0
        var pings = 0

        /// The time of the last question on a held connection.
        var asked: ContinuousClock.Instant?
        var pacing: ReadPacing
        var share = AssemblyShare()

        /// Returns the part of an amount that counts for one question. Questions are at most a minute apart; where more
        /// time went by, this host slept or this process was stopped, and data that piled up meanwhile is not a flood.
        func perMinute(_ amount: Int, at now: ContinuousClock.Instant) -> Int {
            guard let asked else { return amount }
            let minutes = Int((now - asked) / Transcript.longestPause)
            return minutes > 1 ? (amount + minutes - 1) / minutes : amount
        }
    }

    /// The longest time between two questions on a held connection, while this process runs.
    private static let longestPause = Duration.seconds(60)

    private let state: Mutex<State>

    /// - Parameters:
    ///   - limits: The rolling limits of the connection.
    ///   - now: The time at which it began.
    init(_ limits: ConnectionLimits = .probe, at now: ContinuousClock.Instant = .now) {
        self.state = Mutex(State(pacing: ReadPacing(limits, at: now)))
    }

    deinit {
        assembled()
    }

    /// The first bytes, at most ``ForeignAnswer/maximumBytes``; none once they were forgotten.
    var firstBytes: [UInt8] { state.withLock { $0.firstBytes ?? [] } }

    /// Forgets the first bytes, and keeps none from now on.
    func forgetFirstBytes() { state.withLock { $0.firstBytes = nil } }

    /// The time of the last question on a held connection.
    var asked: ContinuousClock.Instant? { state.withLock { $0.asked } }

    /// Indicates whether anything was received since ``restart()``.
    var hasHeard: Bool { state.withLock { $0.bytes > 0 } }

    /// Records received bytes.
    ///
    /// - Returns: The number of bytes so far; on a held connection, the number since the last question.
    func note(_ bytes: some Collection<UInt8>, at now: ContinuousClock.Instant) -> Int {
        state.withLock { state in
            if let count = state.firstBytes?.count, count < ForeignAnswer.maximumBytes {
                state.firstBytes? += bytes.prefix(ForeignAnswer.maximumBytes - count)
            }
            state.bytes += bytes.count
            return state.perMinute(state.bytes, at: now)
        }
    }

    // MARK: Incomplete messages

    /// Counts incomplete messages against a budget from now on.
    func limitAssembly(by budget: AssemblyBudget) {
        state.withLock { $0.share.count(against: budget) }
    }

    /// Counts received bytes that may be part of a message.
    ///
    /// - Returns: `false` when the budget has no memory left for them.
    func assemble(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.share.assemble(count, at: now) }
    }

    /// Excludes bytes that were counted, but are not part of the incomplete message.
    func leaveOut(_ count: Int) {
        state.withLock { $0.share.leaveOut(count) }
    }

    /// Records that a message is complete, or never will be.
    func assembled() {
        state.withLock { $0.share.assembled() }
    }

    /// Stops the counting, since nothing that comes from now on becomes a message.
    func endAssembly() {
        state.withLock { $0.share.count(against: nil) }
    }

    /// Returns how much longer the memory of a message may be kept, given the time limit; `nil` when there is no such
    /// memory.
    func timeToAssemble(of limit: Duration, at now: ContinuousClock.Instant) -> Duration? {
        state.withLock { $0.share.timeLeft(of: limit, at: now) }
    }

    // MARK: The pace of reading

    /// Counts received bytes against the rolling limit.
    ///
    /// - Returns: `false` when they are a flood.
    func takeBytes(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.pacing.takeBytes(count, at: now) }
    }

    /// Counts a received frame against the rolling limit.
    ///
    /// - Returns: `false` when it is part of a flood.
    func takeFrame(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.pacing.takeFrame(at: now) }
    }

    /// Records that nothing is read from now on.
    func pauseReading(at now: ContinuousClock.Instant) {
        state.withLock { state in
            state.pacing.pause(at: now)
            state.share.pause(at: now)
        }
    }

    /// Decides whether to read on, now that there is room for more.
    ///
    /// - Returns: `nil` to read now; otherwise the time after which to ask again.
    func waitBeforeReading(at now: ContinuousClock.Instant) -> Duration? {
        state.withLock { state in
            if let wait = state.pacing.wait(at: now) {
                state.share.pause(at: now)
                return wait
            }
            state.share.resume(at: now)
            return nil
        }
    }

    // MARK: Frames

    /// Counts a received frame or line.
    ///
    /// - Returns: The number of frames and lines since this side last sent something.
    func noteFrame(at now: ContinuousClock.Instant = .now) -> Int {
        state.withLock { state in
            state.frames += 1
            return state.perMinute(state.frames, at: now)
        }
    }

    /// Decides whether a pong answers one of our pings; each ping has one answer.
    func takePong() -> Bool {
        state.withLock { state in
            guard state.pings > 0 else { return false }
            state.pings -= 1
            return true
        }
    }

    /// Records that a message is being sent to the peer, which may answer with the full number of frames again.
    func spoke() {
        state.withLock { $0.frames = 0 }
    }

    /// Records that a ping is being sent.
    func pinged() {
        state.withLock { state in
            state.pings += 1
            state.frames = 0
        }
    }

    /// Begins the next question on a held connection: bytes are counted from here.
    func restart(at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.bytes = 0
            state.asked = now
        }
    }
}
