import NIOCore
import NIOWebSocket

extension WebSocketFrame {
    static func text(_ text: String) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    }

    static func close(_ code: UInt16, _ reason: String = "") -> WebSocketFrame {
        var data = ByteBuffer(integer: code)
        data.writeString(reason)
        return WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    }
}
