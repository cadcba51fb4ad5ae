import DNSSD
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Testing

/// A gateway of OpenAgents that acknowledges a greeting before it has read it, and may hang up once it has.
struct HastyServer: Sendable {
    /// The endpoint at which it listens, on 127.0.0.1.
    let endpoint: Endpoint

    /// Runs a server while a closure runs.
    ///
    /// - Parameters:
    ///   - hangsUp: Indicates whether it hangs up on whatever is said to it.
    ///   - body: The closure.
    static func run(hangsUp: Bool, _ body: (HastyServer) async throws -> Void) async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOWebSocketServerUpgrader(
                        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
                        upgradePipelineHandler: { channel, _ in
                            channel.eventLoop.makeCompletedFuture {
                                try channel.pipeline.syncOperations.addHandler(Greeter(hangsUp: hangsUp))
                            }
                        }
                    )
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                        withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in })
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = UInt16(try #require(listener.localAddress?.port))
        let address = try #require(IPAddress("127.0.0.1"))
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(HastyServer(endpoint: Endpoint(address: address, port: port))))
        } catch {
            result = .failure(error)
        }
        try await listener.close()
        try result.get()
    }

    private final class Greeter: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame
        private let hangsUp: Bool

        init(hangsUp: Bool) { self.hangsUp = hangsUp }

        func handlerAdded(context: ChannelHandlerContext) {
            let greeting = ByteBuffer(string: #"{"type":"HelloAck"}"#)
            send(WebSocketFrame(fin: true, opcode: .text, data: greeting), context)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.opcode {
            case .text where hangsUp:
                // The code 1008, in two bytes.
                send(WebSocketFrame(fin: true, opcode: .connectionClose, data: ByteBuffer(bytes: [3, 240])), context)
            case .ping: send(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData), context)
            case .connectionClose: context.close(promise: nil)
            default: break
            }
        }

        private func send(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        }
    }
}
