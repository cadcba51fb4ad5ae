/// The class of a record or a question, without the topmost bit, to which multicast DNS gives a meaning of its own (RFC
/// 6762 §10.2, §5.4).
package struct DNSClass: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number, 0–32,767.
    package let rawValue: UInt16

    /// Creates a class from its number; the topmost bit is ignored.
    package init(rawValue: UInt16) {
        self.rawValue = rawValue & 0x7FFF
    }

    /// The Internet (RFC 1035 §3.2.4).
    package static let internet = DNSClass(rawValue: 1)
    /// In an update: delete exactly this record (RFC 2136 §2.5.4).
    package static let none = DNSClass(rawValue: 254)
    /// Every class; in an update: delete all records of a name or type (RFC 2136 §2.5.2).
    package static let any = DNSClass(rawValue: 255)

    /// The mnemonic of the class, or a text such as `CLASS4096` where none is known here (RFC 3597 §5).
    package var description: String {
        switch self {
        case .internet: "IN"
        case .none: "NONE"
        case .any: "ANY"
        default: "CLASS\(rawValue)"
        }
    }
}
