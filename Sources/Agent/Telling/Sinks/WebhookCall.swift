internal import DNSSD
internal import GatewayClient
internal import HostSystem
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Reports
internal import SystemPackage

/// One request to a web server that takes messages. Nothing follows an answer by itself: no redirect, no second request.
struct WebhookCall: Sendable {
    /// The reason why there is no request, or no answer to it.
    private struct Failure: Error {
        let reason: String
    }

    private static let connectTimeout = TimeAmount.seconds(5)
    private static let timeout = TimeAmount.seconds(15)

    /// The time that a server still has when nobody waits for its answer any more.
    private static let timeAfterCancellation = TimeAmount.seconds(1)

    /// The maximum number of bytes in a file with a secret, or with certificates.
    private static let secretLimit = 4_096
    private static let certificateLimit = 1_048_576

    /// The maximum number of bytes before the answer counts, whatever they are: each answer can have any number of interim ones
    /// before it (RFC 9110 §15.2). NIO allows header fields of 80 KiB.
    private static let answerLimit = 131_072

    /// The longest time that a server may ask for.
    private static let longestPause = 3_600

    private let webhook: Webhook

    init(_ webhook: Webhook) {
        self.webhook = webhook
    }

    func send(_ message: WaitingMessage) async -> SinkOutcome {
        do {
            let url = try url()
            let body = WebhookBody(message, webhook.form, target: url.target)
            let reply = try await exchange(request(to: url, body, message), body.bytes, with: url)
            return Self.outcome(reply)
        } catch let failure as Failure {
            return .failed(failure.reason, retryAfter: nil)
        } catch {
            return .failed(Self.words(error), retryAfter: nil)
        }
    }

    /// Judges an answer.
    static func outcome(_ reply: WebhookReply) -> SinkOutcome {
        let said = DisplayText(reply.text.split(separator: "\n").first.map(String.init) ?? "", limit: 120).text
        let words = "it answers with \(reply.status)\(said.isEmpty ? "" : ": \(said)")"
        switch reply.status {
        case 200..<300: return .delivered(words)
        case 300..<400:
            return .failed(
                "\(words). A redirect is not followed: the configuration must name its target",
                retryAfter: nil
            )
        // What it says of this message, and not of the address or the token.
        case 400, 413, 415, 422: return .refused(words)
        default:
            let pause = reply.retryAfter.map { Duration.seconds(min(max($0, 0), longestPause)) }
            return .failed(words, retryAfter: pause)
        }
    }

    // MARK: The request

    private func url() throws -> WebURL {
        switch webhook.place {
        case .url(let url): return url
        case .file(let path):
            guard let url = WebURL(try Self.secret(path)) else {
                throw Failure(reason: "\(path): expected an address that begins with https://, found another text")
            }
            return url
        }
    }

    private static func secret(_ path: String) throws -> String {
        do {
            guard let text = try SecretText.read(FilePath(path), limit: secretLimit) else {
                throw Failure(reason: "\(path): there is no such file")
            }
            return String(decoding: text.bytes, as: UTF8.self)
        } catch let error as SafeFileError {
            throw Failure(reason: error.description)
        }
    }

    private func request(to url: WebURL, _ body: WebhookBody, _ message: WaitingMessage) throws -> HTTPRequestHead {
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: body.target)
        head.headers.add(name: "Host", value: String(url.origin.drop { $0 != "/" }.dropFirst(2)))
        head.headers.add(name: "User-Agent", value: "clawradar/0")
        head.headers.add(name: "Content-Type", value: "application/json")
        head.headers.add(name: "Content-Length", value: "\(body.bytes.count)")
        head.headers.add(name: "Connection", value: "close")
        // Who gets a message twice knows it by this (draft-ietf-httpapi-idempotency-key-header).
        head.headers.add(name: "Idempotency-Key", value: "\"\(message.id)\"")
        if let path = webhook.tokenFile {
            guard url.isSecure || url.isThisHost else {
                throw Failure(reason: "a token is sent over https alone, and the address begins with http")
            }
            let token = try Self.secret(path)
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Failure(reason: "\(path): expected a token without spaces in ASCII, found another text")
            }
            head.headers.add(name: "Authorization", value: "Bearer \(token)")
        }
        return head
    }

    // MARK: The exchange

    private func exchange(
        _ head: HTTPRequestHead,
        _ body: [UInt8],
        with url: WebURL
    ) async throws -> WebhookReply {
        let context = url.isSecure ? try context() : nil
        let loop = try GatewayLoops.group().next()
        let answer = WebhookAnswer(on: loop)
        // An address is compared with those in the certificate, and is no name for the handshake (RFC 6066 §3).
        let isAddress = (try? SocketAddress(ipAddress: url.host, port: 0)) != nil
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(Self.connectTimeout).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                if let context {
                    let name = isAddress ? nil : url.host
                    try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: name))
                }
                try pipeline.addHandler(
                    ReadLimit(Self.answerLimit, Failure(reason: "it sends \(Self.answerLimit) bytes, and no answer"))
                )
                try pipeline.addHTTPClientHandlers()
                try pipeline.addHandler(WebhookHandler(head, body, answer))
            }
        }
        let connecting = bootstrap.connect(host: url.host, port: url.port)
        connecting.whenFailure { answer.end($0) }
        let timer = loop.scheduleTask(in: Self.timeout) {
            answer.end(Failure(reason: "no answer within \(Self.timeout.nanoseconds / 1_000_000_000) s"))
        }
        answer.reply.whenComplete { _ in
            timer.cancel()
            // It closes itself, but for a time that is over.
            connecting.whenSuccess { $0.close(promise: nil) }
        }
        return try await withTaskCancellationHandler {
            try await answer.reply.get()
        } onCancel: {
            loop.scheduleTask(in: Self.timeAfterCancellation) { answer.end(Failure(reason: "the agent ends")) }
        }
    }

    private func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .fullVerification
        configuration.shutdownTimeout = .milliseconds(100)
        if let path = webhook.caFile {
            do {
                // Not waited for: a pipe in its place would hold up every message.
                guard let file = try SafeFile(path: FilePath(path)).readForeign(limit: Self.certificateLimit) else {
                    throw Failure(reason: "there is no such file")
                }
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(file.bytes))
            } catch {
                throw Failure(reason: "\(path): expected certificates as PEM: \(Self.words(error))")
            }
        }
        return try NIOSSLContext(configuration: configuration)
    }

    /// Returns the reason for an error, for people.
    private static func words(_ error: any Error) -> String {
        switch error {
        case let failure as Failure: failure.reason
        case let failed as NIOConnectionError:
            "no connection: \(failed.connectionErrors.first.map { words($0.error) } ?? "the name leads to no address")"
        case let failed as IOError: "\(Errno(rawValue: failed.errnoCode))"
        case is ChannelError: "the connection was closed before the answer came, or not made in time"
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            "no TLS connection came about, or its certificate is not trusted: \(DisplayText("\(error)", limit: 160))"
        default: DisplayText("\(error)", limit: 200).text
        }
    }
}

/// The answer of a web server that takes messages, as far as it matters.
struct WebhookReply: Hashable, Sendable {
    var status: Int

    /// The seconds after which it wants to be asked again, if it says so.
    var retryAfter: Int?

    /// The beginning of the body.
    var text = ""
}

/// The answer of a server, which counts from its status line on: whatever happens to the rest of it and to the connection,
/// the server has had the message. Used on one event loop alone.
private struct WebhookAnswer: Sendable {
    private let found: NIOLoopBoundBox<WebhookReply?>
    private let promise: EventLoopPromise<WebhookReply>

    init(on loop: any NIOCore.EventLoop) {
        found = .makeEmptyBox(valueType: WebhookReply.self, eventLoop: loop)
        promise = loop.makePromise()
    }

    var reply: EventLoopFuture<WebhookReply> { promise.futureResult }

    /// The answer, as far as it has come.
    var soFar: WebhookReply? {
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
private final class WebhookHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private static let textLimit = 1_024

    private let head: HTTPRequestHead
    private let body: [UInt8]
    private let answer: WebhookAnswer

    init(_ head: HTTPRequestHead, _ body: [UInt8], _ answer: WebhookAnswer) {
        self.head = head
        self.body = body
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
            let now = head.headers.first(name: "Date").flatMap(RetryAfter.time) ?? .now
            let pause = head.headers.first(name: "Retry-After").flatMap { RetryAfter.seconds($0, now: now) }
            answer.soFar = WebhookReply(status: Int(head.status.code), retryAfter: pause)
        case .body(let buffer):
            let room = Self.textLimit - (answer.soFar?.text.utf8.count ?? Self.textLimit)
            guard room > 0 else { return end(context, ChannelError.eof) }
            answer.soFar?.text += String(decoding: buffer.readableBytesView.prefix(room), as: UTF8.self)
        case .end:
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
