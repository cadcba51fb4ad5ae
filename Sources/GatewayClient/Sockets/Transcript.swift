internal import GatewayProtocol
internal import Synchronization

/// A record of what has come over one connection so far, in numbers and in its first bytes.
final class Transcript: Sendable {
    private struct State {
        var firstBytes: [UInt8] = []
        var bytes = 0
        var frames = 0
        var pings = 0

        /// The time of the last question on a connection that is kept.
        var asked: ContinuousClock.Instant?
        var pacing: ReadPacing
        var share = AssemblyShare()

        /// The share of an amount that counts for one question. There is one a minute at least; where more time went by, this
        /// host slept or this process stood still, and what piled up meanwhile is no flood.
        func perMinute(_ amount: Int, at now: ContinuousClock.Instant) -> Int {
            guard let asked else { return amount }
            let minutes = Int((now - asked) / Transcript.longestPause)
            return minutes > 1 ? (amount + minutes - 1) / minutes : amount
        }
    }

    /// The longest time between two questions on a connection that is kept, while this process runs.
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

    /// The first bytes, at most ``ForeignAnswer/maximumBytes``.
    var firstBytes: [UInt8] { state.withLock { $0.firstBytes } }

    /// Indicates whether anything came since ``restart()``.
    var hasHeard: Bool { state.withLock { $0.bytes > 0 } }

    /// Notes what has come.
    ///
    /// - Returns: How many bytes there are by now; on a connection that is kept, since the last question.
    func note(_ bytes: some Collection<UInt8>, at now: ContinuousClock.Instant) -> Int {
        state.withLock { state in
            if state.firstBytes.count < ForeignAnswer.maximumBytes {
                state.firstBytes += bytes.prefix(ForeignAnswer.maximumBytes - state.firstBytes.count)
            }
            state.bytes += bytes.count
            return state.perMinute(state.bytes, at: now)
        }
    }

    // MARK: Messages that are not whole yet

    /// Counts what is not whole yet against a budget from now on.
    func limitAssembly(by budget: AssemblyBudget) {
        state.withLock { $0.share.count(against: budget) }
    }

    /// Notes bytes of which a message may be made.
    ///
    /// - Returns: `false` when there is no memory for them.
    func assemble(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.share.assemble(count, at: now) }
    }

    /// Bytes that were noted are no part of the message that is not whole yet.
    func leaveOut(_ count: Int) {
        state.withLock { $0.share.leaveOut(count) }
    }

    /// A message is whole, or never will be.
    func assembled() {
        state.withLock { $0.share.assembled() }
    }

    /// No message is made of anything that comes from now on.
    func endAssembly() {
        state.withLock { $0.share.count(against: nil) }
    }

    /// The time for which the memory of a message may still be held, of so much in all; `nil` when none is.
    func timeToAssemble(of limit: Duration, at now: ContinuousClock.Instant) -> Duration? {
        state.withLock { $0.share.timeLeft(of: limit, at: now) }
    }

    // MARK: The pace of reading

    /// Takes bytes in under the rolling limit.
    ///
    /// - Returns: `false` when they are a flood.
    func takeBytes(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.pacing.takeBytes(count, at: now) }
    }

    /// Takes a frame in under the rolling limit.
    ///
    /// - Returns: `false` when it is part of a flood.
    func takeFrame(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.pacing.takeFrame(at: now) }
    }

    /// Nothing is read from now on.
    func pauseReading(at now: ContinuousClock.Instant) {
        state.withLock { state in
            state.pacing.pause(at: now)
            state.share.pause(at: now)
        }
    }

    /// Decides whether to read on, now that there is room for it.
    ///
    /// - Returns: `nil` when it is read now; otherwise the time after which it may be asked again.
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

    /// Notes a frame or a line.
    ///
    /// - Returns: How many there are since we spoke last.
    func noteFrame(at now: ContinuousClock.Instant = .now) -> Int {
        state.withLock { state in
            state.frames += 1
            return state.perMinute(state.frames, at: now)
        }
    }

    /// Decides whether a pong is the answer to a ping of ours; each ping has one.
    func takePong() -> Bool {
        state.withLock { state in
            guard state.pings > 0 else { return false }
            state.pings -= 1
            return true
        }
    }

    /// Something is being said to the peer, which may answer it with as many frames again.
    func spoke() {
        state.withLock { $0.frames = 0 }
    }

    /// A ping is being sent.
    func pinged() {
        state.withLock { state in
            state.pings += 1
            state.frames = 0
        }
    }

    /// The next question on a connection that is kept: bytes are counted from here.
    func restart(at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.bytes = 0
            state.asked = now
        }
    }
}
