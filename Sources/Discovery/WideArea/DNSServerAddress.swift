package import DNSSD
internal import HostSystem

/// The address of a DNS server as a user writes it: `10.0.0.1`, `fd00::53`, `10.0.0.1:5300` or `[fd00::53]:5300`. A name would have
/// to be asked for first.
package struct DNSServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address and port.
    package let endpoint: Endpoint

    /// Reads an address; `nil` if the text is none. The port of DNS counts where none is given.
    package init?(_ text: String) {
        var (host, port) = (Substring(text), String?.none)
        if host.hasPrefix("["), let end = host.lastIndex(of: "]") {
            let rest = host[host.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.isEmpty ? nil : String(rest.dropFirst())
            host = host[host.index(after: host.startIndex)..<end]
        } else if let colon = host.firstIndex(of: ":"), !host[host.index(after: colon)...].contains(":") {
            port = String(host[host.index(after: colon)...])
            host = host[..<colon]
        }
        let number = port.map { UInt16($0) ?? 0 } ?? DNSTransport.port
        let interfaces = host.contains("%") ? HostInterface.all.map(\.interface) : []
        guard number > 0, let address = IPAddress(String(host), interfaces: interfaces) else { return nil }
        guard !address.isMulticast, !address.isUnspecified else { return nil }
        self.endpoint = Endpoint(address: address, port: number)
    }

    package var description: String { endpoint.description }
}
