package import Reports

/// The end of this device's access to a gateway, or to a part of it, which the gateway has decided. A value.
package struct Revocation: Hashable, Sendable {
    /// The identifier that no other one has: access can be restored and revoked again.
    package let id: String

    /// The gateway, by the key of its pairing.
    package let subject: Notice.Subject

    /// The time at which this device was told of it.
    package let time: Timestamp

    /// Indicates whether no access is left.
    package let isWhole: Bool

    package init(id: String, _ subject: Notice.Subject, at time: Timestamp, isWhole: Bool) {
        self.id = id
        self.subject = subject
        self.time = time
        self.isWhole = isWhole
    }
}
