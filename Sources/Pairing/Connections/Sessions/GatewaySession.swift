public import DNSSD
internal import GatewayClient
public import GatewayProtocol

/// A live session with a paired gateway, to be spoken over: requests with their answers, and the events of the gateway.
///
/// It lasts until its connection ends or another one takes its place. From then on, requests throw its ``SessionEnd``,
/// and so do its ``events``, once all that came before have been read. Several tasks may use it at once.
public final class GatewaySession: Sendable {
    /// Sends a request over the connection of a session, and waits for its answer.
    typealias Ask = @Sendable (String, JSONValue?, Duration) async throws(GatewayConnectionError) -> GatewayResponse

    /// Sends a message over the connection of a session, and waits until the gateway has read it.
    typealias Say = @Sendable (JSONValue, Duration) async throws(GatewayConnectionError) -> Void

    static let cannotSay: Say = { _, _ throws(GatewayConnectionError) in
        throw GatewayConnectionError(.notUnderstood, "expected a dialect without requests, found one that has them")
    }

    /// The credential with which it was opened.
    public let credential: CredentialID

    /// The dialect in which it is held, and to which its requests and events belong.
    public let dialect: GatewayDialect

    /// The path on which it goes, such as `10.0.0.1:3000`.
    public let path: String

    /// The endpoint at which it goes; `nil` if its host name was looked up by the system.
    public let endpoint: Endpoint?

    let feed = EventFeed()
    private let ask: Ask
    private let say: Say

    init(
        _ credential: CredentialID,
        dialect: GatewayDialect,
        path: SessionPath,
        say: @escaping Say = cannotSay,
        ask: @escaping Ask
    ) {
        self.credential = credential
        self.dialect = dialect
        self.path = path.description
        self.endpoint = path.endpoint
        self.ask = ask
        self.say = say
    }

    /// Sends a request, and waits for its answer, which may come after other answers and events.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - params: Its parameters.
    ///   - timeout: The time to wait for the answer. A later one is dropped.
    /// - Returns: The response: a failure that the gateway reports is one of its outcomes. It is untrusted.
    /// - Throws: ``SessionEnd`` once the session has ended; ``/GatewayClient/GatewayConnectionError`` `timedOut`,
    ///   `cancelled` or `busy`.
    public func request(
        _ method: String,
        params: JSONValue? = nil,
        timeout: Duration = .seconds(10)
    ) async throws -> GatewayResponse {
        try await untilItsEnd { () async throws(GatewayConnectionError) in try await ask(method, params, timeout) }
    }

    /// Sends a message in a dialect without requests, and waits until the gateway has read it.
    ///
    /// - Throws: As ``request(_:params:timeout:)`` does.
    func send(_ message: JSONValue, timeout: Duration = .seconds(10)) async throws {
        try await untilItsEnd { () async throws(GatewayConnectionError) in try await say(message, timeout) }
    }

    private func untilItsEnd<Answer: Sendable>(
        _ body: () async throws(GatewayConnectionError) -> Answer
    ) async throws -> Answer {
        do throws(GatewayConnectionError) {
            return try await body()
        } catch {
            let isOfRequest = [.timedOut, .cancelled, .busy].contains(error.code)
            // Otherwise the connection has ended, so that the reason comes as well, if it has not come yet.
            if !isOfRequest, let end = await feed.waitForEnd() { throw end }
            throw error
        }
    }

    /// The events that the gateway sends from now on. They are untrusted.
    public var events: some AsyncSequence<GatewayEvent, SessionEnd> & Sendable { SessionEvents(feed) }
}
