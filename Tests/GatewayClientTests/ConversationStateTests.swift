import GatewayProtocol
import TestSupport
import Testing

@testable import GatewayClient

/// The state of a conversation, without a connection: answers are matched to requests, and frames wait to be taken.
@Suite struct ConversationStateTests {
    private static func response(_ id: String) -> GatewayFrame {
        .response(GatewayResponse(id: id, outcome: .success(nil)))
    }

    private static func event(_ number: Int) -> GatewayFrame { .event(GatewayEvent(name: "\(number)")) }

    @Test func answersFindTheirRequestsInAnyOrder() throws {
        var state = ConversationState(limits: .session)
        let numbers = [try state.ask(.request), try state.ask(.request)]
        for number in numbers.reversed() {
            let response = GatewayResponse(id: "\(number)", outcome: .success(nil))
            #expect(state.receive(.response(response), bytes: 1) == .answer(number, response))
        }
        #expect(state.questions.numbers.isEmpty)
        #expect(state.take() == .none)
    }

    /// An answer that is late or repeated answers no other request, and is not delivered as a frame either.
    @Test func lateAndRepeatedAnswersAreDropped() throws {
        var state = ConversationState(limits: .session)
        let (first, second, ping) = (try state.ask(.request), try state.ask(.request), try state.ask(.ping))
        let wasPending = state.giveUp(first)
        #expect(wasPending)
        #expect(state.receive(Self.response("\(first)"), bytes: 1) == .late)
        _ = state.receive(Self.response("\(second)"), bytes: 1)
        #expect(state.receive(Self.response("\(second)"), bytes: 1) == .late)
        #expect(state.receive(Self.response("\(ping)"), bytes: 1) == .late, "a ping is answered by a pong")
        #expect(state.drops.lateAnswers == 3)
        #expect(state.questions.numbers == [ping])
        #expect(state.take() == .none)
    }

    /// A response whose id was never used is delivered as a frame, even if the id resembles one that was used.
    @Test(arguments: ["2", "01", "+1", " 1", "x", "", "-1", "0", "99999999999999999999"])
    func aResponseToNoRequestIsAFrame(id: String) throws {
        var state = ConversationState(limits: .session)
        _ = try state.ask(.request)
        #expect(state.receive(Self.response(id), bytes: 1) == .frame)
        #expect(state.take() == .frame(Self.response(id)))
        #expect(state.questions.numbers == [1])
    }

    /// A pong answers all pings up to the one whose payload it repeats, and no request.
    @Test func aPongAnswersThePingsBeforeIt() throws {
        var state = ConversationState(limits: .session)
        let (first, request, second) = (try state.ask(.ping), try state.ask(.request), try state.ask(.ping))
        for payload in [[], [1], PendingQuestions.pingPayload(request), PendingQuestions.pingPayload(9)] {
            #expect(state.receivePong(payload) == [])
        }
        #expect(state.receivePong(PendingQuestions.pingPayload(second)) == [first, second])
        #expect(state.receivePong(PendingQuestions.pingPayload(second)) == [])
        #expect(state.questions.numbers == [request])
    }

    /// A pong for a ping that was given up answers the earlier ones as well: a peer may answer only its latest ping
    /// (RFC 6455 §5.5.3).
    @Test func aPongForAPingThatIsGivenUpAnswersThoseBeforeIt() throws {
        var state = ConversationState(limits: .session)
        let (first, second) = (try state.ask(.ping), try state.ask(.ping))
        #expect(state.giveUp(second) == true)
        let request = try state.ask(.request)
        #expect(state.receivePong(PendingQuestions.pingPayload(request)) == [])
        #expect(state.receivePong(PendingQuestions.pingPayload(second)) == [first])
        #expect(state.questions.numbers == [request])
    }

    /// The numbers of waiting requests and pings, and the number of unsent bytes, are limited.
    @Test func questionsAreBounded() throws {
        var limits = ConnectionLimits.session
        (limits.pendingRequests, limits.unsentBytes) = (2, 100)
        var state = ConversationState(limits: limits)
        _ = (try state.ask(.request), try state.ask(.request))
        #expect(throws: ConversationState.Refusal.tooMany) { try state.ask(.request) }
        for _ in 0..<PendingQuestions.maximumPings { _ = try state.ask(.ping) }
        #expect(throws: ConversationState.Refusal.tooMany) { try state.ask(.ping) }
        _ = state.giveUp(1)
        state.sending(100)
        #expect(throws: ConversationState.Refusal.tooMuchUnsent) { try state.ask(.request) }
        state.sending(-100)
        _ = try state.ask(.request)
    }

    /// The first reason for the end of a conversation counts. Frames that came before it can still be taken, later ones
    /// are dropped.
    @Test func theFirstEndCounts() throws {
        var state = ConversationState(limits: .session)
        let number = try state.ask(.request)
        _ = state.receive(Self.event(1), bytes: 1)
        let end = ConversationState.End.failed(GatewayConnectionError(.closed, "a"))
        #expect(state.end(end) == [number])
        #expect(state.end(.left) == [])
        #expect(throws: ConversationState.Refusal.ended(end)) { try state.ask(.ping) }
        #expect(state.receive(Self.event(2), bytes: 1) == .late, "a frame after the end is dropped")
        #expect(state.receive(Self.response("\(number)"), bytes: 1) == .late)
        #expect(state.take() == .frame(Self.event(1)), "a frame from before the end is delivered")
        #expect(state.take() == .ended(end))
    }

    /// After this side has ended the conversation, not even frames that waited are delivered.
    @Test func nothingComesAfterLeaving() {
        var state = ConversationState(limits: .session)
        _ = state.receive(Self.event(1), bytes: 1)
        _ = state.end(.left)
        _ = state.receive(Self.event(2), bytes: 1)
        #expect(state.take() == .ended(.left))
        #expect(state.waitingBytes == 0)
    }

    /// A frame is charged with the memory that it takes up, which may be more than its text.
    @Test func framesOfManyValuesTakeTheirRoom() {
        var state = ConversationState(limits: .session)
        let payload = JSONValue.array(Array(repeating: .null, count: 1_000))
        #expect(state.receive(.event(GatewayEvent(name: "a", payload: payload)), bytes: 5_030) == .frame)
        #expect(state.waitingBytes == payload.footprint + 1 + ConversationState.frameOverhead)
        #expect(state.waitingBytes > 16_000)
        _ = state.take()
        #expect(state.waitingBytes == 0)
    }

    /// For any sequence of events: each question ends once, no answer goes to another question, frames are delivered
    /// completely and in order, and no more bytes wait than are allowed.
    @Test func everySequenceOfEventsKeepsTheRules() throws {
        var generator = SeededGenerator.forFuzzing("ConversationState")
        for _ in 0..<TestCases.count(500) {
            var limits = ConnectionLimits.session
            limits.pendingRequests = 1 + Int(generator.next() % 5)
            limits.undeliveredBytes = 200 + Int(generator.next() % 500)
            var drive = ConversationDrive(limits: limits)
            for _ in 0..<200 { try drive.step(&generator) }
            drive.finish()
        }
    }
}

/// A state, and a simple model of it that predicts the results of all events.
private struct ConversationDrive {
    private var state: ConversationState
    private let limits: ConnectionLimits
    private var open: [Int: PendingQuestions.Kind] = [:]
    private var abandonedPings: [Int] = []
    private var asked = 0
    private var sent: [(frame: GatewayFrame, bytes: Int)] = []
    private var late = 0
    private var hasEnded = false

    init(limits: ConnectionLimits) {
        self.limits = limits
        self.state = ConversationState(limits: limits)
    }

    mutating func step(_ generator: inout SeededGenerator) throws {
        switch generator.next() % 64 {
        case 0..<16: ask(generator.next() % 4 == 0 ? .ping : .request)
        case 16..<32: respond(Int(generator.next() % UInt64(asked + 2)))
        case 32..<36: pong(Int(generator.next() % UInt64(asked + 2)))
        case 36..<48: receive(count: Int(generator.next() % 100))
        case 48..<58: take()
        case 58..<63:
            let number = Int(generator.next() % UInt64(asked + 2))
            if open[number] == .ping {
                abandonedPings = (abandonedPings + [number]).suffix(PendingQuestions.maximumPings)
            }
            #expect(state.giveUp(number) == (open.removeValue(forKey: number) != nil))
        default:
            guard generator.next() % 8 == 0 else { return }
            let numbers = state.end(.failed(GatewayConnectionError(.closed, "over")))
            #expect(numbers == open.keys.sorted())
            open = [:]
            hasEnded = true
        }
        #expect(state.questions.numbers == Set(open.keys))
        #expect(state.drops.lateAnswers == late)
    }

    private mutating func ask(_ kind: PendingQuestions.Kind) {
        let most = kind == .ping ? PendingQuestions.maximumPings : limits.pendingRequests
        let isFull = open.values.count { $0 == kind } >= most
        guard let number = try? state.ask(kind) else {
            #expect(hasEnded || isFull)
            return
        }
        #expect(!hasEnded && !isFull && number == asked + 1)
        asked = number
        open[number] = kind
    }

    private mutating func respond(_ number: Int) {
        let response = GatewayResponse(id: "\(number)", outcome: .success(nil))
        let arrival = state.receive(.response(response), bytes: 50)
        if hasEnded {
            #expect(arrival == .late)
        } else if open[number] == .request {
            #expect(arrival == .answer(number, response))
            open[number] = nil
        } else if (1...max(asked, 1)).contains(number), asked > 0 {
            #expect(arrival == .late)
            late += 1
        } else {
            #expect(arrival == .frame)
            sent.append((.response(response), 50))
        }
    }

    private mutating func pong(_ number: Int) {
        let answered = state.receivePong(PendingQuestions.pingPayload(number))
        let expected = open.filter { $0.value == .ping && $0.key <= number }.keys.sorted()
        let isKnown = abandonedPings.contains(number)
        #expect(answered == (open[number] == .ping || isKnown ? expected : []))
        if !answered.isEmpty || isKnown { abandonedPings.removeAll { $0 <= number } }
        for number in answered { open[number] = nil }
    }

    /// Receives a frame if there is room: a reader does not read otherwise.
    private mutating func receive(count: Int) {
        let cost = sent.reduce(0) { $0 + $1.bytes + ConversationState.frameOverhead }
        #expect(state.hasRoom == (cost < limits.undeliveredBytes || hasEnded))
        guard state.hasRoom else { return }
        // Text that is longer than its frame is charged for.
        let frame = GatewayFrame.event(GatewayEvent(name: "x", sequence: count))
        #expect(state.receive(frame, bytes: 1 + count) == (hasEnded ? .late : .frame))
        if !hasEnded { sent.append((frame, 1 + count)) }
    }

    private mutating func take() {
        switch state.take() {
        case .frame(let frame): #expect(!sent.isEmpty && frame == sent.removeFirst().frame)
        case .none: #expect(sent.isEmpty && !hasEnded)
        case .ended: #expect(sent.isEmpty && hasEnded)
        }
    }

    mutating func finish() {
        for _ in 0...sent.count { take() }
        #expect(sent.isEmpty)
        if !hasEnded { #expect(state.end(.left) == open.keys.sorted()) }
        #expect(state.questions.numbers.isEmpty)
    }
}
