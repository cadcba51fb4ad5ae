internal import DNSSD
internal import GatewayProtocol

/// The paths of a row that say whether its gateway is there.
///
/// Anybody can add a path to a row, by a record that leads one of its services to another address. As long as the user has
/// named, paired or trusted no place of the gateway, the one who answers is all that is known of it. Otherwise, a path that
/// only a record has brought, and that proves nothing, is hearsay: the gateway is neither alive nor back by what it says.
extension BotMap {
    /// Marks the paths of a row that are hearsay.
    ///
    /// - Parameter others: The verdicts on other places that show its certificate, if it is paired.
    func markHearsay(in paths: inout [GatewayPath], of row: GatewayID, _ others: [Endpoint: PathVerdict]) {
        if isPaired(row), let known = marks[row] {
            let proved = Set(paths.filter(\.proof.isConclusive).compactMap { $0.outcome?.identity?.leaf })
            for index in paths.indices {
                guard let identity = paths[index].outcome?.identity else { continue }
                let isProved = paths[index].proof.isConclusive || identity.leaf.map(proved.contains) == true
                paths[index].isHearsay = !isProved && !saysOfPresence(paths[index], of: row, known, others)
            }
        } else {
            let anchors = paths.filter { !$0.contradicts && $0.isAnchor }
            if !anchors.isEmpty { markHearsay(in: &paths, besides: anchors) }
        }
    }

    /// Indicates whether an answer without a conclusive proof says that a paired gateway is there: at a place where the user
    /// trusts it, whatever network leads there, and at another address of its machine. Another machine or another gateway in
    /// its place does not.
    private func saysOfPresence(
        _ path: GatewayPath,
        of id: GatewayID,
        _ known: PairedMarks,
        _ others: [Endpoint: PathVerdict]
    ) -> Bool {
        verdict(on: path.endpoint, path.outcome, of: id, known, others)
            .saysOfPresence(known.proof, isOneMachine: known.home.map { isOneMachine($0, path.endpoint) } == true)
    }

    /// Marks the paths that are neither anchors nor on the machine of one, as this host's kernel knows it, nor show the
    /// certificate of one: whoever has that can have the anchor's place as well.
    private func markHearsay(in paths: inout [GatewayPath], besides anchors: [GatewayPath]) {
        let leaves = Set(anchors.compactMap { $0.outcome?.identity?.leaf })
        for index in paths.indices {
            let path = paths[index]
            guard let identity = path.outcome?.identity, !anchors.contains(where: { $0.endpoint == path.endpoint })
            else {
                continue
            }
            let isHeld = identity.leaf.map(leaves.contains) == true
            paths[index].isHearsay = !isHeld && !anchors.contains { isOneMachine($0.endpoint, path.endpoint) }
        }
    }

    /// Indicates whether two endpoints are one port and path of one machine, as this host's kernel knows it.
    func isOneMachine(_ one: Endpoint, _ other: Endpoint) -> Bool {
        guard one.hasPortAndPath(of: other), let machine = machine(of: one) else { return false }
        return machine == self.machine(of: other)
    }

    private func machine(of endpoint: Endpoint) -> Machine? {
        endpoints[endpoint].machine
    }

    // MARK: A gateway with a name

    /// Returns a row that is what an alias names, with all marked as hearsay that does not come from the place at which the
    /// gateway was when it first had the name here. With a certificate, that tells who it is.
    ///
    /// - Parameter isAlone: Indicates whether no other row may be what the user has named.
    mutating func vouched(_ gateway: Gateway, _ row: GatewayID, _ alias: GatewayAlias, isAlone: Bool) -> Gateway {
        guard !gateway.isPaired, alias.leaf == nil else { return gateway }
        if aliases.place(of: row) == nil {
            let leader = gateway.paths.first { $0.leads && $0.counts && $0.liveness == .answering }
            guard isAlone, let leader else { return gateway }
            aliases.settle(row, at: leader.endpoint)
        }
        guard let place = aliases.place(of: row) else { return gateway }
        var paths = gateway.paths
        if !paths.contains(where: { $0.endpoint == place }), endpoints[place].row == row {
            // Nothing leads there any more, and it does not answer.
            paths.append(path(of: place))
        }
        // After a long silence, whoever answers elsewhere leads the row: what that says is no measure for it.
        for index in paths.indices
        where paths[index].endpoint == place && paths[index].outcome?.identity?.fingerprint == alias.fingerprint {
            paths[index].contradicts = false
        }
        var anchors = paths.filter { $0.endpoint == place || !$0.contradicts && $0.isAnchor }
        // Nobody answers there any more, and its machine has another address.
        if let moved = paths.first(where: { $0.liveness == .answering && isOneMachine(place, $0.endpoint) }),
            paths.first(where: { $0.endpoint == place })?.liveness?.isAlive != true
        {
            anchors.append(moved)
            aliases.settle(row, at: moved.endpoint)
        }
        // In a row of its own, a claimant is what it is.
        guard !anchors.isEmpty || gateway.id.description == alias.gatewayID else { return gateway }
        markHearsay(in: &paths, besides: anchors)
        if paths.count > 1 { paths.sort { $0.precedes($1) } }
        return Gateway(particulars: gateway.particulars, paths: paths)
    }
}

extension GatewayPath {
    /// Indicates whether a gateway has answered where the user has named it, or has proved there who it is.
    var isAnchor: Bool { outcome?.identity != nil && (isManual || proof != .unproved || isItsOwnLeaf) }
}
