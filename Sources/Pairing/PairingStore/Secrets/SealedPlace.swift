/// The place that a sealed secret belongs to: authenticated with it, so that it does not open in another row of the
/// database.
///
/// A place whose parts are those of a row stands beside that row.
struct SealedPlace: Hashable, Sendable {
    /// The additional authenticated data: a name for the kind of place and then its parts, each preceded by its length
    /// (4 bytes).
    let bytes: [UInt8]

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - kind: The name of the kind of place, with the version of its parts.
    ///   - parts: What distinguishes it from others of that kind.
    init(_ kind: String, _ parts: [[UInt8]]) {
        bytes = Self.joined([Array(kind.utf8)] + parts)
    }

    private init(_ kind: String, _ parts: String...) {
        self.init(kind, parts.map { Array($0.utf8) })
    }

    /// Returns the place of the signing key of the device with an identifier.
    static func device(_ id: String) -> SealedPlace { SealedPlace("clawradar device 1", id) }

    /// Returns the place of the vault key, in the store of the device with an identifier.
    static func vaultKey(device: String) -> SealedPlace { SealedPlace("clawradar vault key 1", device) }

    /// Returns the place of the token that renews the session of a user with a project of the cloud.
    static func cloudSession(url: String, user: String) -> SealedPlace {
        SealedPlace("clawradar cloud session 1", url, user)
    }

    /// Returns the place of the vault key as a passphrase opens it, with the salt and the work factor.
    static func wrappedVaultKey(header: [UInt8]) -> SealedPlace {
        SealedPlace("clawradar wrapped vault key 1", [header])
    }

    /// Joins parts so that no others give the same bytes.
    static func joined(_ parts: [[UInt8]]) -> [UInt8] {
        parts.flatMap { part in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: part.count >> $0) } + part
        }
    }
}
