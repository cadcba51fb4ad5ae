package import DNSSD
internal import GatewayProtocol
package import HostSystem

/// The networks of which a look around asks all hosts. A value.
package enum SweptNetworks: Hashable, Sendable, CustomStringConvertible {
    /// Those that the interfaces of this host are in, as far as they are small, and private: in a public one, such as that of a
    /// rented server, the others are strangers.
    case own

    /// One that was typed, which must be a part of one of these.
    case typed(InterfaceAddress)

    /// The shortest prefix of a network that is asked as a whole.
    package static let shortestPrefix = 22

    /// The most hosts that are asked.
    package static let mostHosts = 1_024

    /// Reads a network such as `192.168.1.0/24`; `nil` if it is none, or too large.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, case .v4(let address)? = IPAddress(String(parts[0])), let length = Int(parts[1]),
            (Self.shortestPrefix...32).contains(length)
        else { return nil }
        self = .typed(InterfaceAddress(address: .v4(address), prefixLength: length))
    }

    package var description: String {
        switch self {
        case .own: "this host's own networks"
        case .typed(let network): "\(network.network)/\(network.prefixLength)"
        }
    }

    /// Returns the hosts to ask, those first that the kernel knows as neighbours, and the reasons why others are not asked.
    ///
    /// - Parameters:
    ///   - interfaces: The interfaces of this host that lead to its networks.
    ///   - isNeighbour: Indicates whether this host has lately exchanged packets with an address.
    package func hosts(
        _ interfaces: [HostInterface],
        isNeighbour: (IPAddress) -> Bool
    ) -> (hosts: [IPAddress], reasons: [String]) {
        let own = interfaces.flatMap(\.addresses).filter { $0.address.family == .ipv4 && !$0.address.isLinkLocal }
        var reasons: [String] = []
        let networks: [InterfaceAddress]
        switch self {
        case .own:
            networks = own.filter { $0.prefixLength >= Self.shortestPrefix && $0.address.isLocalNetwork }
            for network in own where !networks.contains(network) && network.prefixLength < 32 {
                let name = "\(network.network)/\(network.prefixLength)"
                let part = "\(network.address)/\(max(network.prefixLength, 24))"
                let trouble = network.address.isLocalNetwork ? "has too many hosts to ask all" : "is a public network"
                reasons.append("\(name) \(trouble); name a part of it, such as --sweep \(part)")
            }
        case .typed(let network):
            let isOwn = own.contains { $0.prefixLength <= network.prefixLength && $0.contains(network.address) }
            networks = isOwn ? [network] : []
            if !isOwn { reasons.append("\(self) is no part of a network of this host, and is not asked") }
        }
        let ownAddresses = Set(own.map(\.address))
        var seen: Set<IPAddress> = []
        let all = networks.flatMap(Self.hosts).filter { !ownAddresses.contains($0) && seen.insert($0).inserted }
        let known = all.filter(isNeighbour)
        let rest = all.filter { !isNeighbour($0) }
        if all.count > Self.mostHosts {
            reasons.append(
                "of \(all.count) hosts, \(Self.mostHosts) are asked; name one network, such as --sweep 192.168.1.0/24"
            )
        }
        return (Array((known + rest).prefix(Self.mostHosts)), reasons)
    }

    /// Returns the addresses of a network that a host can have.
    private static func hosts(of network: InterfaceAddress) -> [IPAddress] {
        guard case .v4(let first) = network.network else { return [] }
        let count = UInt32(1) << UInt32(32 - network.prefixLength)
        // The first and the last name the network itself, and all of its hosts.
        let range = count > 2 ? 1..<(count - 1) : 0..<count
        return range.map { .v4(IPv4Address(bits: first.bits + $0)) }
    }
}
