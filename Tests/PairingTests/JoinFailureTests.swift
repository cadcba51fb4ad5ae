import GatewayClient
import GatewayProtocol
import Testing

@testable import Pairing

/// The sentences about a setup code that could not be fetched: each says what is known of it, and no more.
@Suite struct JoinFailureTests {
    private static let failures: [(failure: JoinFetch.Failure, sentence: String, advice: String)] = [
        (.notReached("no route"), "no route", "Nothing was fetched"),
        (.lost, "the answer was lost", "get a new join URL"),
        (.notFound(status: 404), "it is used, has expired, or was never there", "Get a new join URL"),
        (.redirected(status: 302), "it leads to another place (HTTP 302)", "leads to the gateway itself"),
        (.tooOften(status: 429), "it is asked too often at present (HTTP 429)", "Try again in some minutes"),
        (.refused(status: 403), "the host refuses the request (HTTP 403)", "whether the URL is complete"),
        (.serverFailed(status: 502), "whether the code is used is not known", "Get a new join URL once it runs"),
        (.noContent(status: 204), "an answer without one (HTTP 204)", "Get a new join URL"),
    ]

    @Test(arguments: failures.indices) func eachFailureHasItsOwnSentence(_ index: Int) throws {
        let (failure, sentence, advice) = Self.failures[index]
        let url = try JoinURL(parsing: "https://claw.example/j/c0de")
        let message = PairingError(failure, behind: url).message
        #expect(message.contains(sentence) && message.contains(advice), "\(message)")
        #expect(!message.contains("c0de"), "\(message)")
        // Only the answer that there is none says that it is used.
        if case .notFound = failure { return }
        #expect(!message.contains("it is used"), "\(message)")
    }

    /// After the fetch, whatever fails needs another URL.
    @Test func aFetchedURLIsSaidToBeUsedUp() {
        let error = PairingError(.notAGateway, "expected a gateway, found none").afterJoinURL
        #expect(error.code == .notAGateway)
        #expect(error.message == "expected a gateway, found none. The join URL is used up: get a new one")
    }
}
