/// The questions of one connection that wait for their answers, and the only rule that matches an answer to its
/// question: gateway probes, liveness checks and conversations all use it. A value.
///
/// Requests and pings share one sequence of numbers; a request's number is its id. So a response with a number that was
/// used, but that no request waits for, is known to be late, however long ago that was.
struct PendingQuestions: Sendable {
    /// A kind of question.
    enum Kind: Hashable, Sendable {
        case request
        case ping
    }

    /// The question that a response belongs to.
    enum Match: Hashable {
        /// The request with this number, which no longer waits.
        case answer(Int)
        /// A question that was answered before, was given up, or is a ping.
        case late
        /// No question: the id was never used.
        case unasked
    }

    /// The most pings that may wait for their answers, and the most that are remembered after they were given up.
    static let maximumPings = 8

    private var lastNumber = 0
    private var pending: [Int: Kind] = [:]

    /// The numbers of the last pings that were given up: their pongs still show that the peer is alive.
    private var abandonedPings: [Int] = []

    /// The numbers of the questions that wait for their answers.
    var numbers: Set<Int> { Set(pending.keys) }

    /// The number of questions that wait for their answers.
    var count: Int { pending.count }

    /// Returns the number of questions of a kind that wait for their answers.
    func count(of kind: Kind) -> Int { pending.values.count { $0 == kind } }

    /// Adds a question.
    ///
    /// - Returns: Its number.
    mutating func ask(_ kind: Kind) -> Int {
        lastNumber += 1
        pending[lastNumber] = kind
        return lastNumber
    }

    /// Gives up a question. Its answer may still come.
    ///
    /// - Returns: Whether it was still waiting for an answer.
    mutating func giveUp(_ number: Int) -> Bool {
        guard let kind = pending.removeValue(forKey: number) else { return false }
        if kind == .ping { abandonedPings = (abandonedPings + [number]).suffix(Self.maximumPings) }
        return true
    }

    /// Gives up all questions: no more answers will come.
    ///
    /// - Returns: Their numbers.
    mutating func giveUpAll() -> [Int] {
        defer { pending = [:] }
        return pending.keys.sorted()
    }

    /// Finds the request that a response with this id answers.
    mutating func match(responseTo id: String) -> Match {
        guard let number = Int(id), "\(number)" == id, number > 0, number <= lastNumber else { return .unasked }
        guard pending[number] == .request else { return .late }
        pending[number] = nil
        return .answer(number)
    }

    /// Finds the pings that a pong answers: a peer may answer several pings with one pong for the last of them
    /// (RFC 6455 §5.5.3).
    ///
    /// - Returns: The numbers of the pings.
    mutating func match(pong payload: [UInt8]) -> [Int] {
        guard payload.count == 8 else { return [] }
        let found = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: found), pending[number] == .ping || abandonedPings.contains(number) else {
            return []
        }
        let answered = pending.filter { $0.value == .ping && $0.key <= number }.keys.sorted()
        for number in answered { pending[number] = nil }
        abandonedPings.removeAll { $0 <= number }
        return answered
    }

    /// Returns the payload of a ping.
    static func pingPayload(_ number: Int) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
