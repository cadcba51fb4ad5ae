/// The reason why a pairing is in the bin.
package enum BinReason: Hashable, Sendable {
    /// The user unpaired it.
    ///
    /// - Parameter withdrawnThere: Indicates whether the gateway has been informed, so that its tokens are no longer
    ///   valid. If it has not, that is to be done when it is reached.
    case unpaired(withdrawnThere: Bool)

    /// The gateway revoked it, for this reason as it put it, truncated to 256 bytes. Untrusted.
    case revoked(String)

    /// The user forgot it, without informing the gateway.
    case forgotten

    /// Indicates whether the gateway knows that the pairing has ended, so that it stays without valid tokens even if it
    /// is restored.
    package var endsTokens: Bool {
        switch self {
        case .unpaired(let withdrawnThere): withdrawnThere
        case .revoked: true
        case .forgotten: false
        }
    }
}

/// A pairing in the bin, or a credential of a live pairing that is in the bin.
package struct BinnedPairing: Hashable, Sendable, Identifiable {
    /// The pairing, with those of its credentials that are in the bin; their secrets are kept, sealed.
    package let pairing: StoredPairing

    /// The reason why it is here.
    package let reason: BinReason

    /// The time at which it came here, in milliseconds since 1970.
    package let time: Int

    /// Indicates whether the pairing itself is in the bin, and not only some of its credentials.
    package let isWhole: Bool

    /// The identifier of the pairing and, if only a credential is in the bin, of that credential.
    package var id: String {
        isWhole ? pairing.id.description : "\(pairing.id)/\(pairing.credentials.first?.id.description ?? "")"
    }

    /// The time for which the user can restore a pairing: 30 days, in milliseconds.
    package static let retention = 30 * 24 * 60 * 60 * 1_000

    /// The least time between a purge that finds a pairing overdue and one that deletes it: a day, in milliseconds.
    package static let purgeInterval = 24 * 60 * 60 * 1_000
}
