package import DNSSD
internal import Discovery
internal import GatewayProtocol
package import HostSystem

/// The addresses of a host that the user named. Names from the network are never looked up here.
package enum HostAddresses {
    /// The time that the hosts on the link have to answer. They are queried twice in this time; a host that is present
    /// needs milliseconds.
    private static let linkTimeout = Duration.seconds(2)

    /// Looks a host up with the system's resolver, and a name that ends with `.local` also with the hosts on the link,
    /// since many systems do not do that; `nil` when no answer comes in time. By multicast, silence is the answer that there
    /// is no such host, which a system that looks such names up itself may give only later.
    ///
    /// - Parameters:
    ///   - host: A name, or an address.
    ///   - limit: The time that this may take.
    ///   - interfaces: The interfaces of this host.
    package static func of(
        _ host: String,
        within limit: Duration,
        interfaces: [HostInterface] = HostInterface.all
    ) async -> [IPAddress]? {
        if let literal = IPAddress(host, interfaces: interfaces.map(\.interface)) { return [literal] }
        guard let name = localName(host) else { return await SystemResolver.addresses(of: host, within: limit) }
        return await withTaskGroup(of: [IPAddress]?.self) { group in
            group.addTask { await SystemResolver.addresses(of: host, within: limit) }
            group.addTask { await ofLink(name, within: limit, interfaces) }
            var result: [IPAddress]?
            for await addresses in group {
                result = result ?? addresses
                guard let addresses, !addresses.isEmpty else { continue }
                result = addresses
                group.cancelAll()
                break
            }
            return result ?? (limit >= linkTimeout ? [] : nil)
        }
    }

    /// Returns the name if it is one that is looked up by multicast (RFC 6762 §3); `nil` for any other.
    package static func localName(_ host: String) -> DomainName? {
        guard let name = try? DomainName(escaped: host) else { return nil }
        let labels = Array(name.labels)
        guard labels.count == 2, let top = labels.last else { return nil }
        return String(decoding: top, as: UTF8.self).lowercased() == "local" ? name : nil
    }

    /// Indicates whether an address that was reported on the link may be the host's. As for advertised addresses, it
    /// must not be loopback, one of this host's own, or far away.
    package static func isTaken(_ address: IPAddress, interfaces: [HostInterface]) -> Bool {
        let own = interfaces.flatMap(\.addresses)
        guard !own.contains(where: { $0.address == address }) else { return false }
        let networks = own.map { TargetRules.Prefix(address: $0.address, length: $0.prefixLength) }
        // Any port will do: the one that is going to be asked is not known here.
        let endpoint = Endpoint(address: address, port: 1)
        return TargetRules(origin: .network, onLink: networks).refusal(of: endpoint) == nil
    }

    private static func ofLink(
        _ name: DomainName,
        within limit: Duration,
        _ interfaces: [HostInterface]
    ) async -> [IPAddress]? {
        let label = Array(name.labels).first ?? []
        if String(decoding: label, as: UTF8.self).lowercased() == SystemHostName.current.lowercased() {
            return interfaces.filter(\.isOnNetwork).flatMap { $0.addresses.map(\.address) }
        }
        let answers = await name.addressesOnLink(within: min(limit, linkTimeout))
        return answers.isEmpty ? nil : answers.filter { isTaken($0, interfaces: interfaces) }
    }

    /// Explains for people why a name that was looked up has no addresses.
    package static func absence(of host: String, interfaces: [HostInterface] = HostInterface.all) -> String {
        if let percent = host.firstIndex(of: "%"), IPAddress(String(host[..<percent])) != nil {
            let names = interfaces.map(\.interface.name).joined(separator: ", ")
            return "there is no interface “\(host[host.index(after: percent)...])”; this host has: \(names)"
        }
        return "there is no host of the name \(host)"
    }
}
