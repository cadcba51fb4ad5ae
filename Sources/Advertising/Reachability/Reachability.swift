internal import DNSSD

/// The reachability of a gateway on the network: what is known of each address of this host. A value.
///
/// An address is asked from this host itself, so that a firewall towards the others is not seen.
struct Reachability: Hashable, Sendable {
    /// The conclusion from all addresses together.
    enum Verdict: Hashable, Sendable {
        /// It answers at some address of these interfaces; `isEverywhere` when of none it is known that it does not.
        case reachable(interfaces: Set<String>, isEverywhere: Bool)

        /// Nothing is known for sure yet.
        case undecided

        /// It answers at none of the addresses.
        case unreachable(WithholdingReason)
    }

    private enum Standing: Hashable {
        /// Not asked, or the first answer that failed to come.
        case unknown
        case answers
        /// It answered, and then missed once.
        case missed
        case silent
        /// Something else answers there.
        case taken
    }

    /// The most addresses that are asked, and of one interface: containers have many interfaces.
    private static let limits = (all: 32, ofInterface: 4)

    private var standings: [LocalAddress: Standing] = [:]

    /// Returns those of a host's addresses that are looked at.
    ///
    /// - Parameters:
    ///   - addresses: The addresses, sorted.
    ///   - interfaces: The interfaces that it is published on; empty means all.
    static func relevant(_ addresses: [LocalAddress], on interfaces: Set<String>) -> [LocalAddress] {
        var counts: [NetworkInterface: Int] = [:]
        let relevant = addresses.filter { address in
            guard address.isOnNetwork, interfaces.isEmpty || interfaces.contains(address.interface.name) else {
                return false
            }
            counts[address.interface, default: 0] += 1
            return counts[address.interface, default: 0] <= limits.ofInterface
        }
        return Array(relevant.prefix(limits.all))
    }

    /// The addresses that are known.
    var addresses: Set<LocalAddress> { Set(standings.keys) }

    /// Indicates whether any address is to be asked again soon.
    var isUnsettled: Bool { standings.values.contains { $0 == .unknown || $0 == .missed } }

    /// Takes what came of asking.
    ///
    /// - Parameters:
    ///   - addresses: All relevant addresses that the host has now; others are forgotten.
    ///   - answers: What came from those that were asked.
    ///   - facts: The gateway that should have answered.
    ///   - isStrict: Whether one miss is enough, since nothing is advertised that a slip could take away.
    mutating func receive(
        _ addresses: [LocalAddress],
        _ answers: [LocalAddress: GatewayAnswer],
        from facts: GatewayFacts,
        isStrict: Bool
    ) {
        var next: [LocalAddress: Standing] = [:]
        for address in addresses {
            let before = standings[address]
            guard let answer = answers[address] else {
                next[address] = before ?? .unknown
                continue
            }
            switch answer {
            // Here another certificate means another server: both were asked at the same time.
            case .gateway(let found) where found.areOfTheSameGateway(as: facts) && found.leaf == facts.leaf:
                next[address] = .answers
            case .gateway, .other:
                next[address] = .taken
            case .nothing, .foreignAddress:
                switch before {
                case .answers: next[address] = .missed
                // A new address can need a second before it can be connected to (RFC 4862 §5.4).
                case nil: next[address] = isStrict ? .silent : .unknown
                case .unknown, .missed, .silent, .taken: next[address] = .silent
                }
            }
        }
        standings = next
    }

    /// The conclusion from what is known now.
    var verdict: Verdict {
        guard !standings.isEmpty else { return .unreachable(.noNetwork) }
        var answering: Set<String> = []
        var undecided: Set<String> = []
        for (address, standing) in standings {
            switch standing {
            case .answers, .missed: answering.insert(address.interface.name)
            case .unknown: undecided.insert(address.interface.name)
            case .silent, .taken: break
            }
        }
        if !answering.isEmpty {
            let all = Set(standings.keys.map(\.interface.name))
            return .reachable(interfaces: answering, isEverywhere: answering.union(undecided) == all)
        }
        guard undecided.isEmpty else { return .undecided }
        let known = standings.sorted { $0.key < $1.key }
        if let taken = known.first(where: { $0.value == .taken }) {
            return .unreachable(.otherAtAddress(taken.key.address))
        }
        return .unreachable(.notReachable(addresses: known.map(\.key.address).sorted()))
    }
}
