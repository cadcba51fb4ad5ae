internal import DNSSD

/// The handling of answers, and of questions that are not answered.
extension BonjourBrowseStateMachine {
    /// Handles an answer to a question, or its failure.
    mutating func receive(
        _ event: ReferenceEvent,
        from lookup: LookupKey,
        now: ContinuousClock.Instant
    ) -> [BonjourBrowseAction] {
        // The question may have been given up before its answer came.
        guard running[lookup] != nil else { return [] }
        switch (lookup, event) {
        case (.resolve(let name, let interface), .resolved(let host, let port, let txt)):
            stop(lookup)
            resolved(InstanceKey(instance: name, interface: interface), host: host, port: port, txt: txt, now: now)
        case (.text(let name, let interface), .record(let isAdded, let data)):
            let key = InstanceKey(instance: name, interface: interface)
            paths[key]?.watch(data, isAdded: isAdded)
            report(key)
        case (.addresses(let host, let family, let interface), .record(let isAdded, let data)):
            let key = HostKey(name: host, interface: interface)
            guard let address = address(data, family, interface) else { break }
            if isAdded {
                guard let host = hosts[key], host.seen[family]?.count ?? 0 < limits.addresses else { break }
                // Addresses from earlier questions are replaced when this one ends; until then they take up room.
                hosts[key]?.seen[family, default: []].insert(address)
                if host.addresses.count < limits.addresses { hosts[key]?.addresses.insert(address) }
            } else {
                hosts[key]?.seen[family]?.remove(address)
                hosts[key]?.addresses.remove(address)
            }
            // Records that keep coming and going must not prolong the question for ever.
            let end = hosts[key]?.ends[family] ?? now + limits.addressTimeout
            hosts[key]?.ends[family] = end
            running[lookup] = .some(min(now + limits.addressQuiet, end))
            reportInstances(of: key)
        case (_, .failed):
            ended(lookup, now: now)
        case (_, _):
            break
        }
        return turn(now)
    }

    /// Ends a question that has failed or whose time is up.
    mutating func ended(_ lookup: LookupKey, now: ContinuousClock.Instant) {
        stop(lookup)
        switch lookup {
        case .resolve(let name, let interface):
            let key = InstanceKey(instance: name, interface: interface)
            paths[key]?.isUnanswered = true
            askAgain(key, now + (paths[key]?.host == nil ? retryInterval : refreshInterval))
            report(key)
        case .text(let name, let interface):
            // Without a watch, the TXT record is looked up again together with the SRV record.
            paths[InstanceKey(instance: name, interface: interface)]?.endWatch()
        case .addresses(let host, let family, let interface):
            let key = HostKey(name: host, interface: interface)
            hosts[key]?.asked.insert(family)
            hosts[key]?.ends[family] = nil
            let seen = hosts[key]?.seen.removeValue(forKey: family) ?? []
            let kept = Set((hosts[key]?.addresses ?? []).filter { $0.family != family })
            // When no address comes at all, a lost answer is more likely than a host without its last address.
            if !seen.isEmpty { hosts[key]?.addresses = kept.union(seen) }
            if let host = hosts[key], host.addresses.isEmpty, host.asked.count == AddressFamily.allCases.count {
                hosts[key]?.askAt = nil
                for instance in host.instances {
                    askAgain(InstanceKey(instance: instance, interface: interface), now + retryInterval)
                }
            }
            reportInstances(of: key)
        }
    }

    private mutating func resolved(
        _ key: InstanceKey,
        host: String?,
        port: UInt16,
        txt: [UInt8],
        now: ContinuousClock.Instant
    ) {
        guard var path = paths[key] else { return }
        askAgain(key, now + refreshInterval)
        guard let host, let name = try? DomainName(escaped: host), !name.isRoot else {
            warn(.invalidRecord, "An SRV record on the network is malformed; it is left out.")
            paths[key]?.isUnanswered = true
            return report(key)
        }
        if path.host != name { leaveHost(of: key, path) }
        path.isUnanswered = false
        path.host = name
        path.port = port
        // If there is a TXT watch, its record is newer: Avahi's resolver waits until the old record is gone.
        let watch = LookupKey.text(key.instance, interface: key.interface)
        if running[watch] == nil { path.txt = TXTRecord(decoding: txt) }
        let watches = running.values.count { $0 == nil }
        if running[watch] == nil, watches < limits.watches {
            running[watch] = .some(nil)
            actions.append(.start(watch))
        }
        path.refreshAt = paths[key]?.refreshAt
        paths[key] = path

        let hostKey = HostKey(name: name, interface: key.interface)
        hosts[hostKey, default: LinkHost()].instances.insert(key.instance)
        // One question serves all services of a host until the next round.
        let askAt = hosts[hostKey]?.askAt ?? now
        let askAgainAt = now + refreshInterval / 2
        if askAt <= now {
            hosts[hostKey]?.askAt = askAgainAt
            for family in AddressFamily.allCases {
                let lookup = LookupKey.addresses(name, family, interface: key.interface)
                queue.append(lookup)
                if hosts[hostKey]?.asked.contains(family) == false { first.insert(lookup) }
            }
        }
        report(key)
    }

    private var refreshInterval: Duration { max(limits.refreshInterval, limits.refreshGap * paths.count) }

    private var retryInterval: Duration { max(limits.retryInterval, limits.retryGap * paths.count) }

    /// Schedules the next look-up of an instance.
    private mutating func askAgain(_ key: InstanceKey, _ time: ContinuousClock.Instant) {
        paths[key]?.refreshAt = time
        refreshDue = min(refreshDue ?? time, time)
    }

    mutating func leaveHost(of key: InstanceKey, _ path: ResolvedInstance) {
        guard let name = path.host else { return }
        let hostKey = HostKey(name: name, interface: key.interface)
        hosts[hostKey]?.instances.remove(key.instance)
        guard hosts[hostKey]?.instances.isEmpty == true else { return }
        hosts[hostKey] = nil
        for family in AddressFamily.allCases { stop(.addresses(name, family, interface: key.interface)) }
    }

    private func address(_ bytes: [UInt8], _ family: AddressFamily, _ interface: UInt32) -> IPAddress? {
        switch family {
        case .ipv4:
            return IPv4Address(bytes: bytes).map { .v4($0) }
        case .ipv6:
            guard let address = IPv6Address(bytes: bytes) else { return nil }
            guard address.isLinkLocal, let name = interfaceName(interface) else { return .v6(address) }
            return .v6(IPv6Address(bits: address.bits, scope: NetworkInterface(index: interface, name: name)))
        }
    }

    private mutating func reportInstances(of key: HostKey) {
        for instance in hosts[key]?.instances ?? [] {
            report(InstanceKey(instance: instance, interface: key.interface))
        }
    }

    mutating func report(_ key: InstanceKey) {
        guard let path = paths[key], path.count > 0 else { return }
        let interface =
            path.reported?.path.interface
            ?? interfaceName(key.interface).map { NetworkInterface(index: key.interface, name: $0) }
        guard let interface else { return }
        let host = path.host.flatMap { hosts[HostKey(name: $0, interface: key.interface)] }
        var sighting = Sighting(
            instance: key.instance,
            // The library does not report by which address family the instance was found.
            path: ServicePath(interface: interface, family: .ipv4),
            source: .bonjour,
            host: path.host,
            port: path.port,
            addresses: host?.addresses.sorted() ?? [],
            txt: path.txt,
            isOurs: isOurs(key.instance)
        )
        if !sighting.addresses.isEmpty, host?.asked.isEmpty == false || path.reported?.resolution == .resolved {
            // Not at the very first address: those of the other family follow almost at once.
            sighting.resolution = .resolved
        } else if path.host != nil, host?.asked.count == AddressFamily.allCases.count {
            let seconds = limits.addressTimeout.components.seconds
            sighting.resolution = .failed(reason: "no address record was answered within \(seconds) s")
        } else if path.host == nil, path.isUnanswered {
            let seconds = limits.resolveTimeout.components.seconds
            sighting.resolution = .failed(reason: "no SRV record was answered within \(seconds) s")
        }
        // A sighting that was reported as settled stays so until something definite replaces it.
        let isSetback = path.reported?.resolution.isSettled == true && sighting.resolution == .resolving
        guard sighting != path.reported, !isSetback else { return }
        paths[key]?.reported = sighting
        events.append(.sighted(sighting))
    }
}
