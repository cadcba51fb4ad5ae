import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import ReferenceGateway

/// Pings and pongs at the gateway's end of a connection.
@Suite struct WebSocketCodecTests {
    private func channel() -> EmbeddedChannel { EmbeddedChannel(handler: WebSocketCodec()) }

    private func ping(_ text: String, _ channel: EmbeddedChannel) throws {
        try channel.writeInbound(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer(string: text)))
    }

    /// Returns the payloads of the pongs that have been sent since the last call.
    private func pongs(_ channel: EmbeddedChannel) throws -> [String] {
        var texts: [String] = []
        while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
            #expect(frame.opcode == .pong)
            texts.append(String(buffer: frame.unmaskedData))
        }
        return texts
    }

    @Test func aPingIsAnsweredAtOnce() throws {
        let channel = channel()
        try ping("a", channel)
        try ping("b", channel)
        #expect(try pongs(channel) == ["a", "b"])
        #expect(try channel.readInbound(as: SessionInput.self) == .ping)
    }

    /// While a client reads nothing, its pings are not queued, so that they cannot fill the memory. When there is room
    /// again, one pong answers all of them (RFC 6455 §5.5.3).
    @Test func whatIsNotReadIsAnsweredOnceThereIsRoom() throws {
        let channel = channel()
        channel.isWritable = false
        for number in 0..<1_000 { try ping("\(number)", channel) }
        #expect(try pongs(channel).isEmpty)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(try pongs(channel) == ["999"])
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(try pongs(channel).isEmpty, "the pong must be sent only once")
    }

    /// After a close frame, no ping is answered.
    @Test func afterTheGoodbyeNoPingIsAnswered() throws {
        let channel = channel()
        channel.isWritable = false
        try ping("a", channel)
        try channel.writeOutbound(SessionOutput.close(1_008))
        #expect(try channel.readOutbound(as: WebSocketFrame.self)?.opcode == .connectionClose)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        try ping("b", channel)
        #expect(try pongs(channel).isEmpty)
    }
}
