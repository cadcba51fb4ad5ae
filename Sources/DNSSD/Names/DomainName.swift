/// A domain name as DNS has it: labels of bytes, without the root (RFC 1035 §3.1).
///
/// Multicast DNS names are UTF-8 by rule (RFC 6762 §16) and any bytes in fact, so that labels are bytes here. Two names
/// are equal when their bytes are, ASCII letters folded.
public struct DomainName: Sendable, CustomStringConvertible {
    /// The most bytes of one label.
    public static let maximumLabelLength = 63

    /// The most bytes of a whole name on the wire: every label with its length byte, and the root's zero byte.
    public static let maximumWireLength = 255

    /// The labels from the most specific to the top, each 1–63 bytes. Empty for the root.
    public let labels: [[UInt8]]

    /// A name of these labels.
    ///
    /// - Throws: `emptyLabel`, `labelTooLong` or `domainNameTooLong`.
    public init(labels: [[UInt8]]) throws(DNSSDError) {
        var length = 1
        for label in labels {
            try Self.check(label)
            length += label.count + 1
            guard length <= Self.maximumWireLength else { throw .domainNameTooLong }
        }
        self.labels = labels
    }

    /// The ``escaped`` text.
    public var description: String { escaped }

    static func check(_ label: [UInt8]) throws(DNSSDError) {
        guard !label.isEmpty else { throw .emptyLabel }
        guard label.count <= maximumLabelLength else { throw .labelTooLong(count: label.count) }
    }
}

extension DomainName: Hashable {
    public static func == (lhs: DomainName, rhs: DomainName) -> Bool {
        guard lhs.labels.count == rhs.labels.count else { return false }
        return zip(lhs.labels, rhs.labels).allSatisfy { ASCIICase.equal($0, $1) }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(labels.count)
        for label in labels { ASCIICase.hash(label, into: &hasher) }
    }
}
