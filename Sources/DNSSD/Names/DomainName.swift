/// A domain name as DNS has it: labels of bytes (RFC 1035 §3.1), in one buffer.
///
/// Multicast DNS names are UTF-8 by rule (RFC 6762 §16) and any bytes in fact, so that labels are bytes here, kept exactly
/// as they came. Two names are equal when their bytes are, ASCII letters folded (RFC 1035 §2.3.3, RFC 6762 §16).
///
/// It is the one type of names: in DNS messages, in sightings, and in the tables that are looked up by name. As text it has
/// one form, ``escaped``.
public struct DomainName: Sendable {
    /// The most bytes of one label.
    public static let maximumLabelLength = 63

    /// The most bytes of a whole name on the wire: every label with its length byte, and the root's zero byte.
    public static let maximumWireLength = 255

    /// The name of no labels.
    public static let root = DomainName(checkedWire: [0])

    /// The uncompressed wire form: each label behind its length, and the root's zero byte. 1–255 bytes.
    public let wire: [UInt8]

    /// A name whose bytes are known to be a wire form.
    package init(checkedWire: [UInt8]) {
        self.wire = checkedWire
    }

    /// A name of these labels, from the most specific to the top, without the root.
    ///
    /// - Throws: `emptyLabel`, `labelTooLong` or `domainNameTooLong`.
    public init(labels: some Sequence<some Collection<UInt8>>) throws(DNSSDError) {
        var wire: [UInt8] = []
        for label in labels { try Self.append(label, to: &wire) }
        self.wire = wire + [0]
    }

    /// Appends one label to a wire form that has no root yet.
    private static func append(_ label: some Collection<UInt8>, to wire: inout [UInt8]) throws(DNSSDError) {
        try check(length: label.count)
        guard wire.count + label.count + 2 <= maximumWireLength else { throw .domainNameTooLong }
        wire.append(UInt8(truncatingIfNeeded: label.count))
        wire += label
    }

    static func check(length: Int) throws(DNSSDError) {
        guard length > 0 else { throw .emptyLabel }
        guard length <= maximumLabelLength else { throw .labelTooLong(count: length) }
    }

    /// Indicates whether the name is the root.
    public var isRoot: Bool { wire.count == 1 }

    /// The labels from the most specific to the top, without the root.
    public var labels: DomainLabels { DomainLabels(wire: wire) }

    /// The name without its first label; `nil` for the root.
    public var parent: DomainName? {
        guard !isRoot else { return nil }
        return DomainName(checkedWire: Array(wire[(Int(wire[0]) + 1)...]))
    }

    /// The name with one more label before it.
    ///
    /// - Throws: `emptyLabel`, `labelTooLong` or `domainNameTooLong`.
    public func prepending(_ label: some Collection<UInt8>) throws(DNSSDError) -> DomainName {
        var wire: [UInt8] = []
        try Self.append(label, to: &wire)
        guard wire.count + self.wire.count <= Self.maximumWireLength else { throw .domainNameTooLong }
        return DomainName(checkedWire: wire + self.wire)
    }

    /// Returns whether the name is the other one, or stands below it.
    public func isWithin(_ other: DomainName) -> Bool {
        let difference = wire.count - other.wire.count
        var position = 0
        while position < difference { position += Int(wire[position]) + 1 }
        return position == difference && Self.equal(wire[difference...], other.wire[...])
    }
}

extension DomainName: Hashable {
    public static func == (lhs: DomainName, rhs: DomainName) -> Bool {
        lhs.wire.count == rhs.wire.count && equal(lhs.wire[...], rhs.wire[...])
    }

    public func hash(into hasher: inout Hasher) {
        // Length bytes are below every letter, and stay as they are.
        ASCIICase.hash(wire, into: &hasher)
    }

    private static func equal(_ lhs: ArraySlice<UInt8>, _ rhs: ArraySlice<UInt8>) -> Bool {
        guard lhs.count == rhs.count else { return false }
        let (left, right) = (lhs.span, rhs.span)
        for index in left.indices {
            let (one, other) = (left[index], right[index])
            guard one == other || ASCIICase.lowered(one) == ASCIICase.lowered(other) else { return false }
        }
        return true
    }
}
