/// The settings of the engine. The defaults suit every program that has no reason to change them.
public struct MulticastDNSConfiguration: Sendable {
    /// The largest number of service instances that are followed, on all interfaces together. Past it, instances of the
    /// source that has the most are left out, which is reported once.
    public var maximumInstances: Int

    /// The largest number of interfaces that are used.
    public var maximumInterfaces: Int

    /// The size of the receive buffer of each socket, in bytes. The system may grant less (`net.core.rmem_max`).
    public var receiveBuffer: Int

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - maximumInstances: See ``maximumInstances``.
    ///   - maximumInterfaces: See ``maximumInterfaces``.
    ///   - receiveBuffer: See ``receiveBuffer``.
    public init(maximumInstances: Int = 16_384, maximumInterfaces: Int = 64, receiveBuffer: Int = 4 << 20) {
        self.maximumInstances = maximumInstances
        self.maximumInterfaces = maximumInterfaces
        self.receiveBuffer = receiveBuffer
    }
}
