internal import DNSMessages

/// Packs questions into packets, many in each, with the answers that are known already (RFC 6762 §5.3, §7.1).
enum QuestionPackets {
    /// Questions for which nothing is known.
    static func make(_ questions: some Sequence<DNSQuestion>, limit: Int) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var encoder = DNSMessageEncoder(limit: limit, compression: .multicast)
        for question in questions where !encoder.append(question) {
            packets.append(encoder.finish())
            encoder = DNSMessageEncoder(limit: limit, compression: .multicast)
            // A name has 255 bytes at most: it fits an empty packet.
            _ = encoder.append(question)
        }
        if !encoder.isEmpty { packets.append(encoder.finish()) }
        return packets
    }

    /// Questions with known answers. What does not fit the first packet follows in packets without a question, and all
    /// but the last say with TC that more is to come (RFC 6762 §7.2).
    ///
    /// - Parameter maximum: How many packets at most. Answers past them come again, though they are known.
    static func make(
        _ questions: [DNSQuestion],
        knownAnswers: some Sequence<DNSRecord>,
        limit: Int,
        maximum: Int
    ) -> [[UInt8]] {
        var packets = make(questions.dropLast(), limit: limit)
        var encoder = DNSMessageEncoder(limit: limit, compression: .multicast)
        guard let last = questions.last, encoder.append(last) else { return packets }
        // The questions that all fit one packet, as they nearly always do, share it.
        if packets.count == 1 {
            var shared = DNSMessageEncoder(limit: limit, compression: .multicast)
            if questions.allSatisfy({ shared.append($0) }) {
                packets = []
                encoder = shared
            }
        }
        for record in knownAnswers where !encoder.append(record, to: .answers) {
            guard packets.count + 1 < maximum else { break }
            encoder.flags.isTruncated = true
            packets.append(encoder.finish())
            encoder = DNSMessageEncoder(limit: limit, compression: .multicast)
            _ = encoder.append(record, to: .answers)
        }
        packets.append(encoder.finish())
        return packets
    }
}
