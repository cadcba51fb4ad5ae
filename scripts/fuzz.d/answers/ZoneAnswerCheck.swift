import DNSSD

/// The promises of a reader of answers to questions about zones, beside those of the codec.
enum ZoneAnswerCheck {
    /// Returns a description of what is read wrongly in a packet; `nil` if nothing is.
    static func complaint(about packet: [UInt8]) -> String? {
        guard let message = try? DNSReceivedMessage(decoding: packet).message else { return nil }
        let questions =
            message.questions.prefix(2).map { ZoneQuestion(name: $0.name, type: $0.type) }
            + message.answers.prefix(2).map { ZoneQuestion(name: $0.name, type: $0.type) }
        for question in questions {
            for usedEDNS in [false, true] {
                let answer = ZoneAnswer(message, to: question, usedEDNS: usedEDNS)
                if let complaint = complaint(about: answer, to: question, in: message) { return complaint }
            }
        }
        return nil
    }

    private static func complaint(
        about answer: ZoneAnswer,
        to question: ZoneQuestion,
        in message: DNSMessage
    ) -> String? {
        let lifetimes = Duration.seconds(1)...(.seconds(86_400))
        guard lifetimes.contains(answer.lifetime) else { return "an answer holds for \(answer.lifetime)" }
        switch answer.finding {
        case .records(let found):
            if found.isEmpty { return "an answer has records, and none" }
            let isSaid = found.allSatisfy { data in
                message.answers.contains { $0.type == question.type && $0.data == data }
            }
            if !isSaid { return "an answer has records that have not come" }
        case .alias(let name):
            if name == question.name { return "a name is an alias of itself" }
        case .none, .useless, .withoutEDNS: break
        }
        for (other, found) in answer.others {
            guard [.srv, .txt, .a, .aaaa].contains(other.type) else { return "a record of another type came along" }
            guard !found.records.isEmpty, lifetimes.contains(found.lifetime) else { return "nothing came along" }
        }
        return nil
    }
}
