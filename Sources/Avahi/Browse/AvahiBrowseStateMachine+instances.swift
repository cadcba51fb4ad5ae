internal import DNSSD

/// The handling of instances as they come and go on each of their paths.
extension AvahiBrowseStateMachine {
    mutating func readInstance(name: String?, type: String?, domain: String?) -> ServiceInstance? {
        if let name, let type, let domain, let type = try? ServiceType(type),
            let instance = try? ServiceInstance(name: name, type: type.base, domain: domain)
        {
            return instance
        }
        warn(.invalidRecord, "A service instance on the network has a malformed name or type; it is left out.")
        return nil
    }

    /// Looks an interface up: one that went down may be back under another name.
    ///
    /// - Returns: Whether the interface is one that was asked for.
    mutating func learnInterface(_ index: Int32, from table: InterfaceTable) -> Bool {
        // The interface may have been renamed since.
        if index > 0, let name = table.name(index) ?? (interfaces[index] == nil ? "if\(index)" : nil) {
            interfaces[index] = NetworkInterface(index: UInt32(index), name: name)
        }
        guard let interface = interfaces[index] else { return false }
        return request.interfaces.isEmpty || request.interfaces.contains(interface.name)
    }

    mutating func found(
        _ name: ServiceInstance,
        on key: AvahiPath,
        by browser: ObjectID,
        isOurs: Bool,
        isOwn: Bool
    ) -> [AvahiBrowseAction] {
        if instances[name] == nil {
            // Otherwise a forged goodbye packet and a flood of instances would suffice to hide one that answers.
            guard instances.count < configuration.maximumInstances || isOurs || isProtected(name) else {
                events.append(.losses(BackendLosses(entries: 1)))
                warn(
                    .tooManyInstances,
                    "More than \(configuration.maximumInstances) services on the network: the others are left out."
                )
                return []
            }
            instances[name] = BrowsedInstance()
            lastFound = now
        }
        var path = instances[name]?.paths[key] ?? BrowsedPath()
        if !path.isSeen { count(key, by: 1) }
        path.isSeen = true
        path.isOurs = isOurs
        path.isOwn = isOwn
        path.browsers.insert(browser)
        instances[name]?.paths[key] = path
        dirty.insert(name)

        var actions: [AvahiBrowseAction] = []
        if instances[name]?.location == nil {
            let resolver = newObject(.resolver(name, key))
            let location = newObject(.location(name))
            let text = newObject(.text(name))
            instances[name]?.resolver = resolver
            instances[name]?.location = location
            instances[name]?.text = text
            actions.append(.resolve(resolver, name, on: key))
            actions.append(.watch(location, name: name.fullName, type: .srv))
            actions.append(.watch(text, name: name.fullName, type: .txt))
        }
        for host in instances[name]?.hosts ?? [] { actions += look(at: host) }
        return actions
    }

    mutating func removed(
        _ name: ServiceInstance,
        from key: AvahiPath,
        by browser: ObjectID,
        _ reason: LossReason
    ) -> [AvahiBrowseAction] {
        guard instances[name]?.paths[key]?.browsers.remove(browser) != nil,
            instances[name]?.paths[key]?.browsers.isEmpty == true
        else { return [] }
        return forget(name, on: key, reason)
    }

    mutating func forget(_ name: ServiceInstance, on key: AvahiPath, _ reason: LossReason) -> [AvahiBrowseAction] {
        guard var instance = instances[name], var path = instance.paths[key], path.isSeen else { return [] }
        count(key, by: -1)
        let reported = path.reported
        // The path keeps its records: their browsers go on for the other paths, and will not report them again when
        // this path comes back.
        path.isSeen = false
        path.browsers = []
        path.reported = nil
        path.incompleteSince = nil
        instance.paths[key] = path
        instances[name] = instance
        let isSeen = instance.paths.values.contains(where: \.isSeen)
        // Additions are reported first, so that a service that only changes its path is not lost for a moment.
        if isSeen, dirty.contains(name) { report(name) }
        if let reported { events.append(.vanished(name, reported.path, reason)) }
        guard !isSeen else { return [] }

        var actions = release(instance.resolver) + release(instance.location) + release(instance.text)
        instances[name]?.paths = [:]
        actions += releaseHosts(of: name)
        instances[name] = nil
        dirty.remove(name)
        return actions
    }

    mutating func caughtUp(_ browser: ObjectID) {
        guard catchingUp.remove(browser) != nil, catchingUp.isEmpty, isInDoubt else { return }
        confirmBy = now + configuration.catchUpTime
    }

    mutating func dropUnconfirmed() -> [AvahiBrowseAction] {
        confirmBy = nil
        isInDoubt = false
        var actions: [AvahiBrowseAction] = []
        for (name, instance) in instances {
            for (key, path) in instance.paths where path.isSeen && path.browsers.isEmpty {
                actions += forget(name, on: key, .missingAfterRestart)
            }
            if instances[name]?.dropUnconfirmed() == true { dirty.insert(name) }
            actions += releaseHosts(of: name)
        }
        for name in hosts.keys where hosts[name]?.dropUnconfirmed() == true {
            dirty.formUnion(hosts[name]?.instances ?? [])
        }
        return actions
    }
}
