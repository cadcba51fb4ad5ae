internal import GatewayProtocol
package import NIOCore

extension ByteBuffer {
    /// Overwrites the readable bytes with zeros, in every buffer that shares their memory: see
    /// ``/GatewayProtocol/Wiping``.
    package func wipe() { withUnsafeReadableBytes(Wiping.wipe) }
}
