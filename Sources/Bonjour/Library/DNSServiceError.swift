internal import CDNSServiceDiscovery

/// An error number of libdns_sd.
struct DNSServiceError: RawRepresentable, Error, Hashable, Sendable, CustomStringConvertible {
    let rawValue: Int32

    init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The error behind a result; `nil` when it is a success.
    init?(_ result: ErrorNumber) {
        guard result.rawValue != Int32(kDNSServiceErr_NoError) else { return nil }
        self.init(rawValue: result.rawValue)
    }

    var description: String { "DNS service error \(rawValue)" }

    /// An error that has no number of its own. Avahi's library returns it when there is no daemon or bus, and when its
    /// daemon goes away: `kDNSServiceErr_Unknown`.
    static let unknown = DNSServiceError(rawValue: Int32(kDNSServiceErr_Unknown))
    /// The library does not support the call, or one of its flags: `kDNSServiceErr_Unsupported`.
    static let unsupported = DNSServiceError(rawValue: Int32(kDNSServiceErr_Unsupported))
    /// A parameter is malformed: `kDNSServiceErr_BadParam`.
    static let badParameter = DNSServiceError(rawValue: Int32(kDNSServiceErr_BadParam))
    /// The request makes no sense: `kDNSServiceErr_Invalid`.
    static let invalid = DNSServiceError(rawValue: Int32(kDNSServiceErr_Invalid))
    /// The name is taken: `kDNSServiceErr_NameConflict`.
    static let nameConflict = DNSServiceError(rawValue: Int32(kDNSServiceErr_NameConflict))
    /// This process has already registered the same service: `kDNSServiceErr_AlreadyRegistered`.
    static let alreadyRegistered = DNSServiceError(rawValue: Int32(kDNSServiceErr_AlreadyRegistered))
    /// The daemon refuses the request: `kDNSServiceErr_Refused`.
    static let refused = DNSServiceError(rawValue: Int32(kDNSServiceErr_Refused))
    /// The user lacks the permission: `kDNSServiceErr_NoAuth`.
    static let notAuthorized = DNSServiceError(rawValue: Int32(kDNSServiceErr_NoAuth))
    /// Out of memory: `kDNSServiceErr_NoMemory`.
    static let noMemory = DNSServiceError(rawValue: Int32(kDNSServiceErr_NoMemory))
    /// There is no such record: `kDNSServiceErr_NoSuchRecord`.
    static let noSuchRecord = DNSServiceError(rawValue: Int32(kDNSServiceErr_NoSuchRecord))
}
