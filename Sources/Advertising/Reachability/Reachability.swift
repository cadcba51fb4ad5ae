internal import DNSSD

/// The reachability of a gateway on the network, as far as it is known for each address of this host. A value.
///
/// Each address is asked from this host itself, so a firewall between this host and the others goes unnoticed.
struct Reachability: Hashable, Sendable {
    /// The conclusion from all addresses together.
    enum Verdict: Hashable, Sendable {
        /// The gateway answers at an address of each of these interfaces; `isEverywhere` unless it is known not to
        /// answer on one of the others.
        case reachable(interfaces: Set<String>, isEverywhere: Bool)

        /// Nothing is known for sure yet.
        case undecided

        /// The gateway answers at none of the addresses.
        case unreachable(WithholdingReason)
    }

    private enum Standing: Hashable {
        /// The address has not been asked yet, or is new and did not answer the first time.
        case unknown
        case answers
        /// The gateway answered there, and then missed one check.
        case missed
        case silent
        /// Something else answers there.
        case taken
    }

    /// The most addresses that are asked in all, and of one interface: hosts with containers have many interfaces.
    private static let limits = (all: 32, ofInterface: 4)

    private var standings: [LocalAddress: Standing] = [:]

    /// Returns the addresses of a host that are to be checked.
    ///
    /// - Parameters:
    ///   - addresses: The addresses, sorted.
    ///   - interfaces: The interfaces that the gateway is published on; empty means all.
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

    /// Indicates whether some address should be asked again soon.
    var isUnsettled: Bool { standings.values.contains { $0 == .unknown || $0 == .missed } }

    /// Takes the results of a check.
    ///
    /// - Parameters:
    ///   - addresses: All relevant addresses that the host has now; all others are removed.
    ///   - answers: The answers from the addresses that were asked.
    ///   - facts: The gateway that should have answered.
    ///   - isStrict: Whether one miss is enough to call a new address silent: right while nothing is advertised that a
    ///     single missed answer could withdraw.
    mutating func receive(
        _ addresses: [LocalAddress],
        _ answers: [LocalAddress: GatewayAnswer],
        from facts: AdvertisedFacts,
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
            // Both were asked at the same time, so another certificate means another server.
            case .gateway(let found) where found.areOfTheSameGateway(as: facts) && found.leaf == facts.leaf:
                next[address] = .answers
            case .gateway, .other:
                next[address] = .taken
            case .nothing, .foreignAddress:
                switch before {
                case .answers: next[address] = .missed
                // A new address may take a second before it accepts connections (RFC 4862 §5.4).
                case nil: next[address] = isStrict ? .silent : .unknown
                case .unknown, .missed, .silent, .taken: next[address] = .silent
                }
            }
        }
        standings = next
    }

    /// The conclusion from what is currently known.
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
