package import DNSSD
internal import SystemPackage

/// The sockets of this host on which programs listen for TCP connections, as the kernel lists them in `/proc/net/tcp` and
/// `/proc/net/tcp6` (proc(5)). It does no I/O but for ``current``: text in, endpoints out.
package enum ListeningSockets {
    /// The most bytes that are read of each list.
    private static let mostBytes = 1 << 20

    /// The state of a socket that listens: TCP_LISTEN of <netinet/tcp.h>.
    private static let listening = "0A"

    /// The addresses and ports at which programs of this host listen now; empty where the system does not tell.
    package static var current: [Endpoint] {
        ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { endpoints(in: text(of: FilePath($0))) }
    }

    /// Returns the endpoints of a list at which a program listens. Lines of another form are skipped.
    package static func endpoints(in list: String) -> [Endpoint] {
        list.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ", maxSplits: 4)
            guard fields.count > 3, fields[3] == listening else { return nil }
            return endpoint(fields[1])
        }
    }

    /// Reads an address and port such as `0100007F:0BB8`: the address in words of the host's byte order.
    private static func endpoint(_ text: Substring) -> Endpoint? {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1], radix: 16) else { return nil }
        let digits = Array(parts[0])
        let words = stride(from: 0, to: digits.count, by: 8).compactMap { start in
            UInt32(String(digits[start..<min(start + 8, digits.count)]), radix: 16).map(UInt32.init(bigEndian:))
        }
        switch (digits.count, words.count) {
        case (8, 1): return Endpoint(address: .v4(IPv4Address(bits: words[0])), port: port)
        case (32, 4):
            let bits = words.reduce(0) { $0 << 32 | UInt128($1) }
            return Endpoint(address: .v6(IPv6Address(bits: bits)), port: port)
        default: return nil
        }
    }

    private static func text(of path: FilePath) -> String {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return "" }
        defer { try? file.close() }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < mostBytes, let count = try? buffer.withUnsafeMutableBytes({ try file.read(into: $0) }),
            count > 0
        { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
