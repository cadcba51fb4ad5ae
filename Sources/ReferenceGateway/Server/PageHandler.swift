internal import NIOCore
internal import NIOHTTP1

/// Answers one HTTP request that is not an upgrade, and closes the connection.
final class PageHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// A function that returns the body for a path; `nil` when there is no such page.
    private let page: @Sendable (String) -> [UInt8]?
    private var isAnswered = false

    init(_ page: @escaping @Sendable (String) -> [UInt8]?) {
        self.page = page
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data), !isAnswered else { return }
        isAnswered = true
        let path = request.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        Self.answer(request.method == .GET ? page(String(path)) : nil, on: context.channel)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Sends a page, or the status 404 if there is none, and closes the connection.
    static func answer(_ body: [UInt8]?, on channel: any Channel) {
        var head = HTTPResponseHead(version: .http1_1, status: body == nil ? .notFound : .ok)
        let bytes = ByteBuffer(bytes: body ?? Array("Not Found\n".utf8))
        head.headers.add(name: "Content-Type", value: body == nil ? "text/plain" : "application/json")
        head.headers.add(name: "Content-Length", value: "\(bytes.readableBytes)")
        head.headers.add(name: "Connection", value: "close")
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(bytes)), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
    }
}
