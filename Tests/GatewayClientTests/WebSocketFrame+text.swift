import NIOCore
import NIOWebSocket

extension WebSocketFrame {
    static func text(_ text: String) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    }

    static func close(_ code: UInt16) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .connectionClose, data: ByteBuffer(integer: code))
    }
}
