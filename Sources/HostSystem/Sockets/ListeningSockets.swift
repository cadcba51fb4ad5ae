package import DNSSD
package import SystemPackage

/// A socket on which a program listens for TCP connections.
package struct ListeningSocket: Hashable, Sendable {
    /// The address and port; an address that is unspecified stands for all.
    package let endpoint: Endpoint

    /// The number by which the open files of its program name it; `nil` where the kernel does not tell.
    package let number: UInt64?

    package init(_ endpoint: Endpoint, number: UInt64? = nil) {
        self.endpoint = endpoint
        self.number = number
    }
}

/// The sockets of this host on which programs listen for TCP connections, as the kernel lists them in `/proc/net/tcp` and
/// `/proc/net/tcp6` (proc(5)). It does no I/O but for ``current`` and ``all(in:)``: text in, endpoints out.
package enum ListeningSockets {
    /// The state of a socket that listens: TCP_LISTEN of <netinet/tcp.h>.
    private static let listening = "0A"

    /// The addresses and ports at which programs of this host listen now; empty where the system does not tell.
    package static var current: [Endpoint] { all(in: "/proc").map(\.endpoint) }

    /// Returns the sockets of the network namespace of a process.
    ///
    /// - Parameter process: Its folder in `/proc`, or `/proc` for this one's.
    package static func all(in process: FilePath) -> [ListeningSocket] {
        ["tcp", "tcp6"].flatMap { sockets(in: ProcessFolder.text(of: process.appending("net").appending($0))) }
    }

    /// Returns the endpoints of a list at which a program listens. Lines of another form are skipped.
    package static func endpoints(in list: String) -> [Endpoint] { sockets(in: list).map(\.endpoint) }

    /// Returns the sockets of a list on which a program listens. Lines of another form are skipped.
    package static func sockets(in list: String) -> [ListeningSocket] {
        lines(of: list, in: listening).map { endpoint, fields in
            ListeningSocket(endpoint, number: fields.count > 9 ? UInt64(fields[9]) : nil)
        }
    }

    /// Returns the local endpoints of the sockets of a list that are in a state, with the fields of their lines. Lines of another
    /// form are skipped.
    static func lines(of list: String, in state: String) -> [(endpoint: Endpoint, fields: [Substring])] {
        list.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ", maxSplits: 10)
            guard fields.count > 3, fields[3] == state, let endpoint = endpoint(fields[1]) else { return nil }
            return (endpoint, fields)
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
}
