internal import DNSSD
internal import GatewayProtocol
internal import NIOCore
internal import NIOSSL
internal import NIOTLS
internal import Synchronization

/// Waits for the end of a TLS handshake, and reports how it ended.
final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The certificate that the peer has shown.
    let leaf = LeafBox()

    /// The certificate that the peer should have shown.
    var pin: LeafFingerprint?

    /// The host name that the peer has to prove; `nil` when no host name is checked.
    var host: ServerName?

    private var isUntrusted = false
    private var promise: EventLoopPromise<LeafFingerprint>?

    init(_ promise: EventLoopPromise<LeafFingerprint>) {
        self.promise = promise
    }

    // A channel that is already closed accepts no handlers, so nothing else would complete the promise.
    deinit {
        fail()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            if let leaf = leaf.get() ?? certified(context) {
                promise?.succeed(leaf)
                promise = nil
            } else if host != nil {
                isUntrusted = true
                fail()
                context.close(promise: nil)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Returns the fingerprint of a leaf certificate that the TLS library has verified, if it names the host.
    private func certified(_ context: ChannelHandlerContext) -> LeafFingerprint? {
        guard let host, let leaf = try? context.pipeline.syncOperations.nioSSL_peerCertificate(),
            leaf._subjectAlternativeNames().contains(where: { name in
                name.nameType == .dnsName && host.isProved(by: name.contents)
            })
        else { return nil }
        return (try? leaf.toDERBytes()).flatMap(LeafFingerprint.init(ofCertificate:))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isUntrusted = Self.isVerdict(error)
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

    /// Returns whether an error of the handshake is about the certificate.
    private static func isVerdict(_ error: any Error) -> Bool {
        switch error {
        case let error as NIOSSLExtraError: error == .failedToValidateHostname
        case NIOSSLError.handshakeFailed(let error): "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
        default: false
        }
    }

    private func fail() {
        if let found = leaf.get(), let pin, found != pin {
            promise?.fail(
                GatewayConnectionError(.wrongLeaf, "expected the certificate \(pin), found \(found)", leaf: found)
            )
        } else if let host, isUntrusted {
            promise?.fail(
                GatewayConnectionError(
                    .untrusted,
                    "expected a certificate of \(host) that this system trusts, found another"
                )
            )
        } else {
            promise?.fail(GatewayConnectionError(.tlsFailed, "expected a TLS handshake, found none that worked"))
        }
        promise = nil
    }
}

/// The certificate that a peer has shown; `nil` until it has.
final class LeafBox: Sendable {
    private let leaf = Mutex<LeafFingerprint?>(nil)

    func set(_ value: LeafFingerprint) {
        leaf.withLock { $0 = value }
    }

    func get() -> LeafFingerprint? {
        leaf.withLock { $0 }
    }
}
