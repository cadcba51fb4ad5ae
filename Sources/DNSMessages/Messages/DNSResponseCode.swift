/// The outcome of a query or an update (RFC 1035 §4.1.1, RFC 2136 §2.2), in four bits; EDNS adds eight more.
public struct DNSResponseCode: RawRepresentable, Hashable, Sendable {
    /// The number, 0–15.
    public let rawValue: UInt8

    /// Creates a response code from its number; bits above the fourth are ignored.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue & 0xF
    }

    /// The request succeeded.
    public static let noError = DNSResponseCode(rawValue: 0)
    /// The server does not understand the message.
    public static let formatError = DNSResponseCode(rawValue: 1)
    /// The server failed to process the request.
    public static let serverFailure = DNSResponseCode(rawValue: 2)
    /// The name does not exist.
    public static let nameError = DNSResponseCode(rawValue: 3)
    /// The server does not support this kind of request.
    public static let notImplemented = DNSResponseCode(rawValue: 4)
    /// The server refuses the request.
    public static let refused = DNSResponseCode(rawValue: 5)
    /// A name exists that should not exist.
    public static let nameExists = DNSResponseCode(rawValue: 6)
    /// Records exist that should not exist.
    public static let recordsExist = DNSResponseCode(rawValue: 7)
    /// Records that should exist do not exist.
    public static let recordsMissing = DNSResponseCode(rawValue: 8)
    /// The server has no authority, or the signature is invalid.
    public static let notAuthorized = DNSResponseCode(rawValue: 9)
    /// A name is not in the zone.
    public static let notInZone = DNSResponseCode(rawValue: 10)
}
