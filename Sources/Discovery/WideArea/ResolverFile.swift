internal import DNSSD
internal import HostSystem
internal import SystemPackage

/// The name servers of this host and the domains in which it looks for names, as resolv.conf(5) has them. systemd-resolved's stub
/// is one more server.
struct ResolverFile: Hashable, Sendable {
    /// The numbers that the system's resolver reads.
    private static let (mostServers, mostDomains, mostBytes) = (3, 6, 1 << 16)

    private(set) var servers: [Endpoint] = []
    private(set) var searchDomains: [DomainName] = []

    /// Reads the text of a file. Lines of another form are skipped.
    init(_ text: String, interfaces: some Sequence<NetworkInterface> = []) {
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let key = words.first, words.count > 1 else { continue }
            switch key {
            case "nameserver":
                guard let address = IPAddress(String(words[1]), interfaces: interfaces) else { continue }
                let server = Endpoint(address: address, port: DNSTransport.port)
                if servers.count < Self.mostServers, !servers.contains(server) { servers.append(server) }
            case "search", "domain":
                // The last one counts.
                let names = words.dropFirst().prefix(key == "domain" ? 1 : Self.mostDomains)
                searchDomains = names.compactMap { try? DomainName(escaped: String($0)) }.filter { !$0.isRoot }
            default: continue
            }
        }
        guard servers.isEmpty else { return }
        servers = [Endpoint(address: .v4(IPv4Address(bits: 0x7F00_0001)), port: DNSTransport.port)]
    }

    /// The file as it is now; without it, this host itself is asked.
    static var current: ResolverFile {
        var bytes: [UInt8] = []
        if let file = try? FileDescriptor.open("/etc/resolv.conf", .readOnly, options: .closeOnExec) {
            var buffer = [UInt8](repeating: 0, count: mostBytes)
            bytes = Array(buffer.prefix((try? buffer.withUnsafeMutableBytes { try file.read(into: $0) }) ?? 0))
            try? file.close()
        }
        return ResolverFile(String(decoding: bytes, as: UTF8.self), interfaces: HostInterface.all.map(\.interface))
    }
}
