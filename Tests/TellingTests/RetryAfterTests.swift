import Testing

@testable import Agent
@testable import GatewayClient

/// When a web server wants to be asked again, in all that RFC 9110 has for that.
@Suite struct RetryAfterTests {
    private static let now = 784_111_747_000

    @Test(arguments: [
        ("30", 30), ("0", 0), ("99999999999999999999999", Int.max), ("Sun, 06 Nov 1994 08:49:37 GMT", 30),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 30), ("Sun Nov  6 08:49:37 1994", 30), ("Sun Nov 06 08:49:07 1994", 0),
        ("Sun, 06 Nov 1994 08:48:07 GMT", 0), ("Thu, 29 Feb 1996 08:49:07 GMT", 480 * 86_400),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 252_618_189_052),
    ])
    func itIsRead(text: String, seconds: Int) {
        #expect(HTTPDate.seconds(text, now: Self.now) == seconds)
    }

    @Test(arguments: [
        "", "-1", "+5", "1.5", "soon", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 1994 08:49:\u{663}7 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 1066 08:49:37 GMT",
        String(repeating: "Sun, ", count: 20),
    ])
    func anythingElseSaysNothing(text: String) {
        #expect(HTTPDate.seconds(text, now: Self.now) == nil)
    }

    /// A server must not keep messages away for days.
    @Test func aPauseIsBounded() {
        for (seconds, pause) in [("\(Int.max)", Duration.seconds(3_600)), ("0", .zero), ("30", .seconds(30))] {
            let outcome = WebhookCall.outcome(WebReply(status: 503, retryAfter: seconds))
            guard case .failed(_, let asked) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(asked == pause)
        }
    }
}
