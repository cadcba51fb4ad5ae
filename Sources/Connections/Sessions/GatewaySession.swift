internal import GatewayClient
public import GatewayProtocol
public import PairingStore

/// A live session with a paired gateway, to be spoken over: requests with their answers, and the events of the gateway.
///
/// It lasts until its connection ends or another one takes its place. From then on, requests throw its ``SessionEnd``,
/// and so do its ``events``, once all that came before have been read. Several tasks may use it at once.
public final class GatewaySession: Sendable {
    /// Sends a request over the connection of a session, and waits for its answer.
    typealias Ask = @Sendable (String, JSONValue?, Duration) async throws(GatewayConnectionError) -> GatewayResponse

    /// The credential with which it was opened.
    public let credential: CredentialID

    /// The dialect in which it is held, and to which its requests and events belong.
    public let dialect: GatewayDialect

    /// The path on which it goes.
    public let path: SessionPath

    let feed = EventFeed()
    private let ask: Ask

    init(_ credential: CredentialID, dialect: GatewayDialect, path: SessionPath, ask: @escaping Ask) {
        self.credential = credential
        self.dialect = dialect
        self.path = path
        self.ask = ask
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
        do throws(GatewayConnectionError) {
            return try await ask(method, params, timeout)
        } catch {
            let isOfRequest = [.timedOut, .cancelled, .busy].contains(error.code)
            // Otherwise the connection has ended, so that the reason comes as well, if it has not come yet.
            if !isOfRequest, let end = await feed.waitForEnd() { throw end }
            throw error
        }
    }

    /// The events that the gateway sends from now on. They are untrusted.
    public var events: SessionEvents { SessionEvents(feed) }
}
