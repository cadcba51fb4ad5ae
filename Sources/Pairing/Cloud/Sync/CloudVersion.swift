internal import HostSystem

/// The place of a row's content in the order of all contents that the row ever has, on any device. A value.
///
/// Whatever arrives, the highest stays: so two devices that write in any order, twice or late, end with the same row. The
/// milliseconds of ``pairedAt`` are the time of the token, by the server's clock. The microseconds within count changes of
/// the rest, such as a name, and the last of them is the end of that token: it wins over every name that another device gives
/// meanwhile, and loses to every later token.
package struct CloudVersion: Hashable, Sendable, Comparable {
    /// The microseconds of a deletion.
    private static let last = 999

    /// `paired_at`, in microseconds since 1970.
    package let pairedAt: Int

    /// `is_active`.
    package let isActive: Bool

    /// `device_id`; empty in a deletion, which is the same whoever asks for it.
    package let device: String

    package init(pairedAt: Int, isActive: Bool = true, device: String) {
        (self.pairedAt, self.isActive, self.device) = (pairedAt, isActive, device)
    }

    package static func < (left: CloudVersion, right: CloudVersion) -> Bool {
        (left.pairedAt, left.isActive ? 0 : 1, left.device) < (right.pairedAt, right.isActive ? 0 : 1, right.device)
    }

    /// The version that ends this token.
    var ended: CloudVersion {
        CloudVersion(pairedAt: GregorianDay.floor(pairedAt, 1_000) * 1_000 + Self.last, isActive: false, device: "")
    }

    /// Returns the version of the same token with another name or the like; `nil` where there were too many of these.
    func renamed(by device: String) -> CloudVersion? {
        let next = pairedAt + 1
        guard next - GregorianDay.floor(next, 1_000) * 1_000 < Self.last else { return nil }
        return CloudVersion(pairedAt: next, device: device)
    }

    /// Returns the version of a new token.
    ///
    /// - Parameters:
    ///   - time: The time of the token, in milliseconds since 1970, which a clock that was set back may put before the former
    ///     one.
    ///   - former: The version that it follows, if this device knows one.
    static func new(at time: Int, by device: String, after former: CloudVersion?) -> CloudVersion {
        let least = former.map { GregorianDay.floor($0.pairedAt, 1_000) + 1 } ?? time
        return CloudVersion(pairedAt: max(time, least) * 1_000, device: device)
    }
}

/// The content of a row, as far as it shows that it has changed: it tells nothing of the token. A value.
package struct CloudDigest: Hashable, Sendable {
    /// Tells one token from another.
    let token: [UInt8]

    /// Tells one name, trust and so on from another.
    let rest: [UInt8]

    /// The content of a row that has names in clear where this device seals them: it is none of this device's.
    static let ofClear = CloudDigest(token: [], rest: [0])

    package init(token: [UInt8], rest: [UInt8]) {
        (self.token, self.rest) = (token, rest)
    }
}
