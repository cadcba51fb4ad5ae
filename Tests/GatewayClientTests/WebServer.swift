import NIOCore
import NIOHTTP1

/// Answers requests that are not upgraded.
final class WebServer: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    private let answer: @Sendable (String) -> TestServer.WebAnswer

    init(_ answer: @escaping @Sendable (String) -> TestServer.WebAnswer) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data) else { return }
        let answer = answer(request.uri)
        var headers = HTTPHeaders(answer.headers)
        headers.add(name: "Content-Length", value: "\(answer.body.utf8.count)")
        let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
