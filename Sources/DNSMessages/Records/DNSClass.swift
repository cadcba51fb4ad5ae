/// The class of a record or a question, without the bit that multicast DNS puts on top of it (RFC 6762 §10.2, §5.4).
public struct DNSClass: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number, 0–32,767.
    public let rawValue: UInt16

    /// A class by its number; the topmost bit is left out.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue & 0x7FFF
    }

    /// The Internet (RFC 1035 §3.2.4).
    public static let internet = DNSClass(rawValue: 1)
    /// In an update: this very record shall go (RFC 2136 §2.5.4).
    public static let none = DNSClass(rawValue: 254)
    /// Every class; in an update: all records of a name or type shall go (RFC 2136 §2.5.2).
    public static let any = DNSClass(rawValue: 255)

    /// Its mnemonic; `CLASS4096` for one that has none here (RFC 3597 §5).
    public var description: String {
        switch self {
        case .internet: "IN"
        case .none: "NONE"
        case .any: "ANY"
        default: "CLASS\(rawValue)"
        }
    }
}
