internal import NIOSSL
internal import Synchronization

/// The TLS context with the certificates that this system trusts.
///
/// It is made once, since there are more than a hundred certificates. A failure is not kept, since its cause, such as a
/// lack of file descriptors, may be gone the next time.
final class SystemContext: Sendable {
    private let make: @Sendable () throws -> NIOSSLContext
    private let made = Mutex<NIOSSLContext?>(nil)

    init(_ make: @escaping @Sendable () throws -> NIOSSLContext) {
        self.make = make
    }

    /// Returns the context, and makes it first where there is none yet.
    ///
    /// - Throws: ``GatewayConnectionError`` `untrusted` when the certificates cannot be read, so that no host can be
    ///   verified.
    func get() throws(GatewayConnectionError) -> NIOSSLContext {
        let context: NIOSSLContext? = made.withLock { made in
            if made == nil { made = try? make() }
            return made
        }
        guard let context else {
            throw GatewayConnectionError(.untrusted, "this system's trusted certificates could not be read")
        }
        return context
    }
}
