/// A domain name as DNS has it: labels of bytes (RFC 1035 §3.1), in one buffer.
///
/// The bytes are kept exactly as they came. Two names are equal when their bytes are, ASCII letters folded (RFC 1035
/// §2.3.3, RFC 6762 §16).
public struct DNSName: Sendable {
    /// The most bytes of one label.
    public static let maximumLabelLength = 63

    /// The most bytes of a whole name, each label with its length byte, and the root's zero byte.
    public static let maximumLength = 255

    /// The name of no labels.
    public static let root = DNSName(checkedWire: [0])

    /// The uncompressed wire form: each label behind its length, and the root's zero byte. 1–255 bytes.
    public let wire: [UInt8]

    /// A name whose bytes are known to be a wire form.
    init(checkedWire: [UInt8]) {
        self.wire = checkedWire
    }

    /// A name of these labels, from the most specific to the top, without the root.
    ///
    /// - Throws: `emptyLabel`, `labelTooLong` or `nameTooLong`. The offset counts in the wire form.
    public init(labels: some Sequence<some Collection<UInt8>>) throws(DNSMessageError) {
        var wire: [UInt8] = []
        for label in labels { try Self.append(label, to: &wire) }
        self.wire = wire + [0]
    }

    /// Reads the uncompressed wire form, and nothing behind it.
    ///
    /// - Throws: `truncated`, `reservedLabelType` for a length byte past 63, or `nameTooLong`, for bytes behind the
    ///   root as well.
    public init(wire bytes: some Collection<UInt8>) throws(DNSMessageError) {
        let wire = Array(bytes.prefix(Self.maximumLength + 1))
        guard wire.count <= Self.maximumLength else { throw DNSMessageError(.nameTooLong, at: Self.maximumLength) }
        var position = 0
        while true {
            guard position < wire.count else { throw DNSMessageError(.truncated, at: wire.count) }
            let length = Int(wire[position])
            guard length <= Self.maximumLabelLength else { throw DNSMessageError(.reservedLabelType, at: position) }
            position += length + 1
            if length == 0 { break }
        }
        guard position == wire.count else { throw DNSMessageError(.nameTooLong, at: position) }
        self.wire = wire
    }

    /// Appends one label to a wire form that has no root yet.
    static func append(_ label: some Collection<UInt8>, to wire: inout [UInt8]) throws(DNSMessageError) {
        guard !label.isEmpty else { throw DNSMessageError(.emptyLabel, at: wire.count) }
        guard label.count <= maximumLabelLength else { throw DNSMessageError(.labelTooLong, at: wire.count) }
        guard wire.count + label.count + 2 <= maximumLength else { throw DNSMessageError(.nameTooLong, at: wire.count) }
        wire.append(UInt8(truncatingIfNeeded: label.count))
        wire += label
    }

    /// Whether it is the root.
    public var isRoot: Bool { wire.count == 1 }

    /// The labels from the most specific to the top, without the root.
    public var labels: DNSLabels { DNSLabels(wire: wire) }

    /// The name without its first label; `nil` for the root.
    public var parent: DNSName? {
        guard !isRoot else { return nil }
        return DNSName(checkedWire: Array(wire[(Int(wire[0]) + 1)...]))
    }

    /// The name with one more label before it.
    ///
    /// - Throws: `emptyLabel`, `labelTooLong` or `nameTooLong`.
    public func prepending(_ label: some Collection<UInt8>) throws(DNSMessageError) -> DNSName {
        var wire: [UInt8] = []
        try Self.append(label, to: &wire)
        guard wire.count + self.wire.count <= Self.maximumLength else {
            throw DNSMessageError(.nameTooLong, at: wire.count)
        }
        return DNSName(checkedWire: wire + self.wire)
    }

    /// Whether it is the other name, or stands below it.
    public func isWithin(_ other: DNSName) -> Bool {
        let difference = wire.count - other.wire.count
        var position = 0
        while position < difference { position += Int(wire[position]) + 1 }
        return position == difference && Self.equal(wire[difference...], other.wire[...])
    }
}

extension DNSName: Hashable {
    public static func == (lhs: DNSName, rhs: DNSName) -> Bool {
        lhs.wire.count == rhs.wire.count && equal(lhs.wire[...], rhs.wire[...])
    }

    public func hash(into hasher: inout Hasher) {
        // Eight bytes at a time: a hasher's cost is per call. Length bytes are below every letter, and stay as they are.
        var word: UInt64 = 0
        var count = 0
        for byte in wire {
            word = word << 8 | UInt64(Self.lowered(byte))
            count += 1
            if count & 7 == 0 {
                hasher.combine(word)
                word = 0
            }
        }
        hasher.combine(word)
        hasher.combine(count)
    }

    /// The lower-case form of an ASCII capital; every other byte as it is.
    static func lowered(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    private static func equal(_ lhs: ArraySlice<UInt8>, _ rhs: ArraySlice<UInt8>) -> Bool {
        guard lhs.count == rhs.count else { return false }
        let (left, right) = (lhs.span, rhs.span)
        for index in left.indices {
            let (one, other) = (left[index], right[index])
            guard one == other || lowered(one) == lowered(other) else { return false }
        }
        return true
    }
}
