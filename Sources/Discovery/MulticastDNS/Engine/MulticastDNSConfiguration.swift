/// The settings of the engine. The defaults suit every program that has no reason to change them.
///
/// Backends with equal settings share one engine, so the limits hold for all their browses together.
package struct MulticastDNSConfiguration: Hashable, Sendable {
    /// The largest number of service instances that are followed, on all interfaces together. Past it, instances of the
    /// source that has the most are left out, which is reported once.
    package var maximumInstances: Int

    /// The largest number of bytes that the records of all instances count for, on all interfaces together. Past it, instances
    /// are left out in the same way. It is enough for ``maximumInstances`` with a few hundred bytes each on one interface.
    package var maximumBytes: Int

    /// The largest number of interfaces that are used.
    package var maximumInterfaces: Int

    /// The size of the receive buffer of each socket, in bytes. The system may grant less (`net.core.rmem_max`).
    package var receiveBuffer: Int

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - maximumInstances: See ``maximumInstances``.
    ///   - maximumBytes: See ``maximumBytes``; `nil` for 24 MiB, and more for more than the usual number of instances.
    ///   - maximumInterfaces: See ``maximumInterfaces``.
    ///   - receiveBuffer: See ``receiveBuffer``.
    package init(
        maximumInstances: Int = 16_384,
        maximumBytes: Int? = nil,
        maximumInterfaces: Int = 64,
        receiveBuffer: Int = 4 << 20
    ) {
        self.maximumInstances = maximumInstances
        self.maximumBytes = maximumBytes ?? max(24 << 20, min(maximumInstances, .max / Self.share) * Self.share)
        self.maximumInterfaces = maximumInterfaces
        self.receiveBuffer = receiveBuffer
    }

    /// The number of bytes for each instance where nothing else was said.
    private static let share = 1_536

    /// Indicates whether so much may be known on all interfaces together.
    func allows(instances: Int, bytes: Int) -> Bool { instances <= maximumInstances && bytes <= maximumBytes }
}
