import GatewayProtocol
import NIOWebSocket

@testable import GatewayClient

/// The frames and the behaviour of a gateway with which conversations are had.
enum ConversationServer {
    /// The answer to the request with this id.
    static func answer(_ id: String, _ payload: String = "{}") -> WebSocketFrame {
        .text(#"{"type":"res","id":"\#(id)","ok":true,"payload":\#(payload)}"#)
    }

    /// An event with this name.
    static func event(_ name: String) -> WebSocketFrame { .text(#"{"type":"event","event":"\#(name)"}"#) }

    /// A server that answers each method in its own way.
    static func behaviour(
        onPing: TestServer.PingAnswer = .pong,
        _ answers: @escaping @Sendable (GatewayRequest) -> [WebSocketFrame]
    ) -> TestServer.Behaviour {
        .webSocket(
            answer: { text in
                guard case .request(let request) = try? GatewayFrame(parsing: Array(text.utf8)) else { return [] }
                return answers(request)
            },
            onPing: onPing
        )
    }
}

/// Returns the error with which something ends; `nil` when it ends well.
func connectionError<Value>(_ body: () async throws -> Value) async -> GatewayConnectionError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? GatewayConnectionError
    }
}

/// Waits until something is so, of which nobody tells; a test has a minute.
func pause(while isSo: @autoclosure () -> Bool) async throws {
    while isSo() { try await Task.sleep(for: .milliseconds(1)) }
}
