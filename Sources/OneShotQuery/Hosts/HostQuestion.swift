internal import DNSMessages
internal import DNSSD
internal import EventLoops

/// A question for the addresses of one host of the link, from a port of our own (RFC 6762 §6.7). A value: no clock, no I/O.
struct HostQuestion {
    /// The most addresses that are taken: anybody on the link may answer.
    static let mostAddresses = 16

    /// The id that an answer has to repeat: who answers must have seen it.
    let id: UInt16

    /// The host, such as `studio.local`.
    let name: DomainName

    /// The addresses that were answered, in the order in which they came. Link-local IPv6 has the link's interface as its
    /// scope.
    private(set) var addresses: [IPAddress] = []

    init(id: UInt16, name: DomainName) {
        self.id = id
        self.name = name
    }

    /// The packets that ask, one for each family: an answer that is cut is cut for one.
    var packets: [[UInt8]] {
        [DNSRecordType.a, .aaaa].map {
            DNSMessage(id: id, questions: [DNSQuestion(name: name, type: $0)]).encoded().bytes
        }
    }

    /// Takes what came to the port.
    ///
    /// - Parameter link: The link that was asked on.
    mutating func receive(_ bytes: [UInt8], from source: SocketAddress, on link: Link) {
        // A responder answers from its port, and from this link (RFC 6762 §11).
        guard source.port == MulticastGroup.port, link.isOnLink(source.address),
            let message = try? DNSMessage(decoding: bytes), message.id == id, message.flags.isResponse
        else { return }
        for record in message.answers + message.additionals where record.name == name && record.ttl > 0 {
            let address: IPAddress
            switch record.data {
            case .a(let bits): address = .v4(IPv4Address(bits: bits))
            case .aaaa(let bits): address = .v6(IPv6Address(bits: bits, scope: link.interface))
            default: continue
            }
            guard addresses.count < Self.mostAddresses, !addresses.contains(address) else { continue }
            addresses.append(address)
        }
    }
}
