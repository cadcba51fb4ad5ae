/// The outcome of a query or an update (RFC 1035 §4.1.1, RFC 2136 §2.2), in four bits; EDNS adds eight more.
package struct DNSResponseCode: RawRepresentable, Hashable, Sendable {
    /// The number, 0–15.
    package let rawValue: UInt8

    /// Creates a response code from its number; bits above the fourth are ignored.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue & 0xF
    }

    /// The request succeeded.
    package static let noError = DNSResponseCode(rawValue: 0)
    /// The server failed.
    package static let serverFailure = DNSResponseCode(rawValue: 2)
    /// There is no such name.
    package static let noSuchName = DNSResponseCode(rawValue: 3)
    /// The server does not do that.
    package static let notImplemented = DNSResponseCode(rawValue: 4)
    /// The server does not do that for this asker.
    package static let refused = DNSResponseCode(rawValue: 5)
    /// A name exists that must not (RFC 2136 §2.2).
    package static let nameExists = DNSResponseCode(rawValue: 6)
    /// Records exist that must not.
    package static let recordsExist = DNSResponseCode(rawValue: 7)
    /// Records that must exist do not, or are others.
    package static let recordsMissing = DNSResponseCode(rawValue: 8)
    /// The server is not the zone's, or does not accept the signature (RFC 8945 §5.2).
    package static let notAuthoritative = DNSResponseCode(rawValue: 9)
    /// A name is not in the zone.
    package static let notInZone = DNSResponseCode(rawValue: 10)
}

extension DNSResponseCode: CustomStringConvertible {
    private static let mnemonics = [
        "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED", "YXDOMAIN", "YXRRSET", "NXRRSET", "NOTAUTH",
        "NOTZONE",
    ]

    /// The mnemonic of the code, or a text such as `RCODE11` where none is known here.
    package var description: String {
        Int(rawValue) < Self.mnemonics.count ? Self.mnemonics[Int(rawValue)] : "RCODE\(rawValue)"
    }
}
