import GatewayProtocol
import NIOWebSocket

@testable import GatewayClient

/// The frames and the behaviour of a test server for conversations.
enum ConversationServer {
    /// Returns the answer to the request with this id.
    static func answer(_ id: String, _ payload: String = "{}") -> WebSocketFrame {
        .text(#"{"type":"res","id":"\#(id)","ok":true,"payload":\#(payload)}"#)
    }

    /// Returns an event with this name.
    static func event(_ name: String) -> WebSocketFrame { .text(#"{"type":"event","event":"\#(name)"}"#) }

    /// Returns a server that answers each request with the frames that a closure returns.
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

/// Returns the error that a closure throws; `nil` if it throws none.
func connectionError<Value>(_ body: () async throws -> Value) async -> GatewayConnectionError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? GatewayConnectionError
    }
}

/// Waits, by polling, until a condition is no longer true. It needs no time limit of its own, because each test has one
/// of a minute.
func pause(while condition: @autoclosure () -> Bool) async throws {
    while condition() { try await Task.sleep(for: .milliseconds(1)) }
}
