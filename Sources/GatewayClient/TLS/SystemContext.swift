internal import NIOSSL
internal import Synchronization

/// The TLS context with the certificates that this system trusts.
///
/// Made once, since they are a hundred and more; a failure is not kept, since its cause may be gone the next time, as
/// want of descriptors is.
final class SystemContext: Sendable {
    private let make: @Sendable () throws -> NIOSSLContext
    private let made = Mutex<NIOSSLContext?>(nil)

    init(_ make: @escaping @Sendable () throws -> NIOSSLContext) {
        self.make = make
    }

    /// Returns the context, and makes it where there is none yet.
    ///
    /// - Throws: ``GatewayConnectionError`` `untrusted`: nobody can vouch for a host.
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
