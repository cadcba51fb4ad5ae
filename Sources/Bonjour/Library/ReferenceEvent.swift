/// An event that the library reports of a reference, as Swift values. A text is `nil` when it is not UTF-8.
enum ReferenceEvent: Hashable, Sendable {
    /// An instance has come or gone on an interface. Avahi's library tells of it once for each address family.
    case instance(isAdded: Bool, name: String?, type: String?, domain: String?, interface: UInt32)

    /// The SRV and TXT records of an instance. The host is an escaped name.
    case resolved(host: String?, port: UInt16, txt: [UInt8])

    /// A record, an address's bytes among them, has come or gone.
    case record(isAdded: Bool, data: [UInt8])

    /// A service is published, under this name.
    case registered(name: String?)

    /// The reference is of no use any longer.
    case failed(DNSServiceError)
}
