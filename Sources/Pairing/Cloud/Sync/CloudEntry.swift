/// What this device knows of one row of the cloud, and has of its own for it: the row of the outbox. A value.
///
/// It holds no content: that is the store's. A change is found by comparing, so that none is lost by whoever made it and ended
/// at once, and several become one.
package struct CloudEntry: Hashable, Sendable {
    /// The meaning that a row that was read has for this device.
    package enum Arrival: Hashable, Sendable {
        /// It is the one that is known.
        case known

        /// It is older than what this device is about to send.
        case outdated

        /// It is older than what the cloud had before.
        case rolledBack

        /// It wins over what this device knows.
        case newer
    }

    /// The highest version that was sent or seen; `nil` if none was.
    package private(set) var version: CloudVersion?

    /// The pairing as this device had it when it sent or took that version; `nil` for none.
    package private(set) var digest: CloudDigest?

    /// Indicates whether the version has still to be sent, or may not have arrived.
    package private(set) var isWaiting = false

    /// Indicates whether its version is no end.
    package var isActive: Bool { version?.isActive ?? false }

    /// Creates an entry, by default for a row that nothing is known of.
    package init(version: CloudVersion? = nil, digest: CloudDigest? = nil, isWaiting: Bool = false) {
        (self.version, self.digest, self.isWaiting) = (version, digest, isWaiting)
    }

    /// Takes in what this device has now. Whatever has changed by its user waits to be sent.
    ///
    /// - Parameters:
    ///   - present: The content; `nil` if it has none.
    ///   - time: The time of its token by the server's clock, in milliseconds since 1970.
    ///   - device: This device.
    package mutating func note(_ present: CloudDigest?, at time: Int, by device: String) {
        guard present != digest else { return }
        let new: CloudVersion?
        if let present {
            new =
                digest?.token == present.token
                ? version?.renamed(by: device) : .new(at: time, by: device, after: version)
        } else {
            new = version?.ended
        }
        digest = present
        guard let new else { return }
        (version, isWaiting) = (new, true)
    }

    /// Takes in the version of a row that was read. If it is newer, this changes nothing yet: see ``take(_:having:)``.
    package mutating func receive(_ other: CloudVersion) -> Arrival {
        guard let version, other <= version else { return .newer }
        if other == version {
            isWaiting = false
            return .known
        }
        if isWaiting { return .outdated }
        // The cloud gets back what it had, if this device has it.
        isWaiting = digest != nil || !version.isActive
        return .rolledBack
    }

    /// Takes a newer version.
    ///
    /// - Parameter present: What this device has after that, which nobody has changed: `nil` for nothing.
    package mutating func take(_ other: CloudVersion, having present: CloudDigest?) {
        (version, digest, isWaiting) = (other, present, false)
    }

    /// Takes in that a version has arrived. It is another one where something has changed meanwhile.
    package mutating func confirm(_ sent: CloudVersion) {
        if sent == version { isWaiting = false }
    }
}
