internal import DNSSD

/// The handling of the records of instances and hosts, and of the hosts that are watched for instances.
extension AvahiBrowseStateMachine {
    mutating func resolved(
        _ name: ServiceInstance,
        on key: AvahiPath,
        host: String?,
        port: UInt16,
        txt: [[UInt8]]
    ) -> [AvahiBrowseAction] {
        var actions = releaseResolver(of: name)
        guard let host = host.flatMap({ try? DomainName(escaped: $0) }) else { return actions }
        let location = ServiceLocation(host: host, port: port)
        if instances[name]?.paths[key]?.locations.current == nil {
            instances[name]?.paths[key]?.locations.hint = location
            actions += use(host, for: name)
        }
        if instances[name]?.paths[key]?.texts.current == nil {
            // As in the record itself: each string after its length (RFC 6763 §6.1).
            let strings = txt.isEmpty ? [[]] : txt
            instances[name]?.paths[key]?.texts.hint = strings.flatMap { [UInt8(clamping: $0.count)] + $0.prefix(255) }
        }
        dirty.insert(name)
        return actions
    }

    mutating func releaseResolver(of name: ServiceInstance) -> [AvahiBrowseAction] {
        let resolver = instances[name]?.resolver
        instances[name]?.resolver = nil
        return release(resolver)
    }

    mutating func location(
        _ kind: ObjectEvent.Kind,
        _ data: [UInt8],
        of name: ServiceInstance,
        on key: AvahiPath
    ) -> [AvahiBrowseAction] {
        guard let location = ServiceLocation(data: data) else {
            warn(.invalidRecord, "An SRV record on the network is malformed; it is left out.")
            return []
        }
        guard instances[name]?.paths[key, default: BrowsedPath()].locations.apply(kind, location) == true else {
            return []
        }
        dirty.insert(name)
        guard kind == .new else { return releaseHosts(of: name) }
        return use(location.host, for: name) + releaseHosts(of: name)
    }

    mutating func address(
        _ kind: ObjectEvent.Kind,
        _ data: [UInt8],
        of host: DomainName,
        family: AddressFamily,
        on key: AvahiPath,
        _ table: InterfaceTable
    ) {
        guard learnInterface(key.interface, from: table) else { return }
        let address: IPAddress? =
            switch family {
            case .ipv4: IPv4Address(bytes: data).map(IPAddress.v4)
            case .ipv6: IPv6Address(bytes: data, scope: interfaces[key.interface]).map(IPAddress.v6)
            }
        guard let address else {
            warn(.invalidRecord, "An address record on the network is malformed; it is left out.")
            return
        }
        guard hosts[host]?.addresses[key, default: RecordSet(limit: 32)].apply(kind, address) == true else { return }
        dirty.formUnion(hosts[host]?.instances ?? [])
    }

    /// Records that the daemon has reported all the addresses of a host that it knew, or will report none.
    mutating func noMoreAddresses(of host: DomainName, _ family: AddressFamily) {
        hosts[host]?.reported.insert(family)
        dirty.formUnion(hosts[host]?.instances ?? [])
    }

    mutating func use(_ host: DomainName, for name: ServiceInstance) -> [AvahiBrowseAction] {
        instances[name]?.hosts.insert(host)
        hosts[host, default: BrowsedHost()].instances.insert(name)
        return look(at: host)
    }

    mutating func look(at host: DomainName) -> [AvahiBrowseAction] {
        AddressFamily.allCases.compactMap { family in
            guard hosts[host] != nil, hosts[host]?.browses[family] == nil else { return nil }
            let id = newObject(.addresses(host, family))
            hosts[host]?.browses[family] = id
            return .watch(id, name: host.escaped, type: family == .ipv4 ? .a : .aaaa)
        }
    }

    /// Releases the hosts that no SRV record of the instance names any longer.
    mutating func releaseHosts(of name: ServiceInstance) -> [AvahiBrowseAction] {
        guard let instance = instances[name] else { return [] }
        let named = Set(
            instance.paths.values.flatMap {
                ($0.locations.records + [$0.locations.current].compactMap(\.self)).map(\.host)
            }
        )
        var actions: [AvahiBrowseAction] = []
        for host in instance.hosts.subtracting(named) {
            hosts[host]?.instances.remove(name)
            guard hosts[host]?.instances.isEmpty == true else { continue }
            for family in AddressFamily.allCases { actions += release(hosts[host]?.browses[family]) }
            hosts[host] = nil
        }
        instances[name]?.hosts = named
        return actions
    }
}
