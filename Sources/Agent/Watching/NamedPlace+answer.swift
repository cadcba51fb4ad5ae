internal import DNSSD
internal import GatewayProtocol
internal import Scanning

/// The answers at the places that the user has named: whatever a record has brought into a row beside them says nothing of
/// them.
extension NamedPlace {
    /// The answer of whatever is at a named place.
    struct Answer {
        /// The rows that show the place, that of the answer first.
        let rows: [Gateway]

        /// The path to it; `nil` if no row shows one.
        let path: GatewayPath?

        /// The gateway that answers there, or did last; `nil` if none has.
        let holder: Occupant?

        /// The difference from the gateway that was there before; `nil` if it is the same, as far as can be seen.
        let difference: Occupant.Difference?

        /// The liveness of the named gateway. Another one in its place is not that.
        var liveness: Liveness? { difference == nil ? path?.liveness : path?.liveness == nil ? nil : .gone }

        /// The difference of what answers there now from the gateway; `nil` if nothing else does.
        var replacement: Occupant.Difference? { path?.liveness?.isAlive == true ? difference : nil }

        /// Its name, as its row or itself says; `nil` if it says none.
        var name: String? {
            guard let path, let row = rows.first, let identity = path.outcome?.identity else { return nil }
            // Where it does not lead the row, the row has the name of another one.
            let name = row.alias != nil || path.leads ? row.name : identity.name ?? row.name
            return name.isEmpty ? nil : name
        }

        /// The presence of the gateway.
        var presence: GatewayFacts.Presence {
            // Something else answers at the place of the gateway.
            guard path?.outcome?.identity != nil || path?.liveness == nil else { return .gone }
            return GatewayFacts.Presence(liveness, isFlooding: path?.isFlooding == true)
        }

        /// Returns the reason why it does not answer, in words of this program; `nil` if it does, or was not asked.
        func reason(_ presence: GatewayFacts.Presence) -> String? {
            if let replacement { return Occupant.reason(replacement) }
            switch presence {
            case .answering, .unknown: return nil
            case .silent, .gone:
                let reason = path?.silence?.description ?? (path?.liveness == nil ? nil : "no answer")
                guard let other = rows.first?.otherAnswer else { return reason }
                return (reason.map { "\($0); " } ?? "") + other
            }
        }
    }

    /// Returns the answer at the place. Of several places to which a host name leads, one that answers speaks for it.
    ///
    /// - Parameters:
    ///   - rows: The rows of the map.
    ///   - former: Who has answered there before.
    func answer(in rows: [Gateway], after former: Occupant?) -> Answer {
        let found = rows.flatMap { row in
            row.paths.filter { endpoints.contains($0.endpoint) }.map { (row: row, path: $0) }
        }
        let answered = found.filter { $0.path.outcome?.identity != nil }
        let first =
            answered.first { $0.path.liveness?.isAlive == true && difference(of: $0.path, from: former) == nil }
            ?? answered.first { $0.path.liveness?.isAlive == true } ?? answered.first ?? found.first
        let ids = found.map(\.row.id)
        let holder = first.flatMap { Self.holder($0.path) }
        return Answer(
            rows: (first.map { [$0.row] } ?? [])
                + rows.filter { row in row.id != first?.row.id && ids.contains(row.id) },
            path: first?.path,
            holder: holder.map { former?.renewed(as: $0) ?? $0 },
            difference: first.flatMap { difference(of: $0.path, from: former) }
        )
    }

    private func difference(of path: GatewayPath, from former: Occupant?) -> Occupant.Difference? {
        guard let former, let holder = Self.holder(path) else { return nil }
        return former.difference(from: holder)
    }

    /// Returns who answers on a path; `nil` if no gateway has.
    static func holder(_ path: GatewayPath) -> Occupant? {
        path.outcome?.identity.map { identity in
            let machine: [UInt8]? = if case .neighbour(let address) = path.machine { address } else { nil }
            return Occupant(identity, at: path.endpoint, machine: machine)
        }
    }

    /// Returns places, those as one that are one gateway by what answers at each of them: the same certificate
    /// at one port, or no certificate at one port of one machine.
    static func merged(_ places: [NamedPlace], in rows: [Gateway]) -> [NamedPlace] {
        var merged: [(place: NamedPlace, paths: [GatewayPath])] = []
        for place in places {
            let paths = rows.flatMap(\.paths).filter {
                place.endpoints.contains($0.endpoint) && $0.outcome?.identity != nil
            }
            let index = merged.firstIndex { other in
                other.paths.contains { one in paths.contains { isOneGateway(one, $0) } }
            }
            if let index {
                merged[index].place.endpoints.formUnion(place.endpoints)
                merged[index].paths += paths
            } else {
                merged.append((place, paths))
            }
        }
        return merged.map(\.place)
    }

    private static func isOneGateway(_ one: GatewayPath, _ other: GatewayPath) -> Bool {
        guard let mine = one.outcome?.identity, let theirs = other.outcome?.identity, mine.dialect == theirs.dialect,
            mine.fingerprint == theirs.fingerprint
        else { return false }
        // Anybody can repeat a fingerprint.
        if one.endpoint == other.endpoint { return true }
        if let leaf = mine.leaf { return leaf == theirs.leaf && one.endpoint.hasPortAndPath(of: other.endpoint) }
        return theirs.leaf == nil && one.machine != nil && one.machine == other.machine
            && one.endpoint.hasPortAndPath(of: other.endpoint)
    }
}

extension Gateway {
    /// Returns the path on which a gateway with a name from the user answers: that which shows who it was before, whatever else
    /// answers; `nil` if none does.
    func path(of former: Occupant?) -> GatewayPath? {
        let answers = paths.filter(\.isAnswer)
        let proved = former.flatMap { former in
            answers.first { NamedPlace.holder($0).map(former.isProved) == true }
        }
        return proved ?? answers.first(where: \.counts)
    }
}
