/// The settings of the engine. The defaults are right for every program that has no reason to change them.
public struct MulticastDNSConfiguration: Sendable {
    /// The largest number of service instances that are followed, on all interfaces together; past it, instances of the
    /// source that has most are left out, and that is told once.
    public var maximumInstances: Int

    /// The largest number of interfaces that are used.
    public var maximumInterfaces: Int

    /// The number of bytes that may wait at each socket. The system grants what it allows (`net.core.rmem_max`).
    public var receiveBuffer: Int

    /// Makes a configuration.
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
