/// A domain name as in DNS: labels of bytes (RFC 1035 §3.1), in one buffer.
///
/// Multicast DNS names should be UTF-8 (RFC 6762 §16) but can in fact hold any bytes; labels are therefore bytes here,
/// kept exactly as they came. Two names are equal when their bytes are, with ASCII letters folded (RFC 1035 §2.3.3, RFC
/// 6762 §16).
///
/// It is the only type for names: in DNS messages, in sightings, and in tables that are looked up by name. It has one
/// text form, ``escaped``.
public struct DomainName: Sendable {
    /// The maximum number of bytes in one label.
    public static let maximumLabelLength = 63

    /// The maximum number of bytes in a whole name on the wire: every label with its length byte, and the root's zero
    /// byte.
    public static let maximumWireLength = 255

    /// The name without labels.
    public static let root = DomainName(checkedWire: [0])

    /// The domain of multicast DNS (RFC 6762 §3).
    public static let local = DomainName(checkedWire: [5] + Array("local".utf8) + [0])

    /// The name that lists the service types of the link: `_services._dns-sd._udp.local` (RFC 6763 §9).
    package static let serviceTypes = DomainName(
        checkedWire: [9] + Array("_services".utf8) + [7] + Array("_dns-sd".utf8) + [4] + Array("_udp".utf8) + local.wire
    )

    /// The uncompressed wire form, 1–255 bytes: each label after its length byte, and the root's zero byte.
    public let wire: [UInt8]

    /// Creates a name from bytes that are known to be a valid wire form.
    package init(checkedWire: [UInt8]) {
        self.wire = checkedWire
    }

    /// Creates a name from its labels, the most specific one first, without the root.
    ///
    /// - Throws: `emptyLabel`, `labelTooLong` or `domainNameTooLong`.
    public init(labels: some Sequence<some Collection<UInt8>>) throws(DNSSDError) {
        var wire: [UInt8] = []
        for label in labels { try Self.append(label, to: &wire) }
        self.wire = wire + [0]
    }

    /// Appends one label to a wire form that does not have its root yet.
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

    /// The labels, the most specific one first, without the root.
    package var labels: DomainLabels { DomainLabels(wire: wire) }

    /// The name without its first label; `nil` for the root.
    public var parent: DomainName? {
        guard !isRoot else { return nil }
        return DomainName(checkedWire: Array(wire[(Int(wire[0]) + 1)...]))
    }

    /// Returns the name with one more label in front of it.
    ///
    /// - Throws: `emptyLabel`, `labelTooLong` or `domainNameTooLong`.
    public func prepending(_ label: some Collection<UInt8>) throws(DNSSDError) -> DomainName {
        var wire: [UInt8] = []
        try Self.append(label, to: &wire)
        guard wire.count + self.wire.count <= Self.maximumWireLength else { throw .domainNameTooLong }
        return DomainName(checkedWire: wire + self.wire)
    }

    /// Returns whether the name is the other one, or lies below it.
    public func isWithin(_ other: DomainName) -> Bool {
        let difference = wire.count - other.wire.count
        var position = 0
        while position < difference { position += Int(wire[position]) + 1 }
        return position == difference && Self.equal(wire[difference...], other.wire[...])
    }
}

extension DomainName: Comparable {
    /// By bytes, with ASCII letters folded. The order has no meaning in DNS.
    public static func < (lhs: DomainName, rhs: DomainName) -> Bool { ASCIICase.order(lhs.wire, rhs.wire) < 0 }
}

extension DomainName: Hashable {
    public static func == (lhs: DomainName, rhs: DomainName) -> Bool {
        lhs.wire.count == rhs.wire.count && equal(lhs.wire[...], rhs.wire[...])
    }

    public func hash(into hasher: inout Hasher) {
        // Length bytes are smaller than every letter, so that folding leaves them unchanged.
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

/// The labels of a ``DomainName``, one after the other, each 1–63 bytes.
package struct DomainLabels: Sequence, IteratorProtocol, Sendable {
    private let wire: [UInt8]
    private var position = 0

    init(wire: [UInt8]) {
        self.wire = wire
    }

    package mutating func next() -> ArraySlice<UInt8>? {
        let length = Int(wire[position])
        guard length > 0 else { return nil }
        let start = position + 1
        position = start + length
        return wire[start..<position]
    }
}
