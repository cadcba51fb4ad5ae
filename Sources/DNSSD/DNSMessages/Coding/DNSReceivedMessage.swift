/// A message from the network, as far as it can be read.
///
/// An entry that cannot be read has no effect, and takes no others with it: it is skipped by its length. Middleboxes
/// damage single records (Avahi's reflector copies the compression pointers of NSEC records, which then lead anywhere),
/// and simple responders end a packet in the middle of a record. Where the length is not known either, what came before
/// is kept.
package struct DNSReceivedMessage: Hashable, Sendable {
    /// The message, without the entries that cannot be read.
    package let message: DNSMessage

    /// The number of entries of each section that the header announces and the message lacks.
    package let skipped: DNSSectionCounts

    /// Indicates whether the message ends before its last entry, or cannot be followed to there.
    package let isCut: Bool

    /// The first error.
    let error: DNSMessageError?

    /// Creates a message that was read completely.
    package init(_ message: DNSMessage) {
        self.init(message: message, skipped: DNSSectionCounts(), isCut: false, error: nil)
    }

    init(message: DNSMessage, skipped: DNSSectionCounts, isCut: Bool, error: DNSMessageError?) {
        self.message = message
        self.skipped = skipped
        self.isCut = isCut
        self.error = error
    }

    /// Indicates whether everything was read.
    package var isComplete: Bool { error == nil }
}

extension DNSReceivedMessage {
    /// Reads a message as far as possible.
    ///
    /// Decoding terminates whatever the bytes are, and allocates no more than the returned message needs: at most 255
    /// bytes for a name, and at most one record for every eleven bytes. Bytes after the last record are ignored.
    ///
    /// - Parameter bytes: The whole packet.
    /// - Throws: When not a single entry of a message that is to have some can be read: then it is none.
    package init(decoding bytes: Span<UInt8>) throws(DNSMessageError) {
        self = try Self.read(bytes)
        if let error, message.counts == DNSSectionCounts() { throw error }
    }

    /// Reads a message as far as possible; see ``init(decoding:)-(Span<UInt8>)``.
    package init(decoding bytes: [UInt8]) throws(DNSMessageError) {
        try self.init(decoding: bytes.span)
    }

    /// Reads a message, of which only the header must be there.
    static func read(_ bytes: Span<UInt8>) throws(DNSMessageError) -> DNSReceivedMessage {
        var reader = EntryReader()
        let id = try reader.reader.uint16(in: bytes)
        let flags = DNSFlags(rawValue: try reader.reader.uint16(in: bytes))
        let announced = DNSSectionCounts(
            questions: Int(try reader.reader.uint16(in: bytes)),
            answers: Int(try reader.reader.uint16(in: bytes)),
            authorities: Int(try reader.reader.uint16(in: bytes)),
            additionals: Int(try reader.reader.uint16(in: bytes))
        )
        let message = DNSMessage(
            id: id,
            flags: flags,
            questions: reader.questions(announced.questions, in: bytes),
            answers: reader.records(announced.answers, in: bytes),
            authorities: reader.records(announced.authorities, in: bytes),
            additionals: reader.records(announced.additionals, in: bytes)
        )
        let read = message.counts
        let skipped = DNSSectionCounts(
            questions: announced.questions - read.questions,
            answers: announced.answers - read.answers,
            authorities: announced.authorities - read.authorities,
            additionals: announced.additionals - read.additionals
        )
        return DNSReceivedMessage(message: message, skipped: skipped, isCut: reader.isCut, error: reader.error)
    }
}
