internal import Agent
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// The names that this device knows of gateways besides those that the network tells: those of pairings, and those that the
/// user has given. A value.
///
/// They lead to rows of a map that knows nothing of what is paired. As any name, they prove nothing: whatever looks like the
/// gateway has them, and several that do are an ambiguity.
struct KnownNames: Sendable {
    static let none = KnownNames(pairings: [], aliases: [])

    let pairings: [StoredPairing]
    let aliases: [GatewayAlias]

    /// Reads them; a store that cannot be read knows none.
    static func stored() -> KnownNames {
        guard let store = try? StoreAccess.openExisting(), let pairings = try? store.pairings() else { return .none }
        return KnownNames(pairings: pairings, aliases: (try? store.aliases()) ?? [])
    }

    /// Reads them for a pairing by a name, with what was paired under it before.
    static func stored(pairedAs name: String) -> KnownNames {
        let known = stored()
        guard let store = try? StoreAccess.openExisting(), let bin = try? store.bin() else { return known }
        return known.adding(bin, called: name)
    }

    /// Returns them with the pairings in the bin that a name means, unless it means one that is paired: where nobody advertises
    /// a gateway, nothing else leads whoever pairs anew by its name to it.
    func adding(_ bin: [BinnedPairing], called name: String) -> KnownNames {
        guard NameSearch.matches(name, among: PairedName.gateways(pairings)).isEmpty else { return self }
        let former = bin.filter(\.isWhole).map(\.pairing).filter { item in
            !pairings.contains { $0.gatewayID == item.gatewayID || $0.isSameGateway(as: item) }
        }
        let meant = Set(NameSearch.matches(name, among: PairedName.gateways(former)).map(\.subject.pairing))
        return KnownNames(pairings: pairings + former.filter { meant.contains($0.id) }, aliases: aliases)
    }

    /// Returns the pairings whose gateway a row looks like.
    func pairings(of row: Gateway) -> [StoredPairing] {
        pairings.filter { pairing in
            if row.id.description == pairing.gatewayID { return true }
            if let fingerprint = pairing.fingerprint, let told = row.fingerprint { return fingerprint == told }
            return row.paths.contains { pairing.endpoints.contains($0.endpoint) }
        }
    }

    /// Returns the names of a row that the network does not tell.
    func names(of row: Gateway) -> [String] {
        pairings(of: row).flatMap(\.names) + aliases.filter(row.isWhat).map(\.name)
    }

    /// Returns a gateway of the history with all its names, those of its bots included.
    ///
    /// - Parameters:
    ///   - key: Its key there, which is the identifier of a pairing or of a row.
    ///   - names: The names that it had there.
    func nameables(ofKey key: String, _ names: [String]) -> [Nameable<String>] {
        var facts = [key]
        if case .candidate(.endpoint(let endpoint))? = GatewayID(key)?.form {
            facts += [endpoint.description, endpoint.address.description]
        }
        let gateway = Nameable(
            subject: key,
            names: NameKeys(
                identifier: key,
                facts: facts,
                names: names + aliases.filter { $0.gatewayID == key }.map(\.name)
            ),
            label: DisplayText(names.last ?? key, limit: 64).quoted,
            word: ShellWord(key)?.description
        )
        let paired = pairings.filter { $0.id.description == key }
        return [gateway]
            + (PairedName.gateways(paired) + PairedName.bots(paired)).map { thing in
                Nameable(subject: key, names: thing.names, of: thing.owner, label: thing.label, word: thing.word)
            }
    }
}

extension GatewayHistory {
    /// Returns the same with one name for each gateway: the one that it has now.
    func named(_ known: KnownNames) -> GatewayHistory { named(known.pairings, known.aliases) }
}
