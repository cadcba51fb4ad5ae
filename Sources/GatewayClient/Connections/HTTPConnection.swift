internal import DNSSD
internal import GatewayProtocol
internal import NIOCore
internal import NIOHTTP1

/// A connection over which one `GET` goes after the other. Whatever an answer says, nothing follows by itself: no redirect,
/// no second request.
struct HTTPConnection {
    /// The way it goes.
    let path: GatewayProbePath

    private let channel: any Channel
    private let transcript: Transcript
    private let dialer: Dialer

    /// Connects within a scope that somebody else ends.
    static func open(
        _ endpoints: [Endpoint],
        transport: GatewayTransport,
        dialer: Dialer
    ) async throws(GatewayConnectionError) -> HTTPConnection {
        // The head of the answer has its place besides.
        let limit = min(dialer.limits.frameBytes, dialer.limits.connectionBytes / 2)
        let opened = try await dialer.open(endpoints, transport: transport) { channel, _ in
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            try channel.pipeline.syncOperations.addHandler(HTTPReceiver(limit: limit))
        }
        return HTTPConnection(
            path: opened.path,
            channel: opened.channel,
            transcript: opened.transcript,
            dialer: dialer
        )
    }

    /// Asks, and waits for the answer.
    ///
    /// - Parameter keepsAlive: Whether another question may follow.
    func get(_ resource: String, keepsAlive: Bool = false) async throws(GatewayConnectionError) -> HTTPReply {
        transcript.restart()
        let promise = channel.eventLoop.makePromise(of: HTTPReceiver.Reply.self)
        let question = HTTPReceiver.Question(resource: resource, keepsAlive: keepsAlive, promise: promise)
        // The question may never get to who would answer it.
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

    /// Indicates whether anything came since the last question was asked.
    var hasHeard: Bool { transcript.hasHeard }
}
