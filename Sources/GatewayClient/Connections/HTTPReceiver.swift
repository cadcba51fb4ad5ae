internal import NIOCore
internal import NIOHTTP1

/// Sends requests to a web server, one after the other, and assembles each answer within a limit.
final class HTTPReceiver: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Question
    typealias OutboundOut = HTTPClientRequestPart

    /// A request, and the promise of its answer.
    struct Question: Sendable {
        let resource: String
        let keepsAlive: Bool
        let promise: EventLoopPromise<Reply>
    }

    struct Reply: Sendable {
        var status: Int
        var server: String?
        var body: [UInt8] = []

        /// Indicates whether the whole body came within the limit.
        var isWhole = false

        /// Indicates whether another request may follow on this connection.
        var keepsAlive: Bool
    }

    private let limit: Int

    /// The name by which the peer is asked; `nil` for its address.
    private let host: String?
    private var question: Question?
    private var reply: Reply?
    private var isOver = false

    /// - Parameters:
    ///   - limit: The most bytes of a body; a longer body is cut there, and the connection is closed.
    ///   - host: The name by which the peer is asked; `nil` for its address.
    init(limit: Int, host: String? = nil) {
        self.limit = limit
        self.host = host
    }

    // A channel that is already closed accepts no handlers, so nothing else would complete the promise.
    deinit {
        end(.failure(ChannelError.eof))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let asked = unwrapOutboundIn(data)
        guard !isOver, question == nil else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return asked.promise.fail(ChannelError.ioOnClosedChannel)
        }
        question = asked
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: asked.resource)
        head.headers.add(name: "Host", value: HTTPHost.value(of: context.channel, named: host))
        head.headers.add(name: "User-Agent", value: HTTPHost.userAgent)
        head.headers.add(name: "Accept", value: "application/json")
        head.headers.add(name: "Connection", value: asked.keepsAlive ? "keep-alive" : "close")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            reply = Reply(
                status: Int(head.status.code),
                server: head.headers.first(name: "Server"),
                keepsAlive: head.isKeepAlive && question?.keepsAlive == true
            )
        case .body(let buffer):
            guard let count = reply?.body.count else { return }
            reply?.body += buffer.readableBytesView.prefix(limit - count)
            if buffer.readableBytes > limit - count { finish(context, isWhole: false) }
        case .end:
            finish(context, isWhole: true)
        }
    }

    private func finish(_ context: ChannelHandlerContext, isWhole: Bool) {
        guard var reply else { return }
        self.reply = nil
        reply.isWhole = isWhole
        reply.keepsAlive = reply.keepsAlive && isWhole
        isOver = !reply.keepsAlive
        end(.success(reply))
        if isOver { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isOver = true
        end(.failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOver = true
        end(.failure(ChannelError.eof))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        isOver = true
        end(.failure(ChannelError.eof))
    }

    private func end(_ result: Result<Reply, any Error>) {
        question?.promise.completeWith(result)
        question = nil
    }
}
