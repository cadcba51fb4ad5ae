import GatewayProtocol
import Reports
import TestSupport
import Testing

@testable import Agent

/// Messages to a web server over connections that do not end as they should.
@Suite struct WebhookCallTests {
    private static func outcome(_ answer: String, _ end: WebServer.End) async throws -> SinkOutcome {
        try await WebServer.with(answer, end) { server in
            try await call(server).send(WaitingMessage(Notice(.test, [], at: .now)))
        }
    }

    private static func call(_ server: WebServer) throws -> WebhookCall {
        WebhookCall(Webhook(.url(try #require(WebURL("http://127.0.0.1:\(server.port)/x")))))
    }

    /// From the status line on the server has the message: another one would be a second.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncut",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbr",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ncut and more",
    ])
    func anAnswerCountsFromItsStatusOn(answer: String) async throws {
        let outcome = try await Self.outcome(answer, .closing)
        guard case .delivered(let words) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(words.hasPrefix("it answers with 200"))
    }

    @Test func aBadStatusIsAFailureHoweverItEnds() async throws {
        let answer = "HTTP/1.1 503 No\r\nContent-Length: 100\r\nRetry-After: 7\r\n\r\nx"
        let outcome = try await Self.outcome(answer, .closing)
        #expect(outcome == .failed("it answers with 503: x", retryAfter: .seconds(7)))
    }

    /// By the clock of the server, where it says what that shows.
    @Test func aDateIsWaitedFor() async throws {
        let answer = """
            HTTP/1.1 429 No\r
            Date: Sun, 06 Nov 1994 08:49:07 GMT\r
            Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r
            Content-Length: 0\r
            \r

            """
        let outcome = try await Self.outcome(answer, .closing)
        #expect(outcome == .failed("it answers with 429", retryAfter: .seconds(30)))
    }

    /// Interim answers may come before the answer, and not without end: each costs time.
    @Test func interimAnswersHaveAnEnd() async throws {
        let interim = "HTTP/1.1 103 Early\r\nLink: </x>\r\n\r\n"
        let last = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let few = try await Self.outcome(String(repeating: interim, count: 100) + last, .closing)
        #expect(few == .delivered("it answers with 200"))
        let many = try await Self.outcome(String(repeating: interim, count: 20_000) + last, .silence)
        #expect(many == .failed("it sends 131072 bytes, and no answer", retryAfter: nil))
    }

    @Test(arguments: ["", "HTTP/1.1", "no web server\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-"])
    func withoutAStatusNothingHasArrived(answer: String) async throws {
        let outcome = try await Self.outcome(answer, .closing)
        guard case .failed = outcome else { return #expect(Bool(false), "\(outcome)") }
    }

    /// The agent ends, and a server that says nothing does not hold it up: its own time is over much later, with another
    /// reason. What has a status is delivered.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx"])
    func aSilentServerHoldsNothingUp(answer: String) async throws {
        try await WebServer.with(answer, .silence) { server in
            let call = try Self.call(server)
            let task = Task { await call.send(WaitingMessage(Notice(.test, [], at: .now))) }
            for await _ in server.answers { break }
            task.cancel()
            let outcome = await task.value
            if answer.isEmpty {
                #expect(outcome == .failed("the agent ends", retryAfter: nil))
            } else {
                #expect(outcome == .delivered("it answers with 200: x"))
            }
        }
    }

    @Test func aProgramHoldsNothingUp() async {
        let sink = NoticeSink(name: "s", channel: .exec(["/bin/sleep", "100"]))
        let task = Task { await SinkDelivery.deliver(WaitingMessage(Notice(.test, [], at: .now)), to: sink) }
        task.cancel()
        let outcome = await task.value
        #expect(outcome == .failed("/bin/sleep was ended, since the agent ends", retryAfter: nil))
    }
}
