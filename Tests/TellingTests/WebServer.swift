import NIOCore
import NIOPosix

/// A server on 127.0.0.1 that answers the first bytes of each connection with a text, byte for byte.
struct WebServer: Sendable {
    /// The end of a connection, after the answer.
    enum End: Sendable {
        /// The connection is closed.
        case closing
        /// Nothing.
        case silence
    }

    let port: Int

    /// An element for each answer that was sent.
    let answers: AsyncStream<Void>

    private let channel: any Channel

    /// Runs a server while a closure does.
    static func with<Value>(
        _ answer: String,
        _ end: End,
        _ body: (WebServer) async throws -> Value
    ) async throws -> Value {
        let (answers, answered) = AsyncStream.makeStream(of: Void.self)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Answerer(answer, end, answered))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = WebServer(port: channel.localAddress?.port ?? 0, answers: answers, channel: channel)
        do {
            let value = try await body(server)
            try await channel.close()
            return value
        } catch {
            try await channel.close()
            throw error
        }
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: String
        private let end: End
        private let answered: AsyncStream<Void>.Continuation
        private var hasAnswered = false

        init(_ answer: String, _ end: End, _ answered: AsyncStream<Void>.Continuation) {
            self.answer = answer
            self.end = end
            self.answered = answered
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasAnswered else { return }
            hasAnswered = true
            let sent = context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)))
            let (channel, end, answered) = (context.channel, end, answered)
            sent.whenComplete { _ in
                if end == .closing { channel.close(promise: nil) }
                answered.yield()
            }
        }
    }
}
