/// The questions to one endpoint: the one that is under way, and what the next one has to be.
struct EndpointQuestion {
    /// The maximum number of checks in a minute.
    static let mostChecks = 40

    /// The state of a gateway probe.
    enum Probing: Hashable {
        case none
        /// It waits for its turn.
        case waiting(job: Int)
        case running(job: Int)

        var isRunning: Bool { if case .running = self { true } else { false } }
    }

    /// A question that is open.
    struct Open: Hashable {
        let number: Int
        let start: ContinuousClock.Instant
    }

    /// The demands on the question under way and on the next one, of which several may be made at the same time.
    struct Demands: OptionSet, Hashable {
        let rawValue: UInt8

        /// The next question is the whole probe: another process may have the port.
        static let probe = Demands(rawValue: 1 << 0)

        /// Another probe follows the one that is under way.
        static let again = Demands(rawValue: 1 << 1)

        /// The question under way began before another gateway was found at an address of its row: the answer is
        /// outdated, if it is the former one.
        static let afresh = Demands(rawValue: 1 << 2)

        /// The next answer is reported in any case, since the map waits for it.
        static let report = Demands(rawValue: 1 << 3)
    }

    /// Indicates whether the kind of the endpoint is known, as far as it can be.
    var isAsked = false
    var probing = Probing.none
    var demands: Demands = []

    /// The number of questions so far. Only the latest can be missed.
    private(set) var number = 0

    /// The question that is open; `nil` if none is.
    @Rare private(set) var open: Open?

    /// The start of the current minute of checks, and the number of checks in it; `nil` before the first one.
    @Rare private var checks: (start: ContinuousClock.Instant, count: Int)?

    /// Indicates whether a probe is under way, or a question is open.
    var isUnderWay: Bool { probing != .none || open != nil }

    /// Records that a question was asked.
    ///
    /// - Returns: Its number.
    mutating func begin(now: ContinuousClock.Instant) -> Int {
        number += 1
        open = Open(number: number, start: now)
        return number
    }

    /// Records that the open question was answered or missed, or that its answer does not matter any more.
    mutating func close() { open = nil }

    /// Marks the question under way as begun before something changed; has no effect without one.
    mutating func outdate() {
        if probing.isRunning || open != nil { demands.insert(.afresh) }
    }

    /// Takes in one more check.
    ///
    /// - Returns: The time until which none is allowed; `nil` if this one is.
    mutating func takeCheck(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let (start, count) = checks, now < start + .seconds(60) else {
            checks = (now, 1)
            return nil
        }
        guard count < Self.mostChecks else { return start + .seconds(60) }
        checks = (start, count + 1)
        return nil
    }
}
