/// Decides when a connection reads on, and whether the data that it reads is a flood. A value without a clock: callers
/// pass in what was received, and when.
///
/// Reading pauses while data that was read waits to be taken, and while data that piled up in such a pause is read at a
/// limited pace.
struct ReadPacing {
    private var bytes: RollingAllowance?
    private var frames: RollingAllowance?
    private var isPaused = false
    /// The time before which nothing more is to be read.
    private var readsAgain: ContinuousClock.Instant

    init(_ limits: ConnectionLimits, at now: ContinuousClock.Instant) {
        self.bytes = limits.byteRate.map { RollingAllowance($0, at: now) }
        self.frames = limits.frameRate.map { RollingAllowance($0, at: now) }
        self.readsAgain = now
    }

    /// Counts received bytes.
    ///
    /// - Returns: `false` when they are a flood.
    mutating func takeBytes(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        bytes == nil || isAllowed(bytes?.take(count, at: now), at: now)
    }

    /// Counts a received frame.
    ///
    /// - Returns: `false` when it is part of a flood.
    mutating func takeFrame(at now: ContinuousClock.Instant) -> Bool {
        frames == nil || isAllowed(frames?.take(1, at: now), at: now)
    }

    private mutating func isAllowed(_ verdict: RollingAllowance.Verdict?, at now: ContinuousClock.Instant) -> Bool {
        switch verdict {
        case .allowed, nil: return true
        case .flood: return false
        case .piledUp(let wait):
            readsAgain = max(readsAgain, now) + wait
            return true
        }
    }

    /// Records that nothing is read from now on.
    mutating func pause(at now: ContinuousClock.Instant) {
        guard !isPaused else { return }
        isPaused = true
        bytes?.pause(at: now)
        frames?.pause(at: now)
    }

    /// Decides whether to read on, now that there is room for more.
    ///
    /// - Returns: `nil` to read now; otherwise the time after which to ask again.
    mutating func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard now >= readsAgain else {
            pause(at: now)
            return readsAgain - now
        }
        if isPaused {
            isPaused = false
            bytes?.resume(at: now)
            frames?.resume(at: now)
        }
        return nil
    }
}
