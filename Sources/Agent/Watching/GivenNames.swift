internal import GatewayProtocol
internal import Scanning

/// The names that the user has given to gateways, and which of the watched ones have them. A value.
///
/// Only the map decides which row has a name. The gateway of such a row keeps it while it has no row, and while another one
/// that claims to be it has the map show the name nowhere; but not when the map shows it elsewhere.
struct GivenNames {
    private var aliases: [GatewayAlias] = []

    /// Those of watched gateways, by their keys.
    private var given: [String: GatewayAlias] = [:]

    /// The rows that have a name now.
    private var rows: [GatewayAlias: GatewayID] = [:]

    /// Takes in the names that the user has given.
    ///
    /// - Parameter earlier: The gateways that an earlier run has watched, until there are others.
    mutating func take(_ aliases: [GatewayAlias], _ earlier: [RememberedGateway]) {
        self.aliases = aliases
        given = given.compactMapValues { now($0) }
        for gateway in earlier where given[gateway.subject.key] == nil {
            given[gateway.subject.key] = aliases.first { $0.name == gateway.memory.alias }
        }
    }

    /// Takes in which rows have a name.
    mutating func see(_ gateways: [Gateway]) {
        rows = [:]
        guard !aliases.isEmpty else { return }
        for row in gateways {
            if let alias = row.alias.flatMap(now) { rows[alias] = row.id }
        }
    }

    /// Returns the name of a watched gateway; `nil` if the user has given it none.
    ///
    /// - Parameter row: Its row, if it has one.
    mutating func alias(of key: String, _ row: Gateway?) -> String? {
        if let alias = row?.alias.flatMap(now) {
            given[key] = alias
        } else if let alias = given[key], let other = rows[alias], other != row?.id {
            given[key] = nil
        }
        return given[key]?.name
    }

    /// Indicates whether a row that has the identifier of a gateway with a name shows another certificate than that did, so that
    /// it is not what the user has named.
    func isAnother(_ row: Gateway) -> Bool {
        guard let leaf = given[row.id.description]?.leaf, !row.isPaired else { return false }
        let answers = row.paths.compactMap { $0.outcome?.identity }
        return !answers.isEmpty && !answers.contains { $0.leaf == leaf }
    }

    /// Returns a name as it is now, which may be another one; `nil` if the gateway has none any more.
    private func now(_ alias: GatewayAlias) -> GatewayAlias? { aliases.first { $0.isForSameGateway(as: alias) } }
}
