internal import NIOCore
internal import NIOHTTP1

/// Answers one HTTP request that is not an upgrade, and closes the connection.
final class PageHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// A page, or another answer in its place.
    struct Page: Sendable {
        let status: Int
        let type: String
        let body: [UInt8]
        let fields: [String: String]

        init(
            status: Int = 200,
            type: String = "application/json",
            _ body: [UInt8],
            fields: [String: String] = [:]
        ) {
            self.fields = fields
            self.status = status
            self.type = type
            self.body = body
        }

        /// The answer where there is no page.
        static let missing = Page(status: 404, type: "text/plain", Array("Not Found\n".utf8))
    }

    /// A function that returns the page at a path; `nil` when there is none.
    private let page: @Sendable (String) -> Page?

    /// The page for the operator; `nil` if the client cannot be that.
    private let invitation: InvitationPage?
    private var isAnswered = false

    init(_ invitation: InvitationPage?, _ page: @escaping @Sendable (String) -> Page?) {
        self.invitation = invitation
        self.page = page
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data), !isAnswered else { return }
        isAnswered = true
        if let invitation, request.method == .GET, request.uri == "/",
            InvitationPage.isAsked(at: request.headers["Host"], with: request.headers.map(\.name))
        {
            return Self.answer(with: invitation, on: context.channel)
        }
        let path = request.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        Self.answer(request.method == .GET ? page(String(path)) : nil, on: context.channel)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Sends the page for the operator, once it is made.
    private static func answer(with invitation: InvitationPage, on channel: any Channel) {
        Task {
            let page = await invitation.page()
            answer(page, on: channel)
        }
    }

    /// Sends a page, or the status 404 if there is none, and closes the connection.
    static func answer(_ page: Page?, on channel: any Channel) {
        let page = page ?? .missing
        var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: page.status))
        let bytes = ByteBuffer(bytes: page.body)
        head.headers.add(name: "Content-Type", value: page.type)
        head.headers.add(name: "Content-Length", value: "\(bytes.readableBytes)")
        head.headers.add(name: "Connection", value: "close")
        for (name, value) in page.fields { head.headers.add(name: name, value: value) }
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(bytes)), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
    }
}
