/// The outcome of a question or an update (RFC 1035 §4.1.1, RFC 2136 §2.2). Four bits; EDNS has eight more.
public struct DNSResponseCode: RawRepresentable, Hashable, Sendable {
    /// The number, 0–15.
    public let rawValue: UInt8

    /// A response code by its number; bits above the fourth are left out.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue & 0xF
    }

    /// Without trouble.
    public static let noError = DNSResponseCode(rawValue: 0)
    /// The server does not understand the message.
    public static let formatError = DNSResponseCode(rawValue: 1)
    /// The server is in trouble.
    public static let serverFailure = DNSResponseCode(rawValue: 2)
    /// The name does not exist.
    public static let nameError = DNSResponseCode(rawValue: 3)
    /// The server does not do that.
    public static let notImplemented = DNSResponseCode(rawValue: 4)
    /// The server does not want to.
    public static let refused = DNSResponseCode(rawValue: 5)
    /// A name exists that should not.
    public static let nameExists = DNSResponseCode(rawValue: 6)
    /// Records exist that should not.
    public static let recordsExist = DNSResponseCode(rawValue: 7)
    /// Records do not exist that should.
    public static let recordsMissing = DNSResponseCode(rawValue: 8)
    /// The server has no authority, or the signature is not right.
    public static let notAuthorized = DNSResponseCode(rawValue: 9)
    /// A name is not in the zone.
    public static let notInZone = DNSResponseCode(rawValue: 10)
}
