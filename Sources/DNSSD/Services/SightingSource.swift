/// The name of the backend that saw a service instance.
package struct SightingSource: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package var description: String { rawValue }

    /// The system's avahi-daemon.
    package static let avahi = SightingSource(rawValue: "avahi")

    /// The daemon behind libdns_sd: avahi-daemon or mDNSResponder.
    package static let bonjour = SightingSource(rawValue: "bonjour")

    /// Our own multicast DNS engine.
    package static let embedded = SightingSource(rawValue: "embedded")

    /// Our own one-shot query next to the backend (RFC 6762 §5.1), until the backend sees the instance as well.
    package static let oneShot = SightingSource(rawValue: "one-shot")

    /// Unicast DNS, in a domain that the user has named.
    package static let zone = SightingSource(rawValue: "zone")

    /// Unicast DNS, in a domain that the network has named, as anybody on it may do.
    package static let networkZone = SightingSource(rawValue: "network-zone")

    private static let zonePrefix = "zone "

    /// Returns the source of one domain alone, whose condition is told apart from the others'.
    package static func zone(of domain: DomainName) -> SightingSource {
        SightingSource(rawValue: "\(zonePrefix)\(domain.shown)")
    }

    /// Indicates whether it is one domain alone.
    package var isOneZone: Bool { rawValue.hasPrefix(Self.zonePrefix) }
}
