import NIOCore

/// Sends lines when a connection is opened, and answers each line that it receives with others.
final class LineServer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let greeting: [String]
    private let answer: @Sendable (String) -> [String]
    private var line: [UInt8] = []

    init(_ greeting: [String], _ answer: @escaping @Sendable (String) -> [String]) {
        (self.greeting, self.answer) = (greeting, answer)
    }

    func channelActive(context: ChannelHandlerContext) {
        send(greeting, context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            send(answer(String(decoding: line, as: UTF8.self)), context)
            line = []
        }
    }

    private func send(_ lines: [String], _ context: ChannelHandlerContext) {
        for line in lines {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: line + "\n")), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
