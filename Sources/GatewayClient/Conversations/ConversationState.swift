internal import DequeModule
internal import GatewayProtocol

/// The decisions of a conversation with a gateway: which answer is whose, which frames wait to be taken, and whether more
/// may be read or asked. A value: it is told what happens, and says what to do.
///
/// ``PendingQuestions`` finds the question that an answer belongs to.
struct ConversationState: Sendable {
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

    /// The bytes that a frame costs beside its own.
    static let frameOverhead = 64

    private let limits: ConnectionLimits
    private var questions = PendingQuestions()
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
    var pendingNumbers: Set<Int> { questions.numbers }

    // MARK: Asking

    /// Decides whether a question may be asked.
    ///
    /// - Returns: Its number.
    mutating func ask(_ kind: PendingQuestions.Kind) throws(Refusal) -> Int {
        if let end { throw .ended(end) }
        // Pings besides requests, so that neither stands in the other's way.
        let most = kind == .ping ? PendingQuestions.maximumPings : limits.pendingRequests
        guard questions.count(of: kind) < most else { throw .tooMany }
        guard unsentBytes < limits.unsentBytes else { throw .tooMuchUnsent }
        return questions.ask(kind)
    }

    /// Is told that bytes are about to be sent, or (less than none) that they were, or never will be.
    mutating func sending(_ bytes: Int) { unsentBytes += bytes }

    /// Is told that a question's time is over, that whoever asked has gone, or that it could not be sent.
    ///
    /// - Returns: Whether it was still waiting.
    mutating func giveUp(_ number: Int) -> Bool { questions.giveUp(number) }

    // MARK: What comes

    /// Is told of a frame, and of the text that it was read from.
    mutating func receive(_ frame: GatewayFrame, text: [UInt8]) -> Arrival {
        guard end == nil else { return .late }
        if case .response(let response) = frame {
            switch questions.match(responseTo: response.id) {
            case .answer(let number): return .answer(number, response)
            case .late:
                drops.lateAnswers += 1
                return .late
            case .unasked: break
            }
        }
        frames.append(text)
        waitingBytes += text.count + Self.frameOverhead
        return .frame
    }

    /// Is told of a response where nobody takes frames.
    ///
    /// - Returns: The number of the request that it answers.
    mutating func receiveAnswer(_ response: GatewayResponse) -> Int? {
        guard end == nil, case .answer(let number) = questions.match(responseTo: response.id) else { return nil }
        return number
    }

    /// Is told of a message that is no frame of a kind that is known, since gateways get new ones, or that is not read.
    mutating func receiveUnknown() { drops.unknownMessages += 1 }

    /// Is told of a pong.
    ///
    /// - Returns: The numbers of the pings that it answers.
    mutating func receivePong(_ payload: [UInt8]) -> [Int] { questions.match(pong: payload) }

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
        return questions.giveUpAll()
    }
}
