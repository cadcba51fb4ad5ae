/// The decision of a connection on when to read on, and which of what is read is a flood. A value: it is told what comes
/// and when, and has no clock.
///
/// Reading pauses while what was read waits to be taken, and while what piled up in such a pause is read at a pace.
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

    /// Takes bytes in.
    ///
    /// - Returns: `false` when they are a flood.
    mutating func takeBytes(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        bytes == nil || isAllowed(bytes?.take(count, at: now), at: now)
    }

    /// Takes a frame in.
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

    /// Is told that nothing is read from now on.
    mutating func pause(at now: ContinuousClock.Instant) {
        guard !isPaused else { return }
        isPaused = true
        bytes?.pause(at: now)
        frames?.pause(at: now)
    }

    /// Decides whether to read on, now that there is room for it.
    ///
    /// - Returns: `nil` when it is read now; otherwise the time after which it may be asked again.
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
