internal import DNSSD
internal import GatewayProtocol
internal import NIOCore
internal import NIOHTTP1

/// A connection that sends one `GET` after the other. Nothing follows an answer by itself, whatever the answer says: no
/// redirect, no second request.
struct HTTPConnection {
    /// The path of the connection.
    let path: GatewayProbePath

    private let channel: any Channel
    private let transcript: Transcript
    private let dialer: Dialer

    /// Connects within a scope that the caller ends.
    static func open(
        _ endpoints: [Endpoint],
        transport: GatewayTransport,
        dialer: Dialer
    ) async throws(GatewayConnectionError) -> HTTPConnection {
        // The other half of the connection's bytes is left for the head of the answer.
        let limit = min(dialer.limits.frameBytes, dialer.limits.connectionBytes / 2)
        let opened = try await dialer.open(endpoints, transport: transport) { channel, endpoint, _ in
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            let receiver = HTTPReceiver(limit: limit, host: transport.host(at: endpoint))
            try channel.pipeline.syncOperations.addHandler(receiver)
        }
        return HTTPConnection(
            path: opened.path,
            channel: opened.channel,
            transcript: opened.transcript,
            dialer: dialer
        )
    }

    /// Sends a request, and waits for the answer.
    ///
    /// - Parameter keepsAlive: Whether another request may follow.
    func get(_ resource: String, keepsAlive: Bool = false) async throws(GatewayConnectionError) -> HTTPReply {
        transcript.restart()
        let promise = channel.eventLoop.makePromise(of: HTTPReceiver.Reply.self)
        let question = HTTPReceiver.Question(resource: resource, keepsAlive: keepsAlive, promise: promise)
        // The request may never reach the handler that answers it.
        channel.writeAndFlush(question).whenFailure { promise.fail($0) }
        do {
            let reply = try await promise.futureResult.get()
            return HTTPReply(
                status: reply.status,
                server: reply.server,
                body: reply.body,
                isWhole: reply.isWhole,
                keepsAlive: reply.keepsAlive,
                path: path,
                firstBytes: transcript.firstBytes
            )
        } catch {
            throw dialer.failure(error, transcript)
        }
    }

    /// Indicates whether anything was received since the last request was sent.
    var hasHeard: Bool { transcript.hasHeard }
}
