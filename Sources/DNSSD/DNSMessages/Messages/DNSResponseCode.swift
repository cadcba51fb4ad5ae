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
}
