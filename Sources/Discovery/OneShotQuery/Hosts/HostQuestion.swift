internal import DNSSD

/// A question for the addresses of one host of the link, sent from a port of our own (RFC 6762 §6.7). A value: no
/// clock, no I/O.
struct HostQuestion: LinkQuestion {
    /// Enough for the other family and the other links.
    static let timeAfterFirstAnswer: Duration? = .milliseconds(200)

    /// The largest number of addresses that are accepted, since anybody on the link may answer.
    static let mostAddresses = 16

    /// The id that an answer has to repeat, which proves that its sender has seen the question.
    let id: UInt16

    /// The host, such as `studio.local`.
    let name: DomainName

    /// The addresses in the answers, in the order in which they came. Link-local IPv6 addresses have the link's
    /// interface as their scope.
    private(set) var addresses: [IPAddress] = []

    var answers: [IPAddress] { addresses }

    init(id: UInt16, name: DomainName) {
        self.id = id
        self.name = name
    }

    /// The packets that ask the question, one for each family, so that an answer that is cut affects one family only.
    var packets: [[UInt8]] {
        [DNSRecordType.a, .aaaa].map {
            DNSMessage(id: id, questions: [DNSQuestion(oneShot: name, type: $0)]).encoded().bytes
        }
    }

    mutating func receive(_ message: DNSMessage, on link: Link) {
        for record in message.answers + message.additionals where record.name == name && record.ttl > 0 {
            guard let address = record.data.address(on: link.interface), addresses.count < Self.mostAddresses,
                !addresses.contains(address)
            else { continue }
            addresses.append(address)
        }
    }
}
