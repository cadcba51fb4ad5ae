internal import NIOWebSocket

extension Misbehaviour {
    /// The frames that are sent without end; `nil` when none are.
    var floodsWith: WebSocketOpcode? {
        switch self {
        case .pongFlood: .pong
        case .pingFlood: .ping
        case .messageFlood: .text
        case .silent, .slow, .oversized, .deepJSON, .wrongFingerprint, .dropping, .noHealth: nil
        }
    }
}
