internal import DNSSD
package import GatewayProtocol
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// One request to a web server that is no gateway, such as one that takes messages, over a connection of its own. A value.
///
/// Nothing follows an answer by itself: no redirect, no second request. Its certificate must lead to one that this system
/// trusts, or to one that the user has named.
package struct WebCall: Sendable {
    /// The certificates to trust, as PEM.
    package enum Roots: Hashable, Sendable {
        /// Those of this system.
        case system
        case pem([UInt8])
    }

    private static let connectTimeout = TimeAmount.seconds(5)

    /// The time that a server still has when nobody waits for its answer any more.
    private static let timeAfterCancellation = TimeAmount.seconds(1)

    /// The maximum number of bytes around the body, whatever they are: each answer can have any number of interim ones before
    /// it (RFC 9110 §15.2). NIO allows header fields of 80 KiB.
    private static let headLimit = 131_072

    /// The address, whose path is not used.
    package let url: WebURL

    package let method: String
    /// The path with its query.
    package let target: String
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    /// The maximum number of bytes of the body that are read. With more, the answer is not whole.
    package var bodyLimit = 1_024

    package var roots = Roots.system

    /// The time within which the answer must have come.
    package var timeout = Duration.seconds(15)

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method, such as `POST`.
    ///   - url: The address of the server.
    ///   - target: The path with its query; `nil` for that of the address.
    ///   - headers: The fields, besides those that every request has.
    ///   - body: The body.
    package init(
        _ method: String,
        _ url: WebURL,
        target: String? = nil,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        (self.method, self.url, self.target) = (method, url, target ?? url.target)
        (self.headers, self.body) = (headers, body)
    }

    /// Sends the request, and returns what comes. From its status line on an answer counts, whatever happens to the rest of it:
    /// see ``WebReply/isWhole``.
    ///
    /// - Throws: ``WebFailure``; one second after the task was cancelled, too.
    package func send() async throws(WebFailure) -> WebReply {
        do {
            return try await exchange()
        } catch let failure as WebFailure {
            throw failure
        } catch {
            throw WebFailure(error)
        }
    }

    private var head: HTTPRequestHead {
        var head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: target)
        head.headers.add(name: "Host", value: String(url.origin.drop { $0 != "/" }.dropFirst(2)))
        head.headers.add(name: "User-Agent", value: "clawradar/0")
        head.headers.add(name: "Content-Length", value: "\(body.count)")
        head.headers.add(name: "Connection", value: "close")
        for (name, value) in headers { head.headers.add(name: name, value: value) }
        return head
    }

    private func exchange() async throws -> WebReply {
        let context: NIOSSLContext? =
            switch roots {
            case _ where !url.isSecure: nil
            case .system: try TLSClient.systemContext.get()
            case .pem(let bytes): try Self.context(bytes)
            }
        let loop = try GatewayLoops.group().next()
        let answer = WebAnswer(on: loop)
        let (head, body, bodyLimit, url) = (head, body, bodyLimit, url)
        // An address is compared with those in the certificate, and is no name for the handshake (RFC 6066 §3).
        let isAddress = (try? SocketAddress(ipAddress: url.host, port: 0)) != nil
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(Self.connectTimeout).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                if let context {
                    let name = isAddress ? nil : url.host
                    try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: name))
                }
                let limit = Self.headLimit + (bodyLimit > Self.headLimit ? bodyLimit : 0)
                try pipeline.addHandler(ReadLimit(limit, WebFailure("it sends \(limit) bytes, and no answer")))
                try pipeline.addHTTPClientHandlers()
                try pipeline.addHandler(WebHandler(head, body, bodyLimit, answer))
            }
        }
        let connecting = bootstrap.connect(host: url.host, port: url.port)
        connecting.whenFailure { answer.end($0) }
        let seconds = timeout.components.seconds
        let timer = loop.scheduleTask(in: .seconds(seconds)) {
            answer.end(WebFailure("no answer within \(seconds) s"))
        }
        answer.reply.whenComplete { _ in
            timer.cancel()
            // It closes itself, but for a time that is over.
            connecting.whenSuccess { $0.close(promise: nil) }
        }
        return try await withTaskCancellationHandler {
            try await answer.reply.get()
        } onCancel: {
            loop.scheduleTask(in: Self.timeAfterCancellation) { answer.end(WebFailure("the agent ends")) }
        }
    }

    private static func context(_ pem: [UInt8]) throws -> NIOSSLContext {
        do {
            return try TLSClient.certified(.certificates(try NIOSSLCertificate.fromPEMBytes(pem)))
        } catch {
            throw WebFailure("expected certificates as PEM: \(WebFailure(error).description)")
        }
    }
}

/// The answer of a web server, as far as it matters. A value.
package struct WebReply: Hashable, Sendable {
    package var status: Int

    /// Its word on when it wants to be asked again: `Retry-After`.
    package var retryAfter: String?

    /// Its time, in milliseconds since 1970, if it says that.
    package var date: Int?

    /// The beginning of the body.
    package var body: [UInt8] = []

    /// Indicates whether the body is all that the server wanted to say.
    package var isWhole = false

    package init(status: Int, retryAfter: String? = nil, body: [UInt8] = []) {
        (self.status, self.retryAfter, self.body) = (status, retryAfter, body)
    }

    /// The body as a text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the seconds after which it wants to be asked again, if it says so.
    ///
    /// - Parameter now: The time in milliseconds since 1970, where it does not say its own.
    package func pause(now: Int) -> Int? { retryAfter.flatMap { HTTPDate.seconds($0, now: date ?? now) } }
}

/// The reason why there is no request, or no answer to it, for people. A value.
package struct WebFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    init(_ error: any Error) {
        description =
            switch error {
            case let failure as WebFailure: failure.description
            case let failed as NIOConnectionError:
                "no connection: "
                    + (failed.connectionErrors.first.map { WebFailure($0.error).description }
                        ?? "the name leads to no address")
            case let failed as IOError: ConnectFailure(errno: failed.errnoCode).message
            case is ChannelError: "the connection was closed before the answer came, or not made in time"
            case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
                "no TLS connection came about, or its certificate is not trusted: "
                    + DisplayText("\(error)", limit: 160).text
            default: DisplayText("\(error)", limit: 200).text
            }
    }
}

/// The answer of a server, which counts from its status line on: whatever happens to the rest of it and to the connection,
/// the server has had the request. Used on one event loop alone.
private struct WebAnswer: Sendable {
    private let found: NIOLoopBoundBox<WebReply?>
    private let promise: EventLoopPromise<WebReply>

    init(on loop: any NIOCore.EventLoop) {
        found = .makeEmptyBox(valueType: WebReply.self, eventLoop: loop)
        promise = loop.makePromise()
    }

    var reply: EventLoopFuture<WebReply> { promise.futureResult }

    /// The answer, as far as it has come.
    var soFar: WebReply? {
        get { found.value }
        nonmutating set { found.value = newValue }
    }

    /// Ends the wait: with the answer, as far as it has come, else with an error.
    func end(_ error: any Error) {
        if let reply = found.value { promise.succeed(reply) } else { promise.fail(error) }
    }
}

/// Ends a connection by an error when it has brought more than so many bytes.
private final class ReadLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var rest: Int
    private let error: any Error

    init(_ most: Int, _ error: any Error) {
        rest = most
        self.error = error
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard rest > 0 else { return }
        rest -= unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        if rest <= 0 { context.fireErrorCaught(error) }
    }
}

/// Sends one request on a connection, and takes in the answer.
private final class WebHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let head: HTTPRequestHead
    private let body: [UInt8]
    private let bodyLimit: Int
    private let answer: WebAnswer

    init(_ head: HTTPRequestHead, _ body: [UInt8], _ bodyLimit: Int, _ answer: WebAnswer) {
        self.head = head
        self.body = body
        self.bodyLimit = bodyLimit
        self.answer = answer
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            var reply = WebReply(
                status: Int(head.status.code),
                retryAfter: head.headers.first(name: "Retry-After")
            )
            reply.date = head.headers.first(name: "Date").flatMap(HTTPDate.milliseconds)
            answer.soFar = reply
        case .body(let buffer):
            let room = bodyLimit - (answer.soFar?.body.count ?? bodyLimit)
            guard buffer.readableBytes <= room else {
                answer.soFar?.body += buffer.readableBytesView.prefix(max(room, 0))
                return end(context, ChannelError.eof)
            }
            answer.soFar?.body += buffer.readableBytesView
        case .end:
            answer.soFar?.isWhole = true
            end(context, ChannelError.eof)
        }
    }

    private func end(_ context: ChannelHandlerContext, _ error: any Error) {
        answer.end(error)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(context, error) }

    func channelInactive(context: ChannelHandlerContext) {
        answer.end(ChannelError.eof)
        context.fireChannelInactive()
    }
}
