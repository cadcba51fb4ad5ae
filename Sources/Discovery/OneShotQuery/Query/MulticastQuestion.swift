/// The question that is asked by multicast where no complete answers have come (RFC 6762 §5.2), and the time for which
/// the query listens to the groups after it. A value: no clock, no I/O.
struct MulticastQuestion {
    private enum Phase {
        /// The links are not known yet.
        case notBegun

        /// Complete answers may come without the question; it is asked at this time where they have not.
        case waiting(until: ContinuousClock.Instant)

        /// The question has been asked, or was not needed.
        case over
    }

    private var phase = Phase.notBegun

    /// Indicates whether the backend is ready for the answers, or has had its time to get ready.
    private var isBackendReady = false

    /// The time until which the query listens for multicast packets.
    private var listensUntil: ContinuousClock.Instant?

    /// The time at which something is due.
    var deadline: ContinuousClock.Instant? {
        guard case .waiting(let time) = phase else { return listensUntil }
        return listensUntil.map { min($0, time) } ?? time
    }

    /// Indicates whether the query listens for multicast packets because of the question.
    var isListening: Bool { listensUntil != nil }

    /// Records that the links are known, even if there are none.
    ///
    /// Only a querier that has just begun to browse asks. One that would ask because a new link has come up does so at
    /// the same time as others, and has to wait (RFC 6762 §5.2); that is left to the backend.
    ///
    /// - Parameter time: The time at which the question is asked, unless complete answers have come.
    /// - Returns: Whether this is the first time: only the links known then are asked on.
    mutating func begin(askingAt time: ContinuousClock.Instant) -> Bool {
        guard case .notBegun = phase else { return false }
        phase = .waiting(until: time)
        return true
    }

    /// Records that the backend listens, and counts the question as its own (RFC 6762 §7.3).
    ///
    /// - Parameter hasCut: Whether an answer was cut somewhere: then there is no point in waiting for complete ones.
    mutating func backendIsReady(hasCut: Bool, now: ContinuousClock.Instant) {
        isBackendReady = true
        if hasCut, case .waiting = phase { phase = .waiting(until: now) }
    }

    /// Records that an answer was cut on a path where the question may still be asked.
    mutating func answerWasCut(now: ContinuousClock.Instant) {
        if isBackendReady { phase = .waiting(until: now) }
    }

    /// Indicates whether the question is to be asked now; returns `true` once only.
    mutating func takeQuestion(now: ContinuousClock.Instant) -> Bool {
        guard case .waiting(let time) = phase, time <= now else { return false }
        phase = .over
        isBackendReady = true
        return true
    }

    /// Puts off the question on the remaining paths, where there is still time for complete answers to come.
    mutating func ask(at time: ContinuousClock.Instant) {
        phase = .waiting(until: time)
    }

    /// Listens for multicast packets until the given time.
    mutating func listen(until time: ContinuousClock.Instant) {
        listensUntil = time
    }

    /// Indicates whether listening ends now; returns `true` once only.
    mutating func takeEndOfListening(now: ContinuousClock.Instant) -> Bool {
        guard let listensUntil, listensUntil <= now else { return false }
        self.listensUntil = nil
        return true
    }
}
