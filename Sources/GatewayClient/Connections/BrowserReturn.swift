internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A web server on this host for the one browser that comes back from a sign-in elsewhere (RFC 8252 §7.3).
package enum BrowserReturn {
    /// The longest address that is read.
    private static let longest = 2_048

    /// Waits until a browser comes back.
    ///
    /// - Parameters:
    ///   - path: The path, which nobody guesses. Whoever asks for another one gets nothing.
    ///   - seconds: The time to wait.
    ///   - open: Is called with the address to come back to, once it is served.
    /// - Returns: The parameter `code`; `nil` if it came back without one, since the user did not agree.
    package static func code(
        path: String,
        within seconds: Int,
        open: (String) async -> Void
    ) async throws(WebFailure) -> String? {
        do {
            let loop = try GatewayLoops.group().next()
            let promise = loop.makePromise(of: String?.self)
            let binding = ServerBootstrap(group: loop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.configureHTTPServerPipeline()
                        try pipeline.addHandler(Answerer(path, promise))
                    }
                }
                .bind(host: "127.0.0.1", port: 0)
            // A promise that nobody fulfils ends the process.
            binding.whenFailure { promise.fail($0) }
            let channel = try await binding.get()
            let timer = loop.scheduleTask(in: .seconds(Int64(seconds))) {
                promise.fail(WebFailure("nobody came back from there within \(seconds) s"))
            }
            await open("http://127.0.0.1:\(channel.localAddress?.port ?? 0)\(path)")
            let result = await withTaskCancellationHandler {
                await promise.futureResult.result()
            } onCancel: {
                promise.fail(CancellationError())
            }
            timer.cancel()
            try? await channel.close()
            return try result.get()
        } catch {
            throw WebFailure(error)
        }
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let path: String
        private let promise: EventLoopPromise<String?>

        init(_ path: String, _ promise: EventLoopPromise<String?>) {
            (self.path, self.promise) = (path, promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data) else { return }
            let isRight =
                head.uri.utf8.count <= BrowserReturn.longest
                && head.uri.split(separator: "?").first.map(String.init) == path
            let text =
                isRight ? "Signed in: go back to the terminal. You can close this window.\n" : "Nothing is here.\n"
            var answer = HTTPResponseHead(version: .http1_1, status: isRight ? .ok : .notFound)
            answer.headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
            answer.headers.add(name: "Content-Length", value: "\(text.utf8.count)")
            answer.headers.add(name: "Cache-Control", value: "no-store")
            answer.headers.add(name: "Connection", value: "close")
            context.write(wrapOutboundOut(.head(answer)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            let (channel, done) = (context.channel, promise)
            let code = isRight ? Self.code(head.uri) : nil
            context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
                channel.close(promise: nil)
                if isRight { done.succeed(code) }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        /// Returns the code in an address, which is one that needs no escapes.
        private static func code(_ uri: String) -> String? {
            let query = uri.drop { $0 != "?" }.dropFirst()
            let value = query.split(separator: "&").first { $0.hasPrefix("code=") }?.dropFirst(5)
            let isPlain = value?.utf8.allSatisfy { $0 == 0x2D || $0 < 0x7F && Character(Unicode.Scalar($0)).isHexDigit }
            return isPlain == true ? value.map(String.init) : nil
        }
    }
}

extension EventLoopFuture where Value: Sendable {
    /// Waits for the result.
    fileprivate func result() async -> Result<Value, any Error> {
        do { return .success(try await get()) } catch { return .failure(error) }
    }
}
