/// The two address families over which multicast DNS runs (RFC 6762 §3: 224.0.0.251 and ff02::fb).
public enum AddressFamily: String, Hashable, Sendable, CaseIterable, Comparable {
    case ipv4
    case ipv6

    public static func < (lhs: AddressFamily, rhs: AddressFamily) -> Bool {
        lhs == .ipv4 && rhs == .ipv6
    }
}
