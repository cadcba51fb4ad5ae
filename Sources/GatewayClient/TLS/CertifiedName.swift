/// A host name that a peer has to prove, and its comparison with the names in the peer's certificate (RFC 9525). A
/// value.
///
/// The TLS library compares as well, and accepts more: the address that the host name led to, which anybody who answers
/// for DNS chooses; the common name, where there is no other; and a wildcard within a label.
struct CertifiedName: Hashable, CustomStringConvertible {
    /// The labels in lower case, without the dot at the end.
    private let labels: [[UInt8]]

    /// Reads a host name of letters, digits and hyphens; `nil` for anything else, such as an address. A name of other
    /// letters has to be given in its form for DNS (`xn--…`).
    init?(_ host: String) {
        guard let labels = Self.labels(Array(host.utf8)), labels.allSatisfy(Self.isLabel), let last = labels.last,
            !Self.isNumber(last)
        else { return nil }
        self.labels = labels
    }

    /// Indicates whether a certificate with this `dNSName` is one for the host. A wildcard is the whole left-most
    /// label, and stands for one label.
    func isProved(by name: some Sequence<UInt8>) -> Bool {
        guard let names = Self.labels(Array(name)), names.count == labels.count else { return false }
        if names == labels { return true }
        return names.count > 1 && names[0] == [UInt8(ascii: "*")] && names.dropFirst() == labels.dropFirst()
    }

    /// The host name in lower case, without the dot at the end.
    var description: String { labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".") }

    /// Returns the labels in lower case; `nil` when one of them, or the whole, is empty or too long for DNS.
    private static func labels(_ name: [UInt8]) -> [[UInt8]]? {
        var name = name
        if name.last == UInt8(ascii: ".") { name.removeLast() }
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { label in
            label.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        }
        guard name.count <= 253, labels.allSatisfy({ (1...63).contains($0.count) }) else { return nil }
        return labels
    }

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

    /// Indicates whether resolvers would take a name that ends in this label for an address: `127.1`, `0x7f000001`.
    private static func isNumber(_ label: [UInt8]) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return label.allSatisfy(digits.contains) || label.starts(with: "0x".utf8)
    }
}
