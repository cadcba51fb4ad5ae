import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import ReferenceGateway

/// Pings and pongs of the gateway's side.
@Suite struct WebSocketCodecTests {
    private func channel() -> EmbeddedChannel { EmbeddedChannel(handler: WebSocketCodec()) }

    private func ping(_ text: String, _ channel: EmbeddedChannel) throws {
        try channel.writeInbound(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer(string: text)))
    }

    /// Returns the payloads of the pongs that were sent since the last call.
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

    /// Whoever pings and reads nothing must not fill the memory; a pong may stand for all pings so far (RFC 6455 §5.5.3).
    @Test func whatIsNotReadIsAnsweredOnceThereIsRoom() throws {
        let channel = channel()
        channel.isWritable = false
        for number in 0..<1_000 { try ping("\(number)", channel) }
        #expect(try pongs(channel).isEmpty)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(try pongs(channel) == ["999"])
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(try pongs(channel).isEmpty, "once")
    }

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
