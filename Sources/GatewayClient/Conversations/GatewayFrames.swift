public import GatewayProtocol

/// The frames that a gateway sends of its own accord, in their order: events, requests, and responses to nothing that was
/// asked.
///
/// They end when this side ends the conversation, or the task is cancelled; when the gateway or the network ends it, with
/// a ``GatewayConnectionError`` that has the close code and reason, after all frames that came before. There is one
/// reader at a time; a second one gets an error `busy`.
///
/// Reading from the socket stops while ``ConnectionLimits/undeliveredBytes`` wait here, and with it the answers to
/// requests: whoever takes the frames must not wait for an answer meanwhile.
public struct GatewayFrames: AsyncSequence, Sendable {
    public typealias Element = GatewayFrame
    public typealias Failure = GatewayConnectionError

    let conversation: GatewayConversation

    public func makeAsyncIterator() -> Iterator { Iterator(conversation: conversation) }

    /// Takes one frame after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let conversation: GatewayConversation

        public mutating func next() async throws(GatewayConnectionError) -> GatewayFrame? {
            try await conversation.nextFrame()
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(GatewayConnectionError) -> GatewayFrame? {
            try await conversation.nextFrame()
        }
    }
}
