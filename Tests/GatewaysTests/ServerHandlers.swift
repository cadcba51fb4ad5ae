import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Keeps what comes.
final class Recorder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let received: TestServer.Received

    init(_ received: TestServer.Received) { self.received = received }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.add(Array(unwrapInboundIn(data).readableBytesView))
        context.fireChannelRead(data)
    }
}

/// Sends bytes at once, and others in answer.
final class RawServer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let greeting: [UInt8]
    private var answer: [UInt8]?
    private let hangsUp: Bool

    init(_ greeting: [UInt8], answer: [UInt8]?, hangsUp: Bool) {
        (self.greeting, self.answer, self.hangsUp) = (greeting, answer, hangsUp)
    }

    func channelActive(context: ChannelHandlerContext) {
        if !greeting.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: greeting)), promise: nil) }
        if answer == nil, hangsUp { context.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let answer else { return }
        self.answer = nil
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil)
        if hangsUp { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Sends one byte after the other.
final class DripServer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let bytes: [UInt8]
    private let pause: TimeAmount

    init(_ bytes: [UInt8], pause: TimeAmount) { (self.bytes, self.pause) = (bytes, pause) }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        for (index, byte) in bytes.enumerated() {
            channel.eventLoop.scheduleTask(in: pause * index) {
                channel.writeAndFlush(ByteBuffer(bytes: [byte]), promise: nil)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Answers requests that are no upgrade.
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

/// Sends texts at once, and answers texts with frames.
final class WebSocketServer: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame
    private let greeting: [String]
    private let answer: @Sendable (String) -> [WebSocketFrame]

    init(greeting: [String], answer: @escaping @Sendable (String) -> [WebSocketFrame]) {
        (self.greeting, self.answer) = (greeting, answer)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        for text in greeting { context.writeAndFlush(wrapOutboundOut(.text(text)), promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            for reply in answer(String(buffer: frame.unmaskedData)) {
                context.writeAndFlush(wrapOutboundOut(reply), promise: nil)
            }
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            context.close(promise: nil)
        default:
            break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension WebSocketFrame {
    static func text(_ text: String) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    }

    static func close(_ code: UInt16) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .connectionClose, data: ByteBuffer(integer: code))
    }
}
