package import DNSSD

/// DNS messages and packets for tests.
package enum DNSSamples {
    /// Returns a typical response: PTR, SRV, TXT, A and AAAA of one service.
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

    /// Returns the constructed messages, with every kind of record in them.
    package static func messages() throws(DNSSDError) -> [DNSMessage] {
        [try response(), try probe(), try refusal(), try update(), try zoneAnswer()]
    }

    /// Returns the captured packets, and the constructed messages encoded with each compression.
    package static func packets() throws(DNSSDError) -> [[UInt8]] {
        let forms = [DNSNameCompression.none, .unicast, .multicast]
        return captured + (try messages()).flatMap { message in forms.map { message.encoded(compression: $0).bytes } }
    }

    /// Returns a description of what the codec does wrong with a packet; `nil` if it decodes it as a whole or in part,
    /// or refuses it, as it has to.
    package static func complaint(aboutReceived packet: [UInt8]) -> String? {
        let whole = try? DNSMessage(decoding: packet)
        guard let received = try? DNSReceivedMessage(decoding: packet) else {
            return whole == nil ? nil : "a message that can be decoded is not received"
        }
        if received.isComplete != (whole != nil) { return "what is complete is not decoded, or the other way round" }
        if let whole, whole != received.message { return "the received message is another one" }
        if received.isComplete != (received.skipped == DNSSectionCounts()) { return "what was skipped is not counted" }
        return complaint(about: received.message)
    }

    /// Returns a description of what the codec does wrong with a decoded message; `nil` if it encodes the message with
    /// each compression, decodes it to the same message, and keeps to a limit.
    package static func complaint(about message: DNSMessage) -> String? {
        for compression in [DNSNameCompression.none, .unicast, .multicast] {
            let encoded = message.encoded(compression: compression)
            guard encoded.isComplete else { continue }
            do throws(DNSMessageError) {
                let again = try DNSMessage(decoding: encoded.bytes)
                if again != message { return "with \(compression) the message is decoded to another one" }
            } catch {
                return "with \(compression) the encoded message cannot be decoded: \(error)"
            }
        }
        let whole = message.encoded(compression: .multicast).bytes.count
        let limit = max(12, whole / 2)
        let cut = message.encoded(limit: limit, compression: .multicast)
        if cut.bytes.count > limit { return "the limit of \(limit) bytes is exceeded" }
        do throws(DNSMessageError) {
            let again = try DNSMessage(decoding: cut.bytes)
            if again.counts != cut.counts { return "the truncated message has other counts" }
        } catch {
            return "the truncated message cannot be decoded: \(error)"
        }
        return nil
    }
}
