/// The capabilities of a backend beyond finding, resolving and publishing. A backend does not have a capability that is
/// not in the set.
package struct BackendCapabilities: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The backend sees every change of any service's TXT record as soon as it is announced. Without this capability
    /// that is true of the first few dozen services only; the TXT records of the others are queried from time to time.
    package static let watchesEveryTXTRecord = BackendCapabilities(rawValue: 1 << 0)

    /// ``ServicePath/family`` is the family of the packets in which a service was seen. Without this capability there
    /// is one path for each interface, whose family is always IPv4; its addresses are nevertheless those of both
    /// families.
    package static let reportsFamilies = BackendCapabilities(rawValue: 1 << 1)

    /// A call that blocks because the daemon is frozen is interrupted. Without this capability the calling thread
    /// outlives the browse or publication until the call returns by itself, which takes up to 25 s with Avahi's
    /// library.
    package static let interruptsBlockedCalls = BackendCapabilities(rawValue: 1 << 2)

    /// The name that is tried after a conflict is reported before it is visible. Without this capability
    /// ``PublicationState/renamed(from:to:)`` may be reported together with ``PublicationState/published(name:)``.
    package static let reportsRenamesAtOnce = BackendCapabilities(rawValue: 1 << 3)

    /// The records that a process has published are withdrawn when the process dies, because a daemon holds them.
    /// Without this capability others see them until they expire, up to 75 minutes later (RFC 6762 §10).
    package static let withdrawsAfterCrash = BackendCapabilities(rawValue: 1 << 4)

    /// The backend reports a service as vanished when its goodbye packet arrives, or when nobody confirms its records
    /// any more: a service that it no longer sees is gone. Without this capability such a service has only disappeared
    /// from this backend's view, and other backends may still see it.
    package static let hearsGoodbyes = BackendCapabilities(rawValue: 1 << 5)

    /// All capabilities.
    package static let all: BackendCapabilities = [
        .watchesEveryTXTRecord, .reportsFamilies, .interruptsBlockedCalls, .reportsRenamesAtOnce, .withdrawsAfterCrash,
        .hearsGoodbyes,
    ]
}

extension BackendCapabilities: CustomStringConvertible {
    /// The names of the capabilities in the set.
    package var description: String {
        Self.names.filter { contains($0.capability) }.map(\.name).joined(separator: ", ")
    }

    /// Each capability with its name, in order.
    package static let names: [(capability: BackendCapabilities, name: String)] = [
        (.watchesEveryTXTRecord, "watches every TXT record"),
        (.reportsFamilies, "reports families"),
        (.interruptsBlockedCalls, "interrupts blocked calls"),
        (.reportsRenamesAtOnce, "reports renames at once"),
        (.withdrawsAfterCrash, "withdraws after a crash"),
        (.hearsGoodbyes, "hears goodbyes"),
    ]
}
