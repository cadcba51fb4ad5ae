internal import DNSSD
internal import GatewayProtocol
internal import NIOCore
internal import NIOSSL

/// TLS connections to gateways, most of which have self-signed certificates.
enum TLSClient {
    /// Starts TLS on a connected channel.
    ///
    /// - Parameters:
    ///   - name: The host name by which the user named the place, which selects a gateway behind a front.
    ///   - transport: The transport, which says which certificate is required.
    ///   - roots: The root certificates for a host name; `nil` for those that this system trusts.
    /// - Returns: A future of the leaf's fingerprint, which fails with ``GatewayConnectionError`` `tlsFailed`,
    ///   `wrongLeaf` or `untrusted`. Its callbacks run before any byte received through TLS is delivered.
    static func start(
        on channel: any Channel,
        named name: ServerName?,
        transport: GatewayTransport,
        roots: [NIOSSLCertificate]? = nil
    ) throws -> EventLoopFuture<LeafFingerprint> {
        let promise = channel.eventLoop.makePromise(of: LeafFingerprint.self)
        let handshake = HandshakeHandler(promise)
        let tls: NIOSSLClientHandler
        switch transport {
        case .certified(let host):
            let context = try roots.map { try certified(.certificates($0)) } ?? systemContext.get()
            guard let host = ServerName(host) else {
                throw GatewayConnectionError(.untrusted, "expected a host name, found none that TLS could prove")
            }
            handshake.host = host
            tls = try NIOSSLClientHandler(context: context, serverHostname: host.description)
        case .plain, .tls:
            tls = try pinned(name, transport, handshake)
        }
        try channel.pipeline.syncOperations.addHandlers([tls, handshake])
        return promise.futureResult
    }

    /// Makes a TLS handler that checks the peer's certificate itself, and nothing else: a name is told and not verified,
    /// and there is no root to trust.
    private static func pinned(
        _ name: ServerName?,
        _ transport: GatewayTransport,
        _ handshake: HandshakeHandler
    ) throws -> NIOSSLClientHandler {
        if case .tls(let pin) = transport { handshake.pin = pin }
        let (pin, box) = (handshake.pin, handshake.leaf)
        return try NIOSSLClientHandler(context: context.get(), serverHostname: name?.description) { chain, verdict in
            guard let der = try? chain.first?.toDERBytes(), let leaf = LeafFingerprint(ofCertificate: der) else {
                verdict.succeed(.failed)
                return
            }
            box.set(leaf)
            verdict.succeed(pin == nil || pin == leaf ? .certificateVerified : .failed)
        }
    }

    /// The context for certificates without a root, made once since it costs more than a handshake.
    private static let context = Result {
        var configuration = base
        configuration.trustRoots = .certificates([])
        configuration.certificateVerification = .noHostnameVerification
        return try NIOSSLContext(configuration: configuration)
    }

    /// The context for hosts with a certificate that this system trusts.
    static let systemContext = SystemContext { try certified(.default) }

    /// Makes a context for hosts with a certificate that leads to one of these roots.
    static func certified(_ roots: NIOSSLTrustRoots) throws -> NIOSSLContext {
        var configuration = base
        configuration.trustRoots = roots
        configuration.certificateVerification = .fullVerification
        return try NIOSSLContext(configuration: configuration)
    }

    private static var base: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        // A peer that does not answer our `close_notify` holds a socket of ours.
        configuration.shutdownTimeout = .milliseconds(100)
        return configuration
    }
}
