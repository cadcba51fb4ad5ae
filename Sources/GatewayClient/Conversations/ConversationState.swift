internal import DequeModule
internal import GatewayProtocol

/// The state of a conversation with a gateway. It decides which request an answer belongs to, which frames wait to be
/// taken, and whether more may be read or asked. A value: it receives events, and returns the decisions.
///
/// Requests and pings share one sequence of numbers; a request's number is its id. So a response with a number that was
/// used, but that no request waits for, is known to be late, however long ago that was.
struct ConversationState: Sendable {
    /// A kind of question.
    enum Kind: Hashable, Sendable {
        case request
        case ping
    }

    /// The reason why a question is not asked.
    enum Refusal: Error, Hashable {
        /// The maximum number of questions is already waiting for answers.
        case tooMany
        /// The maximum number of bytes is already waiting to be sent.
        case tooMuchUnsent
        /// The conversation has ended.
        case ended(End)
    }

    /// The end of a conversation.
    enum End: Hashable, Sendable {
        /// This side has ended it.
        case left
        case failed(GatewayConnectionError)
    }

    /// The meaning of a received frame.
    enum Arrival: Hashable {
        /// The answer to the request with this number.
        case answer(Int, GatewayResponse)
        /// A frame that now waits to be taken.
        case frame
        /// An answer that nothing waits for any more, or a frame after the end. It is dropped.
        case late
    }

    /// The result of taking a frame.
    enum Taken: Hashable {
        /// The text of a frame.
        case frame([UInt8])
        /// No frame waits.
        case none
        /// No frame waits, and none will come.
        case ended(End)
    }

    /// The most pings that may wait for their answers. They are counted apart from requests, so that neither blocks the
    /// other.
    static let maximumPings = 8

    /// The bytes that a waiting frame is charged with, in addition to its own.
    static let frameOverhead = 64

    private let limits: ConnectionLimits
    private var lastNumber = 0
    private var pending: [Int: Kind] = [:]

    /// The numbers of the last pings that were given up: their pongs still show that the peer is alive.
    private var abandonedPings: [Int] = []
    private var frames: Deque<[UInt8]> = []
    private var unsentBytes = 0
    private var isDrained = false

    /// The bytes of the frames that wait to be taken, with ``frameOverhead`` for each.
    private(set) var waitingBytes = 0

    /// The end of the conversation, once it has come.
    private(set) var end: End?

    /// The numbers of messages that were dropped so far.
    private(set) var drops = GatewayConversation.Drops()

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    /// The numbers of the questions that wait for their answers.
    var pendingNumbers: Set<Int> { Set(pending.keys) }

    // MARK: Asking

    /// Decides whether a question may be asked.
    ///
    /// - Returns: Its number.
    mutating func ask(_ kind: Kind) throws(Refusal) -> Int {
        if let end { throw .ended(end) }
        let count = pending.values.count { $0 == kind }
        guard count < (kind == .ping ? Self.maximumPings : limits.pendingRequests) else { throw .tooMany }
        guard unsentBytes < limits.unsentBytes else { throw .tooMuchUnsent }
        lastNumber += 1
        pending[lastNumber] = kind
        return lastNumber
    }

    /// Records that bytes are about to be sent or, with a negative count, that they were sent or never will be.
    mutating func sending(_ bytes: Int) { unsentBytes += bytes }

    /// Gives up a question, because its time is over, its task was cancelled, or it could not be sent.
    ///
    /// - Returns: Whether it was still waiting for an answer.
    mutating func giveUp(_ number: Int) -> Bool {
        guard let kind = pending.removeValue(forKey: number) else { return false }
        if kind == .ping { abandonedPings = (abandonedPings + [number]).suffix(Self.maximumPings) }
        return true
    }

    // MARK: Receiving

    /// Handles a received frame, which was read from the given text.
    mutating func receive(_ frame: GatewayFrame, text: [UInt8]) -> Arrival {
        guard end == nil else { return .late }
        if case .response(let response) = frame, let number = number(of: response.id) {
            guard pending[number] == .request else {
                drops.lateAnswers += 1
                return .late
            }
            pending[number] = nil
            return .answer(number, response)
        }
        frames.append(text)
        waitingBytes += text.count + Self.frameOverhead
        return .frame
    }

    /// Counts a message that is not a known kind of frame, since gateways add new ones, or that the limits do not allow
    /// to be read.
    mutating func receiveUnknown() { drops.unknownMessages += 1 }

    /// Handles a pong: a peer may answer several pings with one pong for the last of them (RFC 6455 §5.5.3).
    ///
    /// - Returns: The numbers of the pings that it answers.
    mutating func receivePong(_ payload: [UInt8]) -> [Int] {
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

    /// Returns the number of a question by its id, if that number was used.
    private func number(of id: String) -> Int? {
        guard let number = Int(id), "\(number)" == id, number > 0, number <= lastNumber else { return nil }
        return number
    }

    // MARK: Taking frames

    /// Indicates whether more may be read from the connection. From a closed connection, all the remaining data may be
    /// read, since nothing follows it.
    var hasRoom: Bool { waitingBytes < limits.undeliveredBytes || isDrained || end != nil }

    /// Indicates whether there is something to take: a frame, or the end.
    var hasSomethingToTake: Bool { !frames.isEmpty || end != nil }

    /// Takes the first frame that waits.
    mutating func take() -> Taken {
        guard let first = frames.popFirst() else { return end.map(Taken.ended) ?? .none }
        waitingBytes -= first.count + Self.frameOverhead
        return .frame(first)
    }

    /// Records that the socket is closed: only data that was already read is left.
    mutating func socketClosed() { isDrained = true }

    /// Ends the conversation; the first reason counts. Waiting frames may still be taken, unless this side has ended
    /// it.
    ///
    /// - Returns: The numbers of the questions that get no answer.
    mutating func end(_ reason: End) -> [Int] {
        guard end == nil else { return [] }
        end = reason
        if reason == .left {
            frames = []
            waitingBytes = 0
        }
        defer { pending = [:] }
        return pending.keys.sorted()
    }
}
