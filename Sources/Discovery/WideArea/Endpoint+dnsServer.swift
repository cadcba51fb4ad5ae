package import DNSSD

extension Endpoint {
    /// Reads the address of a DNS server: `192.0.2.53`, `192.0.2.53:5300`, `2001:db8::53` or `[2001:db8::53]:5300`; `nil` for
    /// anything else.
    package init?(dnsServer text: String) {
        if let address = IPAddress(text) {
            self.init(address: address, port: DNSTransport.port)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard let address = IPAddress(String(host)) else { return nil }
        self.init(address: address, port: port)
    }
}
