internal import Glibc
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Reports

/// The connections of those who ask an agent: those of other users are closed, and those that are too many are told so.
struct AgentChannel: ServerChildChannel {
    /// Another user is at the other end.
    private struct Stranger: Error {}

    /// A connection.
    enum Value: ServerChildChannelValue {
        /// It is served.
        case served(HTTP1Channel.Value)

        /// There are too many others.
        case refused(NIOAsyncChannel<ByteBuffer, ByteBuffer>)

        var channel: any Channel {
            switch self {
            case .served(let value): value.channel
            case .refused(let value): value.channel
            }
        }
    }

    private let http: HTTP1Channel
    private let version: String
    private let entrance: Entrance.Kind
    private let visitors: Visitors
    private let served: ServedConnections

    init(
        _ http: HTTP1Channel,
        version: String,
        _ entrance: Entrance.Kind,
        _ visitors: Visitors,
        _ served: ServedConnections
    ) {
        self.served = served
        self.http = http
        self.version = version
        self.entrance = entrance
        self.visitors = visitors
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        // A token says who asks at a port, and the permissions of a socket that is shared who may connect there.
        let user = entrance == .ownSocket ? Peer.user(of: channel) : channel.eventLoop.makeSucceededFuture(geteuid())
        let isOwn = user.flatMapThrowing { user in
            guard user == geteuid() else { throw Stranger() }
        }
        // It would stay open without being read from, and whoever asks would wait for ever.
        isOwn.whenFailure { _ in channel.close(promise: nil) }
        return isOwn.flatMap {
            guard visitors.enter(channel) else {
                return channel.eventLoop.makeCompletedFuture {
                    .refused(try NIOAsyncChannel(wrappingChannelSynchronously: channel))
                }
            }
            return http.setup(channel: channel, logger: logger).map { .served($0) }
        }
    }

    func handle(value: Value, logger: Logger) async {
        switch value {
        case .served(let value):
            await served.serve(value.channel) {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await http.handle(value: value, logger: logger) }
                    // A reader of events may close the connection while nothing is written.
                    group.addTask { try? await value.channel.closeFuture.get() }
                    await group.next()
                    group.cancelAll()
                }
            }
        case .refused(let value):
            // A failure is ignored: the connection is closed in any case.
            try? await value.executeThenClose { _, output in try await output.write(refusal) }
        }
    }

    /// The problem of a connection that is one too many.
    static let tooMany = APIProblem(
        .serviceUnavailable,
        "expected at most \(ConnectionShares.most) connections at the same time, found more; ask again in a second",
        headers: [.retryAfter: "1"]
    )

    /// The answer to one that is too many, whatever it asks.
    private var refusal: ByteBuffer {
        let problem = Self.tooMany
        let body = problem.line
        return ByteBuffer(
            string: """
                HTTP/1.1 503 Service Unavailable\r
                Content-Type: \(APIResponse.problemType)\r
                Content-Length: \(body.utf8.count)\r
                \(APIResponse.versionField): \(version)\r
                Retry-After: 1\r
                Connection: close\r
                \r
                \(body)
                """
        )
    }
}
