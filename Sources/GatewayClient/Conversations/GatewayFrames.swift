package import GatewayProtocol

/// The frames that a gateway sends of its own accord, in their order: events, requests, and responses that answer no
/// request of ours.
///
/// The sequence ends when this side ends the conversation, or the task is cancelled. When the gateway or the network
/// ends the conversation, the sequence throws a ``GatewayConnectionError`` with the close code and reason, after all
/// frames that came before. Only one task may read at a time; a second one gets the error `busy`.
///
/// Reading from the socket stops while ``ConnectionLimits/undeliveredBytes`` wait here, and answers to requests are
/// then not read either: the task that takes the frames must not wait for an answer meanwhile.
package struct GatewayFrames: AsyncSequence, Sendable {
    package typealias Element = GatewayFrame
    package typealias Failure = GatewayConnectionError

    let conversation: GatewayConversation

    package func makeAsyncIterator() -> Iterator { Iterator(conversation: conversation) }

    /// Takes one frame after the other.
    package struct Iterator: AsyncIteratorProtocol {
        let conversation: GatewayConversation

        package mutating func next() async throws(GatewayConnectionError) -> GatewayFrame? {
            try await conversation.nextFrame()
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(GatewayConnectionError) -> GatewayFrame? {
            try await conversation.nextFrame()
        }
    }
}
