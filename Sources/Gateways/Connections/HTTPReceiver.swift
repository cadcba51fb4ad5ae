internal import NIOCore
internal import NIOHTTP1

/// Puts one answer of a web server together, within a limit.
final class HTTPReceiver: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    struct Reply: Sendable {
        var status: Int
        var body: [UInt8] = []
    }

    private let limit: Int
    private var promise: EventLoopPromise<Reply>?
    private var reply: Reply?

    init(_ promise: EventLoopPromise<Reply>, limit: Int) {
        self.promise = promise
        self.limit = limit
    }

    // A channel that is closed already takes no handlers, and nobody would be told.
    deinit {
        end(.failure(ChannelError.eof))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            reply = Reply(status: Int(head.status.code))
        case .body(let buffer):
            reply?.body += buffer.readableBytesView
            guard let count = reply?.body.count, count > limit else { return }
            end(.failure(GatewayConnectionError(.tooLong, "expected a body of at most \(limit) bytes, found more")))
            context.close(promise: nil)
        case .end:
            if let reply { end(.success(reply)) }
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.failure(ChannelError.eof))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(.failure(ChannelError.eof))
    }

    private func end(_ result: Result<Reply, any Error>) {
        promise?.completeWith(result)
        promise = nil
    }
}
