/// The name of the backend that saw a service instance.
public struct SightingSource: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    /// The system's avahi-daemon.
    public static let avahi = SightingSource(rawValue: "avahi")

    /// The daemon behind libdns_sd: avahi-daemon or mDNSResponder.
    public static let bonjour = SightingSource(rawValue: "bonjour")

    /// Our own multicast DNS engine.
    public static let embedded = SightingSource(rawValue: "embedded")

    /// Our own one-shot query next to the backend (RFC 6762 §5.1), until the backend sees the instance as well.
    public static let oneShot = SightingSource(rawValue: "one-shot")
}
