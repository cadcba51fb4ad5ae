internal import DNSSD

/// The name of this host on the link (RFC 6762 §3): `host.local`, and after a conflict `host-2.local`.
struct HostName: Hashable, Sendable {
    /// The domain name of the host on the link.
    let name: DomainName

    private let label: [UInt8]
    private let number: Int

    /// Creates the first name to try for a host.
    ///
    /// - Parameter systemName: The name that the system has for the host. Everything from the first dot on is left out,
    ///   and any character but an ASCII letter, digit or hyphen becomes a hyphen (RFC 1123 §2.1).
    init(systemName: String) {
        let first = systemName.utf8.prefix { $0 != UInt8(ascii: ".") }
        let label = first.prefix(DomainName.maximumLabelLength).map { Self.isAllowed($0) ? $0 : UInt8(ascii: "-") }
        let trimmed = Array(label.drop { $0 == UInt8(ascii: "-") })
        self.init(label: trimmed.isEmpty ? Array("host".utf8) : trimmed, number: 1)
    }

    private init(label: [UInt8], number: Int) {
        let suffix = number > 1 ? Array("-\(number)".utf8) : []
        let whole = label.prefix(DomainName.maximumLabelLength - suffix.count) + suffix
        self.label = label
        self.number = number
        // One label of 1–63 bytes below `local` is always a valid name.
        self.name = (try? LocalNames.local.prepending(whole)) ?? LocalNames.local
    }

    /// The first name that was tried.
    var requested: DomainName { HostName(label: label, number: 1).name }

    /// Indicates whether this is the host's own name, and not one that replaces it.
    var isFirst: Bool { number == 1 }

    /// The next name to try.
    var alternative: HostName { HostName(label: label, number: number < 999_999 ? number + 1 : 2) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-")
    }
}
