package import GatewayProtocol

/// A one-time code that lets one device pair in the OptaPlus dialect.
package struct PairingCode: Hashable, Sendable {
    /// The time for which a code can be used, in milliseconds.
    package static let life = 300_000

    /// The time for which the device that has used the code may use it again, in milliseconds: the answer may have been
    /// lost.
    package static let repetition = 60_000

    /// The time, in milliseconds, that a device needs to use a code which it is shown.
    private static let leastRest = 60_000

    /// The device that has paired with the code, and when.
    private struct Use: Hashable {
        let deviceID: String
        let uptime: Int
    }

    /// The code: 16 digits and letters that are not mistaken for each other, 80 random bits.
    package let secret: Secret

    private let madeAt: Int
    private var use: Use?

    package init(at time: GatewayTime, using generator: inout some RandomNumberGenerator) {
        let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
        self.secret = Secret(bytes: (0..<16).map { _ in letters[Int.random(in: 0..<32, using: &generator)] })
        self.madeAt = time.uptime
    }

    /// The device that has paired with the code.
    package var usedBy: String? { use?.deviceID }

    /// Indicates whether nobody may use the code any more for a first time.
    package func isExpired(at time: GatewayTime) -> Bool { time.uptime - madeAt > Self.life }

    /// Returns the milliseconds for which a device may still pair with the code for a first time.
    func rest(at time: GatewayTime) -> Int { max(0, Self.life - (time.uptime - madeAt)) }

    /// Indicates whether whoever shows the code has to show another one: it was used, and its device needs it no more, or the
    /// next one could hardly use it in time.
    func isDue(at time: GatewayTime) -> Bool {
        use.map { time.uptime - $0.uptime > Self.repetition } ?? (rest(at: time) < Self.leastRest)
    }

    /// Returns whether a device may pair with the code that it sent.
    package func admits(_ given: Secret, from deviceID: String, at time: GatewayTime) -> Bool {
        // The codes are compared first, in a time that reveals nothing about them.
        guard given == secret else { return false }
        if let use { return use.deviceID == deviceID && time.uptime - use.uptime <= Self.repetition }
        return time.uptime - madeAt <= Self.life
    }

    /// Records that a device has paired with the code.
    package mutating func spend(by deviceID: String, at time: GatewayTime) {
        if use == nil { use = Use(deviceID: deviceID, uptime: time.uptime) }
    }
}
