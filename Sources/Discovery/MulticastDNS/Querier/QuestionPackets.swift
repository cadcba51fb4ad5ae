internal import DNSSD

/// A packer of questions into packets, many in each, with the answers that are known already (RFC 6762 §5.3, §7.1).
enum QuestionPackets {
    /// Returns packets with questions for which no answers are known.
    static func make(_ questions: some Sequence<DNSQuestion>, limit: Int) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var encoder = DNSMessageEncoder(limit: limit, compression: .multicast)
        for question in questions where !encoder.append(question) {
            packets.append(encoder.finish())
            encoder = DNSMessageEncoder(limit: limit, compression: .multicast)
            // A name has at most 255 bytes, so that the question fits into an empty packet.
            _ = encoder.append(question)
        }
        if !encoder.isEmpty { packets.append(encoder.finish()) }
        return packets
    }

    /// Returns packets with questions and known answers. Answers that do not fit into the first packet follow in
    /// packets without a question, and all but the last have TC set, which means that more follow (RFC 6762 §7.2).
    ///
    /// - Parameter maximum: The highest number of packets. Known answers that do not fit into them are left out, and
    ///   will be sent again by responders.
    static func make(
        _ questions: [DNSQuestion],
        knownAnswers: some Sequence<DNSRecord>,
        limit: Int,
        maximum: Int
    ) -> [[UInt8]] {
        var packets = make(questions.dropLast(), limit: limit)
        var encoder = DNSMessageEncoder(limit: limit, compression: .multicast)
        guard let last = questions.last, encoder.append(last) else { return packets }
        // If all questions fit into one packet, as they nearly always do, they share it with the first known answers.
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
