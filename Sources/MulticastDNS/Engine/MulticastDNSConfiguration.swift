/// How the engine works. The defaults are right for every program that has no reason to change them.
public struct MulticastDNSConfiguration: Sendable {
    /// How many service instances are followed at most, on all interfaces together; what comes on top is left out, from
    /// whoever has most, and told once.
    public var maximumInstances: Int

    /// How many interfaces are used at most.
    public var maximumInterfaces: Int

    /// How many bytes may wait at each socket. The system grants what it allows (`net.core.rmem_max`).
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
