/// With TLS or without, and which of them first.
public enum ProbeTransports: Hashable, Sendable {
    /// Without; with TLS when that seems to be wanted.
    case plainFirst
    /// With TLS, as a TXT record hints; without when there is none.
    case tlsFirst
    /// Without TLS, as `ws://` says.
    case plainOnly
    /// With TLS, as `wss://` says.
    case tlsOnly

    /// Indicates whether TLS is tried before plain text.
    var isTLSFirst: Bool { self == .tlsFirst || self == .tlsOnly }

    /// Indicates whether the other transport is tried when the first looks like the wrong one.
    var canSwitch: Bool { self == .tlsFirst || self == .plainFirst }
}
