/// An encoder that builds a packet piece by piece and reports for each piece whether it fits.
///
/// ## Usage
///
/// ```swift
/// var encoder = DNSMessageEncoder(flags: .authoritativeResponse, limit: 1_452, compression: .multicast)
/// for record in records where !encoder.append(record, to: .answers) {
///     packets.append(encoder.finish())
///     encoder = DNSMessageEncoder(flags: .authoritativeResponse, limit: 1_452, compression: .multicast)
///     _ = encoder.append(record, to: .answers)
/// }
/// packets.append(encoder.finish())
/// ```
package struct DNSMessageEncoder: Sendable {
    /// The largest number of bytes that a message can have: TCP sends the length in two bytes (RFC 1035 §4.2.2).
    package static let maximumLength = 65_535

    private var writer: MessageWriter
    private let limit: Int

    /// The flags that ``finish()`` writes.
    package var flags: DNSFlags

    /// The number of entries that have been appended to each section.
    package private(set) var counts = DNSSectionCounts()

    /// The last section that a record was appended to; `nil` while there are only questions.
    private var section: DNSSection?

    /// Begins a message.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - flags: The flags, which can be changed until ``finish()`` is called.
    ///   - limit: The number of bytes that the message may have, 12–65,535.
    ///   - compression: The names that are written as pointers.
    package init(
        id: UInt16 = 0,
        flags: DNSFlags = .query,
        limit: Int = maximumLength,
        compression: DNSNameCompression = .unicast
    ) {
        self.flags = flags
        self.limit = min(limit, Self.maximumLength)
        self.writer = MessageWriter(compression: compression, capacity: max(12, min(limit, 512)))
        writer.write(id)
        writer.write([0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    /// Indicates whether the message has nothing but its header.
    package var isEmpty: Bool { writer.bytes.count == MessageReader.headerLength }

    /// Appends a question.
    ///
    /// - Returns: Whether the question was appended: not if it does not fit, or if there are records already.
    package mutating func append(_ question: DNSQuestion) -> Bool {
        guard section == nil else { return false }
        let mark = writer.bytes.count
        writer.write(question)
        guard fits(from: mark) else { return false }
        counts.questions += 1
        return true
    }

    /// Appends a record to a section.
    ///
    /// - Returns: Whether the record was appended: not if it does not fit, or if a later section has begun.
    package mutating func append(_ record: DNSRecord, to section: DNSSection) -> Bool {
        if let begun = self.section, begun > section { return false }
        let mark = writer.bytes.count
        writer.write(record)
        guard fits(from: mark) else { return false }
        self.section = section
        switch section {
        case .answers: counts.answers += 1
        case .authorities: counts.authorities += 1
        case .additionals: counts.additionals += 1
        }
        return true
    }

    /// Returns the bytes of the message.
    package consuming func finish() -> [UInt8] {
        writer.replace(at: 2, by: flags.rawValue)
        // A count cannot exceed 65,535, since each entry takes at least five bytes.
        writer.replace(at: 4, by: UInt16(truncatingIfNeeded: counts.questions))
        writer.replace(at: 6, by: UInt16(truncatingIfNeeded: counts.answers))
        writer.replace(at: 8, by: UInt16(truncatingIfNeeded: counts.authorities))
        writer.replace(at: 10, by: UInt16(truncatingIfNeeded: counts.additionals))
        return writer.bytes
    }

    private mutating func fits(from mark: Int) -> Bool {
        guard writer.bytes.count > limit else { return true }
        writer.cut(to: mark)
        return false
    }
}
