internal import DNSSD
internal import Scanning

/// The names that gateways may have had before: a host whose name another record seems to have takes the next one, *Home (2)*
/// or *Home #2*. A gateway without a fingerprint is known by its name alone.
enum RenamedGateways {
    /// Returns the keys under which gateways may be known, by those that they have now.
    ///
    /// - Parameters:
    ///   - gateways: The identifiers of the gateways.
    ///   - present: The identifiers of all rows that answer: what is there has not been renamed.
    static func formerKeys(of gateways: [GatewayID], besides present: Set<GatewayID>) -> [String: [String]] {
        var keys: [String: [String]] = [:]
        for id in gateways {
            guard case .candidate(.service(let instance)) = id.form else { continue }
            let former = formerNames(of: instance.name).compactMap { name in
                try? ServiceInstance(name: name, type: instance.type, domain: instance.domain)
            }
            .map { GatewayID.candidate(.service($0)) }.filter { !present.contains($0) }
            if !former.isEmpty { keys[id.description] = former.map(\.description) }
        }
        return keys
    }

    /// Returns the names of which one has become this name; none if it has no number at its end.
    static func formerNames(of name: String) -> [String] {
        guard let match = name.wholeMatch(of: /(.+) (?:\(([2-9])\)|#([2-9]))/), let number = match.2 ?? match.3,
            let last = Int(number)
        else { return [] }
        let isInParentheses = match.2 != nil
        let between = (2..<last).map { isInParentheses ? "\(match.1) (\($0))" : "\(match.1) #\($0)" }
        return [String(match.1)] + between
    }
}

extension ConstellationSnapshot {
    /// The keys that the gateways may have had that may be new.
    var formerKeys: [String: [String]] {
        RenamedGateways.formerKeys(
            of: gateways.filter { $0.newcomer != nil }.map(\.id),
            besides: Set(gateways.filter { $0.liveness?.isAlive == true }.map(\.id))
        )
    }
}
