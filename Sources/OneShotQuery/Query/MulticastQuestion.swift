/// The question that is asked by multicast where whole answers have not come (RFC 6762 §5.2), and the time for which
/// what is said to all is heard after it. A value: no clock, no I/O.
struct MulticastQuestion {
    private enum Phase {
        /// Nobody has said yet which links there are.
        case notBegun

        /// Whole answers may come without it; it is asked then where they have not.
        case waiting(until: ContinuousClock.Instant)

        /// It was asked, or not needed.
        case over
    }

    private var phase = Phase.notBegun

    /// Indicates whether the backend is ready for the answers, or has had its time.
    private var isBackendReady = false

    /// The time until which multicast packets are heard.
    private var hearUntil: ContinuousClock.Instant?

    /// The time at which something is due.
    var deadline: ContinuousClock.Instant? {
        guard case .waiting(let time) = phase else { return hearUntil }
        return hearUntil.map { min($0, time) } ?? time
    }

    /// Indicates whether multicast packets are heard because of the question.
    var isHearing: Bool { hearUntil != nil }

    /// Notes that it is known which links there are, and that may be none.
    ///
    /// Only whoever has just begun to browse asks: whoever asks because of a link that came does so together with
    /// others, and has to wait (RFC 6762 §5.2). The backend does.
    ///
    /// - Parameter time: When the question is asked, unless whole answers have come.
    /// - Returns: Whether it is known for the first time: only those links are asked on.
    mutating func begin(askingAt time: ContinuousClock.Instant) -> Bool {
        guard case .notBegun = phase else { return false }
        phase = .waiting(until: time)
        return true
    }

    /// Notes that the backend listens, and takes the question for its own (RFC 6762 §7.3).
    ///
    /// - Parameter hasCut: Whether an answer was cut somewhere: then nothing whole is waited for.
    mutating func backendIsReady(hasCut: Bool, now: ContinuousClock.Instant) {
        isBackendReady = true
        if hasCut, case .waiting = phase { phase = .waiting(until: now) }
    }

    /// Notes that an answer was cut where the question may still be asked.
    mutating func answerWasCut(now: ContinuousClock.Instant) {
        if isBackendReady { phase = .waiting(until: now) }
    }

    /// Indicates whether the question is to be asked now; it is due once.
    mutating func takeQuestion(now: ContinuousClock.Instant) -> Bool {
        guard case .waiting(let time) = phase, time <= now else { return false }
        phase = .over
        isBackendReady = true
        return true
    }

    /// Puts off what is left of the question: somewhere the time for whole answers is not over.
    mutating func ask(at time: ContinuousClock.Instant) {
        phase = .waiting(until: time)
    }

    /// Hears what is said to all, until then.
    mutating func hear(until time: ContinuousClock.Instant) {
        hearUntil = time
    }

    /// Indicates whether the hearing ends now; it does once.
    mutating func takeEndOfHearing(now: ContinuousClock.Instant) -> Bool {
        guard let hearUntil, hearUntil <= now else { return false }
        self.hearUntil = nil
        return true
    }
}
