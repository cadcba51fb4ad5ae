internal import DequeModule
internal import GatewayProtocol

/// The decisions of a conversation with a gateway: which answer is whose, which frames wait to be taken, and whether more
/// may be read or asked. A value: it is told what happens, and says what to do.
///
/// Requests and pings are numbered together; a request's number is its id. So a response with a number that was given
/// out, and that nobody waits for, is known to be late, however long ago that was.
struct ConversationState: Sendable {
    /// A question that is answered.
    enum Kind: Hashable, Sendable {
        case request
        case ping
    }

    /// The reason why a question is not asked.
    enum Refusal: Error, Hashable {
        /// As many wait for answers as may.
        case tooMany
        /// As much waits to be sent as may.
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

    /// The meaning of a frame that has come.
    enum Arrival: Hashable {
        /// The answer to the request with this number.
        case answer(Int, GatewayResponse)
        /// A frame that now waits to be taken.
        case frame
        /// The answer to a question that is no longer asked, or something after the end. It is dropped.
        case late
    }

    /// The result of taking a frame.
    enum Taken: Hashable {
        /// The text of a frame.
        case frame([UInt8])
        /// None waits.
        case none
        /// None waits, and none will come.
        case ended(End)
    }

    /// The most pings that wait for their answers: besides requests, so that neither stands in the other's way.
    static let maximumPings = 8

    /// The bytes that a frame costs beside its own.
    static let frameOverhead = 64

    private let limits: ConnectionLimits
    private var lastNumber = 0
    private var pending: [Int: Kind] = [:]

    /// The last pings that nobody waits for any more: their pongs still tell that the peer lives.
    private var abandonedPings: [Int] = []
    private var frames: Deque<[UInt8]> = []
    private var unsentBytes = 0
    private var isDrained = false

    /// The bytes of the frames that wait to be taken, and what each costs besides.
    private(set) var waitingBytes = 0

    /// The end of the conversation, once it has come.
    private(set) var end: End?

    /// The counts of all that was dropped so far.
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

    /// Is told that bytes are about to be sent, or (less than none) that they were, or never will be.
    mutating func sending(_ bytes: Int) { unsentBytes += bytes }

    /// Is told that a question's time is over, that whoever asked has gone, or that it could not be sent.
    ///
    /// - Returns: Whether it was still waiting.
    mutating func giveUp(_ number: Int) -> Bool {
        guard let kind = pending.removeValue(forKey: number) else { return false }
        if kind == .ping { abandonedPings = (abandonedPings + [number]).suffix(Self.maximumPings) }
        return true
    }

    // MARK: What comes

    /// Is told of a frame, and of the text that it was read from.
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

    /// Is told of a message that is no frame of a kind that is known, since gateways get new ones, or that is not read.
    mutating func receiveUnknown() { drops.unknownMessages += 1 }

    /// Is told of a pong: a peer may answer several pings with one for the last of them (RFC 6455 §5.5.3).
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

    /// The payload of a ping.
    static func pingPayload(_ number: Int) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// A number that was given out, by the id that carries it.
    private func number(of id: String) -> Int? {
        guard let number = Int(id), "\(number)" == id, number > 0, number <= lastNumber else { return nil }
        return number
    }

    // MARK: What is taken

    /// Indicates whether more may be taken from the connection. Of a connection that is closed, all that waits: nothing
    /// follows it.
    var hasRoom: Bool { waitingBytes < limits.undeliveredBytes || isDrained || end != nil }

    /// Indicates whether there is something to take: a frame, or the end.
    var hasSomethingToTake: Bool { !frames.isEmpty || end != nil }

    /// Takes the first frame that waits.
    mutating func take() -> Taken {
        guard let first = frames.popFirst() else { return end.map(Taken.ended) ?? .none }
        waitingBytes -= first.count + Self.frameOverhead
        return .frame(first)
    }

    /// Is told that the socket is closed: what was read is all there is.
    mutating func socketClosed() { isDrained = true }

    /// Ends it; the first reason counts. What waits may still be taken, unless this side has ended it.
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
