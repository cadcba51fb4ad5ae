internal import DequeModule
internal import GatewayProtocol

/// The state of a conversation with a gateway. It decides which request an answer belongs to, which frames wait to be
/// taken, and whether more may be read or asked. A value: it receives events, and returns the decisions.
///
/// ``PendingQuestions`` finds the question that an answer belongs to.
struct ConversationState: Sendable {
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
        case frame(GatewayFrame)
        /// No frame waits.
        case none
        /// No frame waits, and none will come.
        case ended(End)
    }

    /// The bytes that a waiting frame is charged with, in addition to its own.
    static let frameOverhead = 64

    private let limits: ConnectionLimits
    private(set) var questions = PendingQuestions()
    private var frames: Deque<(frame: GatewayFrame, bytes: Int)> = []
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

    /// The number of questions that wait for their answers.
    var pendingCount: Int { questions.count }

    // MARK: Asking

    /// Decides whether a question may be asked.
    ///
    /// - Returns: Its number.
    mutating func ask(_ kind: PendingQuestions.Kind) throws(Refusal) -> Int {
        if let end { throw .ended(end) }
        // Pings are counted apart from requests, so that neither blocks the other.
        let most = kind == .ping ? PendingQuestions.maximumPings : limits.pendingRequests
        guard questions.count(of: kind) < most else { throw .tooMany }
        guard unsentBytes < limits.unsentBytes else { throw .tooMuchUnsent }
        return questions.ask(kind)
    }

    /// Records that bytes are about to be sent or, with a negative count, that they were sent or never will be.
    mutating func sending(_ bytes: Int) { unsentBytes += bytes }

    /// Gives up a question, because its time is over, its task was cancelled, or it could not be sent.
    ///
    /// - Returns: Whether it was still waiting for an answer.
    mutating func giveUp(_ number: Int) -> Bool { questions.giveUp(number) }

    // MARK: Receiving

    /// Handles a received frame.
    ///
    /// - Parameter bytes: The length of its text.
    mutating func receive(_ frame: GatewayFrame, bytes: Int) -> Arrival {
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
        // A text of many small values takes more memory once it is read.
        let bytes = max(bytes, frame.footprint) + Self.frameOverhead
        frames.append((frame, bytes))
        waitingBytes += bytes
        return .frame
    }

    /// Counts a message that is not a known kind of frame, since gateways add new ones, or that the limits do not allow
    /// to be read.
    mutating func receiveUnknown() { drops.unknownMessages += 1 }

    /// Handles a pong.
    ///
    /// - Returns: The numbers of the pings that it answers.
    mutating func receivePong(_ payload: [UInt8]) -> [Int] { questions.match(pong: payload) }

    // MARK: Taking frames

    /// Indicates whether more may be read from the connection. From a closed connection, all the remaining data may be
    /// read, since nothing follows it.
    var hasRoom: Bool { waitingBytes < limits.undeliveredBytes || isDrained || end != nil }

    /// Indicates whether there is something to take: a frame, or the end.
    var hasSomethingToTake: Bool { !frames.isEmpty || end != nil }

    /// Takes the first frame that waits.
    mutating func take() -> Taken {
        guard let first = frames.popFirst() else { return end.map(Taken.ended) ?? .none }
        waitingBytes -= first.bytes
        return .frame(first.frame)
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
        return questions.giveUpAll()
    }
}
