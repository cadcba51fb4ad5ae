/// A host name by which a user named a place: sent in TLS (RFC 6066 §3) and in the `Host` of HTTP, it selects one of
/// several gateways behind one front, and it may be what a certificate has to prove.
///
/// It consists of letters, digits and hyphens, at most 253 bytes of it, and is in lower case without a dot at its end.
package struct ServerName: Hashable, Sendable, Comparable, LosslessStringConvertible {
    package let description: String

    /// Creates the name; `nil` for anything else than a host name, such as an address, also one in a form that resolvers
    /// accept (`127.1`, `0x7f000001`). A name of other letters has to be given in its form for DNS (`xn--…`).
    package init?(_ host: String) {
        guard let labels = Self.labels(host.utf8), labels.allSatisfy(Self.isLabel), let last = labels.last,
            !Self.isNumber(last)
        else { return nil }
        description = labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    }

    /// Indicates whether resolvers would take a text for an address, in whatever form: by its last label.
    package static func isNumeric(_ host: String) -> Bool {
        labels(host.utf8)?.last.map(isNumber) ?? false
    }

    /// Indicates whether it is the name of this host that is never looked up.
    var isLocalhost: Bool { description == "localhost" }

    /// Returns the labels of a name in lower case; `nil` when one of them, or the whole, is empty or too long for DNS.
    package static func labels(_ name: some Sequence<UInt8>) -> [[UInt8]]? {
        var name = Array(name)
        if name.last == UInt8(ascii: ".") { name.removeLast() }
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { label in
            label.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        }
        guard name.count <= 253, labels.allSatisfy({ (1...63).contains($0.count) }) else { return nil }
        return labels
    }

    package static func < (lhs: ServerName, rhs: ServerName) -> Bool { lhs.description < rhs.description }

    private static func isLabel(_ label: [UInt8]) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return label.first != hyphen && label.last != hyphen
            && label.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), hyphen: true
                default: false
                }
            }
    }

    /// Indicates whether resolvers would take a name that ends in this label for an address.
    private static func isNumber(_ label: [UInt8]) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return label.allSatisfy(digits.contains) || label.starts(with: "0x".utf8)
    }
}
