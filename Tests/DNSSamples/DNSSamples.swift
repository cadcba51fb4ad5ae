package import DNSMessages
package import DNSSD

/// DNS packets to test with.
package enum DNSSamples {
    /// A typical response: PTR, SRV, TXT, A and AAAA of one service.
    package static func response() throws(DNSSDError) -> DNSMessage {
        let type = try DomainName(escaped: "_openclaw._tcp.local")
        let instance = try type.prepending("Kitchen Gateway".utf8)
        let host = try DomainName(escaped: "kitchen.local")
        let txt = ["fp=3f786850e387550f", "name=Kitchen", "bots=3", "ver=3", "tls=1"]
        return DNSMessage(
            flags: .authoritativeResponse,
            answers: [DNSRecord(name: type, ttl: 4_500, data: .ptr(instance))],
            additionals: [
                DNSRecord(
                    name: instance,
                    isCacheFlush: true,
                    ttl: 120,
                    data: .srv(SRVData(port: 18_789, target: host))
                ),
                DNSRecord(
                    name: instance,
                    isCacheFlush: true,
                    ttl: 4_500,
                    data: .txt(txt.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) })
                ),
                DNSRecord(name: host, isCacheFlush: true, ttl: 120, data: .a(0x0A63_0002)),
                DNSRecord(
                    name: host,
                    isCacheFlush: true,
                    ttl: 120,
                    data: .aaaa(0xFE80_0000_0000_0000_5054_00FF_FE12_3456)
                ),
            ]
        )
    }

    /// The messages that are made here, with every kind of record in them.
    package static func messages() throws(DNSSDError) -> [DNSMessage] {
        [try response(), try probe(), try refusal(), try update()]
    }

    /// The messages in every form that they can be written in, and the packets that were captured.
    package static func packets() throws(DNSSDError) -> [[UInt8]] {
        let forms = [DNSNameCompression.none, .unicast, .multicast]
        return captured + (try messages()).flatMap { message in forms.map { message.encoded(compression: $0).bytes } }
    }

    /// Names the promise of the codec that a decoded message breaks, if any: that it can be encoded in every way, comes
    /// back the same, and that a limit is kept.
    package static func complaint(about message: DNSMessage) -> String? {
        for compression in [DNSNameCompression.none, .unicast, .multicast] {
            let encoded = message.encoded(compression: compression)
            guard encoded.isComplete else { continue }
            do throws(DNSMessageError) {
                let again = try DNSMessage(decoding: encoded.bytes)
                if again != message { return "with \(compression) another message came back" }
            } catch {
                return "with \(compression) what was encoded cannot be decoded: \(error)"
            }
        }
        let whole = message.encoded(compression: .multicast).bytes.count
        let limit = max(12, whole / 2)
        let cut = message.encoded(limit: limit, compression: .multicast)
        if cut.bytes.count > limit { return "the limit of \(limit) bytes is not kept" }
        do throws(DNSMessageError) {
            let again = try DNSMessage(decoding: cut.bytes)
            if again.counts != cut.counts { return "what was cut has other counts" }
        } catch {
            return "what was cut cannot be decoded: \(error)"
        }
        return nil
    }
}
