/// A question to the other programs of this host, sent from a port of our own (RFC 6762 §6.7). A value: no clock, no
/// I/O.
///
/// A responder does not multicast a record again within a second of the last time (RFC 6762 §6), so that a browse that
/// begins just after a service was published would not see it until then. A query from a port other than 5353, however,
/// is answered at once and by unicast. The one-shot query itself does not reach this host, since it would mislead the
/// host's daemon; the engine runs where there is no daemon.
package struct OwnHostQuestion {
    /// The id that an answer has to repeat, which proves that its sender has seen the question.
    package let id: UInt16

    package init(id: UInt16) {
        self.id = id
    }

    /// Returns the packets that ask for the records of each of the names, such as the PTR records listed there. Each
    /// name has a packet of its own, so that an answer that is cut short affects that name only.
    package func packets(_ names: [DomainName], type: DNSRecordType = .ptr) -> [[UInt8]] {
        names.map { DNSMessage(id: id, questions: [DNSQuestion(oneShot: $0, type: type)]).encoded().bytes }
    }

    /// Returns the message in a packet if it is an answer from this host.
    ///
    /// - Parameters:
    ///   - source: The address and port that sent it.
    ///   - link: The link that was asked on.
    package func answer(in bytes: [UInt8], from source: Endpoint, on link: Link) -> DNSMessage? {
        guard source.port == MulticastGroup.port, link.isOwn(source.address),
            let message = try? DNSReceivedMessage(decoding: bytes).message, message.id == id, message.flags.isResponse
        else { return nil }
        return message
    }
}
