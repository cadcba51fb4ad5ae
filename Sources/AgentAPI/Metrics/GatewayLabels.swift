internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// The values by which metrics tell gateways apart: the name that the user has given, else our number for a paired one, or the
/// address in the settings. What a gateway calls itself is never one, nor is a name that several have: two series would be one.
struct GatewayLabels {
    /// The maximum number of characters of a name.
    private static let nameLimit = 64

    private let labels: [PairingID: String]

    /// The labels that no other gateway may have.
    private let taken: Set<String>

    init(_ pairings: [StoredPairing], _ aliases: [GatewayAlias]) {
        let names = Dictionary(
            pairings.compactMap { pairing in
                aliases.first { pairing.isNamed(by: $0) }.map { (pairing.id, Self.shown($0.name)) }
            }
        ) { first, _ in first }
        let numbers = Set(pairings.map(\.shortID))
        let uses = Dictionary(grouping: names.values) { $0 }.mapValues(\.count)
        labels = names.filter { uses[$1] == 1 && !$1.isEmpty && !numbers.contains($1) }
        taken = numbers.union(names.values)
    }

    /// Returns the label for a name that the user has given to a gateway without a pairing; `nil` where it cannot be one.
    func label(_ alias: String) -> String? {
        let label = Self.shown(alias)
        return label.isEmpty || taken.contains(label) ? nil : label
    }

    private static func shown(_ name: String) -> String { DisplayText(name, limit: nameLimit).text }

    /// The label of a gateway.
    subscript(pairing: StoredPairing) -> String { labels[pairing.id] ?? pairing.shortID }
}

extension StoredPairing {
    /// Indicates whether an alias is for this gateway: the same row, or a fingerprint that no other certificate has.
    fileprivate func isNamed(by alias: GatewayAlias) -> Bool {
        if alias.gatewayID == gatewayID { return true }
        guard let fingerprint, alias.fingerprint == fingerprint else { return false }
        guard case .pinned(let pin) = trust, let leaf = alias.leaf else { return true }
        return leaf == pin
    }
}
