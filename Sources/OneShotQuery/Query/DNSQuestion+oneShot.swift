internal import DNSMessages
internal import DNSSD

extension DNSQuestion {
    /// Creates a question that is sent from a port of our own.
    ///
    /// Its QU bit is set (RFC 6762 §5.4). Most responders go by the port and would answer alike without it (RFC 6762
    /// §6.7). hashicorp/mdns goes by the bit alone: it sends every answer to the port that asked, but repeats the id of
    /// the query only if the bit is set.
    init(oneShot name: DomainName, type: DNSRecordType) {
        self.init(name: name, type: type, isUnicastWanted: true)
    }
}
