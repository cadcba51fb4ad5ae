internal import DNSMessages
package import DNSSD

/// The instances that are left out when there is too much.
extension OneShotQuery {
    /// Makes room for one more instance: past the limits whoever has brought most on one path loses what came last.
    ///
    /// - Parameter isListed: Whether it is listed just now, and counts as left out where it finds no room: not once more with
    ///   each record that comes along.
    /// - Returns: Whether there is room: not for the source that has brought most itself.
    mutating func makeRoom(
        for name: DomainName,
        isListed: Bool,
        from source: PacketSource,
        on path: ServicePath
    ) -> Bool {
        while byteCount + name.wire.count > configuration.maximumBytes
            || instanceCounts.count >= configuration.maximumInstances && !instanceCounts.contains(name)
        {
            // No path is held on to here: its rows would be copied.
            let crowded = paths.max { $0.value.ledger.highestCount < $1.value.ledger.highestCount }?.key
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

    /// An instance is known to be alive by other means, or no longer: while it is, it is not given up for lack of room.
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

    /// Gives an instance up, and tells those who were told of it.
    private mutating func giveUp(_ name: DomainName, on path: ServicePath) {
        guard let row = paths[path]?.rows[name] else { return }
        if row.isReported, !row.isConfirmed { events.append(.vanished(row.instance, path, .withdrawn)) }
        remove(name, on: path)
    }

    private mutating func noteLeftOut() {
        losses.entries += 1
        warn(.tooManyInstances(limit: configuration.maximumInstances))
    }

    /// Tells once what the user should know.
    mutating func warn(_ warning: BackendWarning) {
        guard warned.insert(warning.code).inserted else { return }
        events.append(.warning(warning))
    }
}
