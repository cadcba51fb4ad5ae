internal import CAvahiCommon
internal import DNSSD

/// An event that an Avahi object reports through its callback, as Swift values.
enum ObjectEvent: Sendable {
    /// The kind of a change: something is new, or it is gone.
    enum Kind: Sendable {
        case new
        case remove
    }

    /// A service browser saw an instance come or go. A string is `nil` when it is not UTF-8. `isOurs` means published
    /// through this very connection, `isOwn` published by any program through the daemon of this host.
    case instance(Kind, name: String?, type: String?, domain: String?, on: AvahiPath, isOurs: Bool, isOwn: Bool)

    /// A record browser saw a record come or go.
    case record(Kind, data: [UInt8], on: AvahiPath)

    /// A resolver has found the SRV and TXT records of an instance. The host is an escaped name.
    case resolved(host: String?, port: UInt16, txt: [[UInt8]])

    /// The daemon has reported everything that its cache held.
    case cacheExhausted

    /// The daemon expects nothing more for now, which does not mean that the network has answered.
    case allForNow

    /// The daemon gave up on the object.
    case failed(AvahiError)

    /// The names in an entry group are being probed for.
    case groupRegistering

    /// An entry group is visible on the network.
    case groupEstablished

    /// A name in an entry group is taken; nothing of the group is visible.
    case groupCollision
}

/// The record types that a DNS-SD client needs (RFC 6763 §4), by their numbers in DNS.
struct RecordType: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    static let a = RecordType(rawValue: UInt16(AVAHI_DNS_TYPE_A))
    static let aaaa = RecordType(rawValue: UInt16(AVAHI_DNS_TYPE_AAAA))
    static let srv = RecordType(rawValue: UInt16(AVAHI_DNS_TYPE_SRV))
    static let txt = RecordType(rawValue: UInt16(AVAHI_DNS_TYPE_TXT))
}

/// A path as Avahi names it: the number of an interface, and a family.
struct AvahiPath: Hashable, Sendable {
    /// The system's index of the interface.
    let interface: Int32

    /// The family of the packets.
    let family: AddressFamily
}
