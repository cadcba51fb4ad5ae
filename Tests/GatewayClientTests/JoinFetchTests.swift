import DNSSD
import Foundation
import GatewayProtocol
import NIOHTTP1
import Testing

@testable import GatewayClient

/// The one request for the setup code behind a join URL, whatever answers.
@Suite(.timeLimit(.minutes(1))) struct JoinFetchTests {
    private static let code = #"{"url":"ws://10.0.0.5:18789","bootstrapToken":"boot"}"#

    /// Fetches from a server, and counts the requests.
    private static func fetch(
        _ behaviour: TestServer.Behaviour
    ) async throws -> (Result<SetupCode, JoinFetch.Failure>, requests: Int) {
        try await TestServer.run(behaviour) { server in
            let url = try JoinURL(parsing: "http://127.0.0.1:\(server.endpoint.port)/j/aB3")
            let result: Result<SetupCode, JoinFetch.Failure>
            do throws(JoinFetch.Failure) {
                result = .success(try await JoinFetch.run(url, at: [server.endpoint.address]))
            } catch {
                result = .failure(error)
            }
            return (result, server.received.text.components(separatedBy: "GET /j/aB3 HTTP/1.1").count - 1)
        }
    }

    private static func web(
        _ status: HTTPResponseStatus,
        _ body: String,
        _ headers: [(String, String)] = []
    )
        -> TestServer.Behaviour
    {
        .webSocket(path: nil, http: { _ in TestServer.WebAnswer(status: status, headers: headers, body: body) })
    }

    @Test func theCodeIsFetchedOnce() async throws {
        let (result, requests) = try await Self.fetch(Self.web(.ok, Self.code))
        #expect(try result.get().url.host == "10.0.0.5")
        #expect(requests == 1)
    }

    /// An answer that says where else to look, that there is nothing, or that is something else: nothing is asked again.
    @Test func otherAnswersAreNoCode() async throws {
        let moved = try await Self.fetch(Self.web(.found, "", [("Location", "/j/aB3")]))
        #expect(moved.0 == .failure(.redirected(status: 302)) && moved.requests == 1)
        let spent = try await Self.fetch(Self.web(.notFound, "{}"))
        #expect(spent.0 == .failure(.notFound(status: 404)) && spent.requests == 1)
        let page = try await Self.fetch(Self.web(.ok, "<html>"))
        #expect(page.0 == .failure(.notACode(.malformed)) && page.requests == 1)
        let long = try await Self.fetch(Self.web(.ok, String(repeating: "x", count: 20_000)))
        #expect(long.0 == .failure(.lost) && long.requests == 1)
    }

    /// Only 404 and 410 say that there is no such code; of the others, some leave it where it is.
    @Test(arguments: [
        (204, JoinFetch.Failure.noContent(status: 204)), (307, .redirected(status: 307)), (400, .refused(status: 400)),
        (401, .refused(status: 401)), (403, .refused(status: 403)), (404, .notFound(status: 404)),
        (410, .notFound(status: 410)), (429, .tooOften(status: 429)), (500, .serverFailed(status: 500)),
        (502, .serverFailed(status: 502)), (503, .serverFailed(status: 503)),
    ])
    func eachStatusIsAFailureOfItsKind(_ status: Int, _ failure: JoinFetch.Failure) async throws {
        let (result, requests) = try await Self.fetch(Self.web(HTTPResponseStatus(statusCode: status), ""))
        #expect(result == .failure(failure) && requests == 1)
    }

    /// A lost answer is not asked for again, since the code is spent.
    @Test func aLostAnswerStaysLost() async throws {
        let (result, requests) = try await Self.fetch(.raw(answer: [], hangsUp: true))
        #expect(result == .failure(.lost) && requests == 1)
    }

    @Test func nobodyThereIsSaid() async throws {
        let url = try JoinURL(parsing: "http://127.0.0.1:1/j/aB3")
        let error = await #expect(throws: JoinFetch.Failure.self) {
            try await JoinFetch.run(url, at: [.v4(IPv4Address(bits: 0x7F00_0001))])
        }
        guard case .notReached = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
