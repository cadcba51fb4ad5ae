internal import DNSSD
package import GatewayProtocol

/// The names that the user has given to gateways. Of several rows that are what an alias names, the one that has proved
/// it has the name, or none: whoever claims to be a gateway must not take its name.
struct GatewayAliases: Sendable {
    private(set) var all: [GatewayAlias] = []

    /// The rows that are what each alias names, and the alias of each row.
    private var claims: [Int: Set<GatewayID>] = [:]
    private var names: [GatewayID: Int] = [:]

    /// The place at which the gateway of each alias was when it first had that here.
    private var places: [Int: Endpoint] = [:]

    var isEmpty: Bool { all.isEmpty }

    /// Replaces all aliases.
    mutating func set(_ aliases: [GatewayAlias]) {
        let former = self
        self = GatewayAliases()
        all = aliases
        for (index, place) in former.places {
            if let now = aliases.firstIndex(where: { $0.isForSameGateway(as: former.all[index]) }) {
                places[now] = place
            }
        }
    }

    /// Returns the place of the gateway of a row's alias; `nil` if it has none yet.
    func place(of row: GatewayID) -> Endpoint? { names[row].flatMap { places[$0] } }

    /// Takes in the place of the gateway of a row's alias.
    mutating func settle(_ row: GatewayID, at place: Endpoint) {
        if let index = names[row] { places[index] = place }
    }

    /// The alias of a row; `nil` if it has none.
    func alias(of row: GatewayID) -> GatewayAlias? { names[row].map { all[$0] } }

    /// Returns the rows that are what the alias of a row names.
    func rivals(of row: GatewayID) -> Set<GatewayID> { names[row].flatMap { claims[$0] } ?? [] }

    /// Takes in what a row is now.
    ///
    /// - Returns: The other rows whose names may change with it, sorted.
    mutating func note(_ gateway: Gateway?, _ row: GatewayID) -> [GatewayID] {
        guard !all.isEmpty else { return [] }
        // Of the aliases of several gateways behind one front, each is for the row that it was given to.
        let new = gateway.flatMap { gateway in
            let id = gateway.id.description
            return all.firstIndex { $0.gatewayID == id && gateway.isWhat($0) } ?? all.firstIndex { gateway.isWhat($0) }
        }
        var others: Set<GatewayID> = []
        if let old = names[row], old != new {
            claims[old]?.remove(row)
            others.formUnion(claims[old] ?? [])
        }
        names[row] = new
        if let new {
            claims[new, default: []].insert(row)
            others.formUnion(claims[new] ?? [])
        }
        others.remove(row)
        return others.sorted()
    }
}

extension GatewayAlias {
    /// Creates an alias for a row that has answered; `nil` for one that has not, or that is in the place of another one.
    package init?(_ row: Gateway, name: String) {
        guard let identity = row.leadingAnswer else { return nil }
        self.init(
            gatewayID: row.id.description,
            fingerprint: identity.fingerprint,
            leaf: identity.leaf,
            name: name
        )
        guard row.isWhat(self) else { return nil }
    }
}

extension Gateway {
    /// The answer on its leading path.
    fileprivate var leadingAnswer: GatewayIdentity? { (paths.first { $0.leads } ?? paths.first)?.outcome?.identity }

    /// Indicates whether it is the gateway of an alias, as far as it shows.
    package func isWhat(_ alias: GatewayAlias) -> Bool {
        // What is in the place of a paired gateway is not that gateway.
        guard flags.isDisjoint(with: [.moved, .changedLeaf]) else { return false }
        let isSameRow = id.description == alias.gatewayID
        guard let identity = leadingAnswer else {
            return isPaired && isSameRow
        }
        // A paired gateway may show another certificate that the user has accepted.
        if isPaired, isSameRow, proof.isConclusive { return true }
        guard identity.fingerprint == alias.fingerprint else { return false }
        if let leaf = alias.leaf { return identity.leaf == leaf }
        return alias.fingerprint != nil || isSameRow && identity.leaf == nil
    }

    /// Indicates whether it has proved who it is.
    fileprivate var isProvedToBeItself: Bool { paths.first?.isProved == true }

    fileprivate func named(_ alias: GatewayAlias) -> Gateway {
        Gateway(particulars: particulars.named(alias), paths: paths)
    }
}

extension BotMap {
    /// The maximum number of aliases.
    private static let mostAliases = 1_024

    /// Takes in the aliases of gateways.
    mutating func learn(_ aliases: [GatewayAlias]) {
        let known = Array(aliases.prefix(Self.mostAliases))
        guard known != self.aliases.all else { return }
        self.aliases.set(known)
        for row in rows.keys.sorted() where rows[row].isShown { touch(row) }
    }

    /// Returns a row as it is to be shown: under its alias if it has one.
    mutating func aliased(_ gateway: Gateway, _ row: GatewayID) -> Gateway {
        guard !aliases.isEmpty else { return gateway }
        let former = (aliases.rivals(of: row), rows[row].gateway.isProvedToBeItself)
        let others = aliases.note(gateway, row)
        if former != (aliases.rivals(of: row), gateway.isProvedToBeItself) {
            for other in others where rows[other].isShown { touch(other) }
        }
        guard let alias = aliases.alias(of: row) else { return gateway }
        let isNamed = hasAlias(gateway, row, alias)
        let shown = vouched(gateway, row, alias, isAlone: isNamed)
        return isNamed ? shown.named(alias) : shown
    }

    private func hasAlias(_ gateway: Gateway, _ row: GatewayID, _ alias: GatewayAlias) -> Bool {
        // Without a certificate, it is where it was when it first had the name here.
        if !gateway.isPaired, alias.leaf == nil, let place = aliases.place(of: row) {
            let isThere = endpoints[place].row == row
            guard isThere || gateway.paths.contains(where: { isOneMachine(place, $0.endpoint) }) else { return false }
        }
        let others = aliases.rivals(of: row).filter { $0 != row }.map { rows[$0].gateway }
            .filter { !$0.isHearsay }
        if others.isEmpty { return true }
        let isProved = gateway.isProvedToBeItself
        if others.allSatisfy({ !$0.isProvedToBeItself }) != !isProved { return isProved }
        // Several gateways behind one front show its certificate, each at a place of its own.
        return alias.leaf != nil && gateway.id.description == alias.gatewayID
    }
}
