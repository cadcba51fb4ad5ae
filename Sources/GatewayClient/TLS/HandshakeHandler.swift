internal import GatewayProtocol
internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// Waits for the end of a TLS handshake, and says how it ended.
final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The certificate that the peer has shown.
    let leaf = LeafBox()

    /// The certificate that the peer should have shown.
    var pin: LeafFingerprint?

    private var promise: EventLoopPromise<LeafFingerprint>?

    init(_ promise: EventLoopPromise<LeafFingerprint>) {
        self.promise = promise
    }

    // A channel that is closed already takes no handlers, and nobody would be told.
    deinit {
        fail()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent, let leaf = leaf.get() {
            promise?.succeed(leaf)
            promise = nil
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail()
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail()
    }

    private func fail() {
        if let found = leaf.get(), let pin, found != pin {
            promise?.fail(
                GatewayConnectionError(.wrongLeaf, "expected the certificate \(pin), found \(found)", leaf: found)
            )
        } else {
            promise?.fail(GatewayConnectionError(.tlsFailed, "expected a TLS handshake, found none that worked"))
        }
        promise = nil
    }
}
