package import DNSSD

/// A question to the other programs of this very host, from a port of our own (RFC 6762 §6.7). A value: no clock, no I/O.
///
/// A record that one of them has multicast is not multicast again within a second, whoever asks (RFC 6762 §6): a browse that
/// begins just after a service was published would not see it until then. Who asks from a port of his own is answered at
/// once, and alone. The one-shot query leaves this host out, since its daemon would be misled; the engine works where there
/// is none.
package struct OwnHostQuestion {
    /// The id that an answer has to repeat: who answers must have seen it.
    package let id: UInt16

    package init(id: UInt16) {
        self.id = id
    }

    /// The packets that ask for the records of each of the names, such as what is listed there: answers that are cut are cut
    /// for each.
    package func packets(_ names: [DomainName], type: DNSRecordType = .ptr) -> [[UInt8]] {
        names.map { DNSMessage(id: id, questions: [DNSQuestion(name: $0, type: type)]).encoded().bytes }
    }

    /// Returns the message in a packet, if it is an answer from this host.
    ///
    /// - Parameters:
    ///   - source: The address and port that sent it.
    ///   - link: The link that was asked on.
    package func answer(in bytes: [UInt8], from source: Endpoint, on link: Link) -> DNSMessage? {
        guard source.port == MulticastGroup.port, link.isOwn(source.address),
            let message = try? DNSMessage(decoding: bytes), message.id == id, message.flags.isResponse
        else { return nil }
        return message
    }
}
