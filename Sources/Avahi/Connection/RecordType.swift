internal import CAvahiCommon

/// The record types that a DNS-SD client needs (RFC 6763 §4), by their numbers in DNS.
struct RecordType: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    static let a = RecordType(rawValue: UInt16(AVAHI_DNS_TYPE_A))
    static let aaaa = RecordType(rawValue: UInt16(AVAHI_DNS_TYPE_AAAA))
    static let srv = RecordType(rawValue: UInt16(AVAHI_DNS_TYPE_SRV))
    static let txt = RecordType(rawValue: UInt16(AVAHI_DNS_TYPE_TXT))
}
