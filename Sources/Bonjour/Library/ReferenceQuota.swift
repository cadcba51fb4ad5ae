/// A count of the references that are held. A value.
///
/// Avahi's library starts a thread and a connection to the bus for each.
struct ReferenceQuota: Hashable, Sendable {
    /// The purpose that a reference is wanted for.
    enum Purpose: Hashable, Sendable {
        /// A browse or a registration, which lasts as long as its user wants.
        case standing

        /// A TXT record that is watched, for as long as its instance is there.
        case watch

        /// A question that ends with its answer, or when time is up.
        case lookup

        /// The number of references that this purpose must leave to the others: without look-ups nothing would ever be
        /// resolved.
        fileprivate var reserve: Int {
            switch self {
            case .standing: 16
            case .watch: 32
            case .lookup: 0
            }
        }
    }

    /// The number of references that may be held at once.
    static let capacity = 64

    /// The number of references that are held.
    private(set) var used = 0

    /// Takes a reference, if there is one left for this purpose.
    mutating func take(for purpose: Purpose) -> Bool {
        guard used + purpose.reserve < Self.capacity else { return false }
        used += 1
        return true
    }

    mutating func giveBack() {
        used -= 1
    }
}
