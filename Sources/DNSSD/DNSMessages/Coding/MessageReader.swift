/// A reader of the parts of a message, one after the other, and never past its end.
///
/// The bytes are passed to each call, since a value that holds a `Span` could not be mutated freely.
struct MessageReader {
    /// The number of bytes in the header. No name begins before this offset.
    static let headerLength = 12

    /// The highest number of compression pointers that a name may follow. A pointer that is not followed by a label is
    /// of no use, and there are at most 127 labels; without a limit the cost of a chain of pointers would grow with the
    /// square of its length.
    private static let maximumPointers = 127

    /// The offset at which to read on.
    private(set) var position = 0

    private var recent = RecentNames()

    // MARK: Numbers and bytes

    mutating func uint16(in bytes: Span<UInt8>) throws(DNSMessageError) -> UInt16 {
        guard bytes.count - position >= 2 else { throw DNSMessageError(.truncated, at: bytes.count) }
        defer { position += 2 }
        return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
    }

    mutating func uint32(in bytes: Span<UInt8>) throws(DNSMessageError) -> UInt32 {
        guard bytes.count - position >= 4 else { throw DNSMessageError(.truncated, at: bytes.count) }
        var value: UInt32 = 0
        for index in position..<(position + 4) { value = value << 8 | UInt32(bytes[index]) }
        position += 4
        return value
    }

    mutating func uint48(in bytes: Span<UInt8>) throws(DNSMessageError) -> UInt64 {
        let high = try uint16(in: bytes)
        return try UInt64(high) << 32 | UInt64(uint32(in: bytes))
    }

    mutating func uint128(in bytes: Span<UInt8>) throws(DNSMessageError) -> UInt128 {
        guard bytes.count - position >= 16 else { throw DNSMessageError(.truncated, at: bytes.count) }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for index in position..<(position + 8) { high = high << 8 | UInt64(bytes[index]) }
        for index in (position + 8)..<(position + 16) { low = low << 8 | UInt64(bytes[index]) }
        position += 16
        return UInt128(high) << 64 | UInt128(low)
    }

    mutating func bytes(_ count: Int, in bytes: Span<UInt8>) throws(DNSMessageError) -> [UInt8] {
        guard count <= bytes.count - position else { throw DNSMessageError(.truncated, at: bytes.count) }
        let start = position
        position += count
        guard count > 0 else { return [] }
        return [UInt8](capacity: count) { output in
            for index in start..<(start + count) { output.append(bytes[index]) }
        }
    }

    // MARK: Names

    /// Reads a name, compressed or not (RFC 1035 §4.1.4). Pointers lead only backwards.
    mutating func name(in bytes: Span<UInt8>) throws(DNSMessageError) -> DomainName {
        let start = position
        if bytes.count - start >= 2, bytes[start] >= 0xC0 {
            // A record that was skipped may have been read to a point beyond its end, where its names count as later.
            let target = Self.target(at: start, in: bytes)
            if target < start, let name = recent[target] {
                position += 2
                return name
            }
        }

        // The name is read twice: once to check and measure it, and once to copy it.
        var cursor = start
        var length = 0
        var end: Int?
        /// The offset at which the part of the name that is being read begins: the target of a pointer must be before
        /// it.
        var part = start
        var pointers = 0
        reading: while true {
            guard cursor < bytes.count else { throw DNSMessageError(.truncated, at: bytes.count) }
            let byte = bytes[cursor]
            switch byte >> 6 {
            case 0:
                length += Int(byte) + 1
                guard length <= DomainName.maximumWireLength else { throw DNSMessageError(.nameTooLong, at: cursor) }
                cursor += Int(byte) + 1
                guard cursor <= bytes.count else { throw DNSMessageError(.truncated, at: bytes.count) }
                if byte == 0 { break reading }
            case 3:
                guard cursor + 1 < bytes.count else { throw DNSMessageError(.truncated, at: bytes.count) }
                let target = Self.target(at: cursor, in: bytes)
                guard target < part, target >= Self.headerLength else {
                    throw DNSMessageError(.forwardPointer, at: cursor)
                }
                pointers += 1
                guard pointers <= Self.maximumPointers else { throw DNSMessageError(.tooManyPointers, at: cursor) }
                if end == nil { end = cursor + 2 }
                cursor = target
                part = target
            default:
                throw DNSMessageError(.reservedLabelType, at: cursor)
            }
        }
        position = end ?? cursor
        guard length > 1 else { return .root }
        let name = recent.shared(DomainName(checkedWire: Self.copy(from: start, length: length, in: bytes)))
        if end != start + 2 { recent.insert(name, at: start) }
        return name
    }

    // MARK: Entries that cannot be read

    /// Moves to the end of the question that begins at a position.
    ///
    /// - Returns: Whether its end was found.
    mutating func skipQuestion(at start: Int, in bytes: Span<UInt8>) -> Bool {
        position = start
        return skipName(in: bytes) && skip(4, in: bytes)
    }

    /// Moves to the end of the record that begins at a position, which follows from the length of its data.
    ///
    /// - Returns: Whether its end was found.
    mutating func skipRecord(at start: Int, in bytes: Span<UInt8>) -> Bool {
        position = start
        guard skipName(in: bytes), skip(8, in: bytes), let length = try? uint16(in: bytes) else { return false }
        return skip(Int(length), in: bytes)
    }

    /// Moves to the end of a name, wherever its pointer leads and however long it is.
    private mutating func skipName(in bytes: Span<UInt8>) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            switch byte >> 6 {
            case 0:
                guard skip(Int(byte) + 1, in: bytes) else { return false }
                if byte == 0 { return true }
            case 3: return skip(2, in: bytes)
            default: return false
            }
        }
        return false
    }

    private mutating func skip(_ count: Int, in bytes: Span<UInt8>) -> Bool {
        guard count <= bytes.count - position else { return false }
        position += count
        return true
    }

    private static func target(at position: Int, in bytes: Span<UInt8>) -> Int {
        Int(bytes[position] & 0x3F) << 8 | Int(bytes[position + 1])
    }

    /// Copies a name that has been checked and has this length.
    private static func copy(from start: Int, length: Int, in bytes: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: length) { output in
            var cursor = start
            while output.count < length {
                let byte = bytes[cursor]
                if byte >= 0xC0 {
                    cursor = target(at: cursor, in: bytes)
                } else {
                    let next = cursor + Int(byte) + 1
                    while cursor < next {
                        output.append(bytes[cursor])
                        cursor += 1
                    }
                }
            }
        }
    }
}
