package import DNSSD

/// Giving instances up when there are too many.
extension OneShotQuery {
    /// Makes room for one more instance: past the limits, the source that has brought the most instances on one path
    /// loses its newest one.
    ///
    /// - Parameter isListed: Whether a PTR record has just listed the instance, so that it counts as left out if there
    ///   is no room: its other records do not count again.
    /// - Returns: Whether there is room: not if the source itself has brought the most.
    mutating func makeRoom(
        for name: DomainName,
        isListed: Bool,
        from source: PacketSource,
        on path: ServicePath
    ) -> Bool {
        while byteCount + name.wire.count > configuration.maximumBytes
            || instanceCounts.count >= configuration.maximumInstances && !instanceCounts.contains(name)
        {
            // No path is stored in a variable here: its rows would be copied.
            let crowded = paths.max { one, other in
                let (count, more) = (one.value.ledger.highestCount, other.value.ledger.highestCount)
                return count != more ? count < more : other.key < one.key
            }?.key
            guard let crowded, let own = paths[path]?.ledger.count(of: source),
                let highest = paths[crowded]?.ledger.highestCount, own < highest,
                let victim = paths[crowded]?.ledger.newestOfHighest(using: &generator)
            else {
                if isListed { noteLeftOut() }
                return false
            }
            noteLeftOut()
            giveUp(victim, on: crowded)
        }
        return true
    }

    /// Sets whether an instance is known to be alive by other means: while it is, it is not given up for lack of room.
    package mutating func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        guard let name = try? DomainName(escaped: instance.fullName) else { return }
        if isProtected { protected.insert(name) } else { protected.remove(name) }
        for path in paths.keys { enter(name, on: path) }
    }

    /// Enters an instance into the ledger if it may be given up for lack of room, and takes it out if not.
    mutating func enter(_ name: DomainName, on path: ServicePath) {
        guard let source = paths[path]?.rows[name]?.source else { return }
        if protected.contains(name) {
            paths[path]?.ledger.remove(name)
        } else {
            paths[path]?.ledger.insert(name, from: source)
        }
    }

    /// Gives an instance up, and reports that it has vanished if it had been reported.
    private mutating func giveUp(_ name: DomainName, on path: ServicePath) {
        guard let row = paths[path]?.rows[name] else { return }
        if row.isReported, !row.isConfirmed { events.append(.vanished(row.instance, path, .withdrawn)) }
        remove(name, on: path)
    }

    private mutating func noteLeftOut() {
        losses.entries += 1
        warn(.tooManyInstances(limit: configuration.maximumInstances))
    }

    /// Reports a warning to the user, each kind once.
    mutating func warn(_ warning: BackendWarning) {
        guard warned.insert(warning.code).inserted else { return }
        events.append(.warning(warning))
    }
}
