internal import GatewayProtocol
internal import NIOCore

extension ByteBuffer {
    /// Overwrites the readable bytes with zeros, in every buffer that shares their memory: see
    /// ``/GatewayProtocol/Wiping``.
    func wipe() { withUnsafeReadableBytes(Wiping.wipe) }
}
