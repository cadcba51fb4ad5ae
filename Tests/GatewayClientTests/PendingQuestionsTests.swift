import GatewayProtocol
import Testing

@testable import GatewayClient

/// The rule by which an answer is matched to its question; ConversationStateTests test more of it.
@Suite struct PendingQuestionsTests {
    @Test func anIdThatWasNeverGivenOutAnswersNothing() {
        var questions = PendingQuestions()
        let ping = questions.ask(.ping)
        let request = questions.ask(.request)
        #expect(questions.match(responseTo: "\(request + 1)") == .unasked)
        #expect(questions.match(responseTo: "0\(request)") == .unasked)
        #expect(questions.match(responseTo: "\(ping)") == .late, "a ping is answered by a pong")
        #expect(questions.match(responseTo: "\(request)") == .answer(request))
        #expect(questions.match(responseTo: "\(request)") == .late)
        #expect(questions.numbers == [ping])
    }

    /// The questions of a probe are sent in exactly these bytes, which gateways are known to understand.
    @Test func theQuestionsOfAProbeAreTheSameTextsAsEver() {
        let limits = JSONLimits()
        #expect(
            String(decoding: WebSocketInquiry(isOpenAgents: false, limits: limits).question, as: UTF8.self)
                == #"{"id":"1","method":"gateway.discover","params":{},"type":"req"}"#
        )
        #expect(
            String(decoding: BridgeInquiry(limits: limits).question, as: UTF8.self)
                == #"{"id":"1","method":"health","type":"req"}"#
        )
    }

    @Test(arguments: [
        (#"{"type":"res","id":"1","ok":true}"#, true), (#"{"type":"res","id":"2","ok":true}"#, false),
        (#"{"type":"error","code":"UNAUTHORIZED","message":"no"}"#, true), (#"{"type":"ping","id":"1"}"#, false),
        ("HTTP/1.1 400 Bad Request", false),
    ])
    func aBridgeIsKnownByItsAnswer(line: String, isAnswer: Bool) {
        var inquiry = BridgeInquiry(limits: JSONLimits())
        #expect(inquiry.isAnswered(by: Array(line.utf8)) == isAnswer)
    }
}
