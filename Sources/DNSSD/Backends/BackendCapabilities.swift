/// The capabilities of a backend beyond finding, resolving and publishing. A capability that is not in the set is
/// declared absent.
public struct BackendCapabilities: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A changed TXT record of any service is seen when its publisher tells of it. Without it that holds for the first few
    /// dozens, and the others are asked again from time to time.
    public static let watchesEveryTXTRecord = BackendCapabilities(rawValue: 1 << 0)

    /// ``ServicePath/family`` says by which family a service was seen. Without it there is one path for each interface,
    /// which says IPv4; the addresses are those of both families all the same.
    public static let reportsFamilies = BackendCapabilities(rawValue: 1 << 1)

    /// A call that a frozen daemon blocks is cut off. Without it the thread that called outlives the browse or publication
    /// until the call ends by itself, which with Avahi's library takes up to 25 s.
    public static let interruptsBlockedCalls = BackendCapabilities(rawValue: 1 << 2)

    /// The name that is tried after a conflict is told before it is visible. Without it ``PublicationState/renamed(from:to:)``
    /// may come together with ``PublicationState/published(name:)``.
    public static let reportsRenamesAtOnce = BackendCapabilities(rawValue: 1 << 3)

    /// The records that a process has published are taken back when the process dies, since a daemon holds them.
    /// Without this capability others see them until they run out, up to 75 minutes later (RFC 6762 §10).
    public static let withdrawsAfterCrash = BackendCapabilities(rawValue: 1 << 4)

    /// A service whose goodbye goes out, or which nobody confirms any more, is reported as gone: that it is no longer seen says
    /// that it is not there. Without it that says only that this backend does not see it, and others may.
    public static let hearsGoodbyes = BackendCapabilities(rawValue: 1 << 5)

    /// Everything.
    public static let all: BackendCapabilities = [
        .watchesEveryTXTRecord, .reportsFamilies, .interruptsBlockedCalls, .reportsRenamesAtOnce, .withdrawsAfterCrash,
        .hearsGoodbyes,
    ]
}

extension BackendCapabilities: CustomStringConvertible {
    /// The names of what is in the set.
    public var description: String {
        Self.names.filter { contains($0.capability) }.map(\.name).joined(separator: ", ")
    }

    /// Each capability with its name, in order.
    public static let names: [(capability: BackendCapabilities, name: String)] = [
        (.watchesEveryTXTRecord, "watches every TXT record"),
        (.reportsFamilies, "reports families"),
        (.interruptsBlockedCalls, "interrupts blocked calls"),
        (.reportsRenamesAtOnce, "reports renames at once"),
        (.withdrawsAfterCrash, "withdraws after a crash"),
        (.hearsGoodbyes, "hears goodbyes"),
    ]
}
