internal import NIOCore
internal import NIOWebSocket

/// Turns frames into events, answers pings, and ends the stream of events when the connection ends.
///
/// A peer can send millions of frames. So nothing more is read while too many events wait to be taken, an unwanted
/// frame only increases a count, and too many frames end the connection.
final class WebSocketReceiver: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let events: WebSocketBacklog
    private let transcript: Transcript
    private let limits: ConnectionLimits

    /// Indicates whether the frames of a message are being dropped, because nobody waited for it when it began.
    private var isDropping = false

    /// The fragments of the incomplete message.
    private var fragments: ByteBuffer?
    private var isOver = false

    /// The payload of the last ping that was not answered because the channel was not writable, at most 125 bytes.
    private var unansweredPing: [UInt8]?

    /// - Parameters:
    ///   - events: The backlog that receives the events.
    ///   - transcript: The record that counts the frames.
    ///   - limits: The limits on what is received.
    init(_ events: WebSocketBacklog, transcript: Transcript, limits: ConnectionLimits) {
        self.events = events
        self.transcript = transcript
        self.limits = limits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Frames that were read together with the last one are ignored.
        guard !isOver else { return }
        let frame = unwrapInboundIn(data)
        // RFC 6455 §5.1 and §5.2: a server masks no frames, and no extension was negotiated.
        guard frame.maskKey == nil else {
            return fail(
                .notUnderstood,
                "expected frames that are not masked, found one that is",
                .protocolError,
                context
            )
        }
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return fail(.notUnderstood, "expected reserved bits of 0, found one that is set", .protocolError, context)
        }
        let now = ContinuousClock.now
        guard transcript.noteFrame(at: now) <= limits.frames else {
            return fail(
                .flooded,
                "expected at most \(limits.frames) frames at a time, found more",
                .policyViolation,
                context
            )
        }
        guard transcript.takeFrame(at: now) else {
            return fail(.flooded, "expected fewer frames in so short a time, found more", .policyViolation, context)
        }
        let isUnwanted = !frame.opcode.isControlOpcode && isUnwanted(frame)
        if isUnwanted || frame.fin && (fragments == nil || frame.opcode == .continuation) {
            transcript.assembled()
        } else if frame.opcode.isControlOpcode {
            // A control frame between two fragments is not part of the message; its header has two bytes.
            transcript.leaveOut(2 + frame.length)
        }
        switch frame.opcode {
        case .text, .binary, .continuation:
            if !isUnwanted { take(frame, context) }
        case .ping:
            // A peer that reads nothing gets no more pongs than fit. The last ping is then answered for all of them
            // (RFC 6455 §5.5.3).
            guard context.channel.isWritable else {
                unansweredPing = Array(frame.data.readableBytesView)
                return
            }
            unansweredPing = nil
            send(WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.data), context)
        case .pong:
            if transcript.takePong() { events.add(.pong(Array(frame.data.readableBytesView)), bytes: 0) }
        case .connectionClose:
            var payload = frame.data
            let code = payload.readInteger(as: UInt16.self)
            end(.closed(WebSocketClose(code: code, reason: code == nil ? [] : Array(payload.readableBytesView))))
            // RFC 6455 §5.5.1: a close is answered with the same code.
            send(WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: frame.data), context)
            context.close(promise: nil)
        default:
            fail(.notUnderstood, "expected a frame that is known, found a reserved one", .protocolError, context)
        }
    }

    /// Decides whether a frame is part of a message that nobody waits for. Such a frame is dropped, after it has been
    /// counted.
    private func isUnwanted(_ frame: WebSocketFrame) -> Bool {
        guard fragments == nil else { return false }
        // The end of a message is of no use without its beginning.
        if frame.opcode != .continuation || !isDropping { isDropping = !events.wantsMessages }
        return isDropping
    }

    /// Handles a message, or a fragment of one (RFC 6455 §5.4).
    private func take(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        guard (frame.opcode == .continuation) == (fragments != nil) else {
            return fail(.notUnderstood, "expected fragments in their order, found others", .protocolError, context)
        }
        var message = fragments ?? ByteBuffer()
        // This reference to the buffer is dropped first, so that appending does not copy the buffer.
        fragments = nil
        guard message.readableBytes + frame.data.readableBytes <= limits.frameBytes else {
            return fail(.tooLong, "expected messages within the limits, found a longer one", .messageTooLarge, context)
        }
        message.writeImmutableBuffer(frame.data)
        guard frame.fin else {
            fragments = message
            return
        }
        let text = Array(message.readableBytesView)
        // Tokens must not stay in memory that is used again for something else. Nobody reads the received bytes again.
        message.wipe()
        frame.data.wipe()
        events.add(.message(text), bytes: text.count)
    }

    /// Reads more only when there is room for it, and when the pace of reading allows it. The read is made later when
    /// ``WebSocketBacklog`` has room again.
    func read(context: ChannelHandlerContext) {
        let now = ContinuousClock.now
        guard events.mayRead() else { return transcript.pauseReading(at: now) }
        guard let wait = transcript.waitBeforeReading(at: now) else { return context.read() }
        let channel = context.channel
        context.eventLoop.scheduleTask(in: TimeAmount(wait)) { channel.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if let payload = unansweredPing, !isOver, context.channel.isWritable {
            unansweredPing = nil
            let data = ByteBuffer(bytes: payload)
            send(WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: data), context)
        }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as GatewayConnectionError:
            fail(error.code, error.message, .policyViolation, context)
        case NIOWebSocketError.invalidFrameLength:
            fail(.tooLong, "expected frames within the limits, found a longer one", .messageTooLarge, context)
        case is NIOWebSocketError:
            fail(.notUnderstood, "expected WebSocket frames, found something else", .protocolError, context)
        default:
            // A reset, a dead path, or TLS that ends without `close_notify`: the peer has not broken the protocol.
            end(.closed(WebSocketClose(code: nil)))
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.closed(WebSocketClose(code: nil)))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(.closed(WebSocketClose(code: nil)))
    }

    private func fail(
        _ code: GatewayConnectionError.Code,
        _ message: String,
        _ closeCode: WebSocketErrorCode,
        _ context: ChannelHandlerContext
    ) {
        guard !isOver else { return }
        end(.failed(GatewayConnectionError(code, message)))
        var data = ByteBuffer()
        data.write(webSocketErrorCode: closeCode)
        send(WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: data), context)
        context.close(promise: nil)
    }

    private func end(_ event: WebSocketEvent) {
        guard !isOver else { return }
        isOver = true
        fragments = nil
        transcript.endAssembly()
        events.add(event, bytes: 0)
        events.finish()
    }

    private func send(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
}
