internal import GatewayProtocol
internal import NIOCore
internal import NIOSSL

/// TLS towards gateways whose certificates nobody vouches for.
enum TLSClient {
    /// Starts TLS on a connected channel.
    ///
    /// - Returns: A future of the leaf's fingerprint, which fails with ``GatewayConnectionError`` `tlsFailed` or
    ///   `wrongLeaf`. Its callbacks run before any byte that came through TLS is delivered.
    static func start(on channel: any Channel, pin: LeafFingerprint?) throws -> EventLoopFuture<LeafFingerprint> {
        let promise = channel.eventLoop.makePromise(of: LeafFingerprint.self)
        let handshake = HandshakeHandler(promise)
        // What the peer shows is judged here and nowhere else: there is no name to verify and no root to trust.
        let tls = try NIOSSLClientHandler(context: context.get(), serverHostname: nil) { chain, verdict in
            guard let der = try? chain.first?.toDERBytes(), let leaf = SHA256Digest.leaf(der) else {
                verdict.succeed(.failed)
                return
            }
            handshake.leaf.set(leaf)
            verdict.succeed(pin == nil || pin == leaf ? .certificateVerified : .failed)
        }
        handshake.pin = pin
        try channel.pipeline.syncOperations.addHandlers([tls, handshake])
        return promise.futureResult
    }

    /// Made once, since it costs more than a handshake.
    private static let context = Result {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([])
        configuration.certificateVerification = .noHostnameVerification
        configuration.minimumTLSVersion = .tlsv12
        // A peer that does not say goodbye holds a socket of ours.
        configuration.shutdownTimeout = .milliseconds(100)
        return try NIOSSLContext(configuration: configuration)
    }
}
