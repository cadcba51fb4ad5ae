internal import DNSSD

/// The look for leases in a domain that are over, and the removal of what they are for. A value.
struct LeaseSweep: Sendable {
    /// The maximum number of types, of instances, and of removals at once.
    private static let (mostTypes, mostInstances, mostRemovals) = (16, 200, 20)

    private enum Phase {
        case rest
        case types
        case lists([DomainName])
        case leases([DomainName])
        case removals([Removal])
    }

    /// An instance with a lease that is over.
    private struct Removal {
        let instance: DomainName
        let lease: ZoneLease
        let record: DNSRecord
    }

    private var phase = Phase.rest

    /// The removals that are under way.
    private var removing: [Removal] = []

    /// The time of the next look; `nil` before the first.
    private(set) var due: ContinuousClock.Instant?

    /// Decides what to do next; `nil` if there is nothing to do yet.
    ///
    /// - Parameter own: The instances that are published from here.
    mutating func next(
        in names: ZoneNames,
        except own: Set<DomainName>,
        _ now: ContinuousClock.Instant,
        _ time: UInt64
    ) -> ZoneStep? {
        switch phase {
        case .rest:
            guard due.map({ $0 <= now }) != false else { return nil }
            due = now + ZonePublisher.interval
            phase = .types
            return .ask([DNSQuestion(name: names.types, type: .ptr)])
        case .types: break
        case .lists(let types):
            if !types.isEmpty { return .ask(types.map { DNSQuestion(name: $0, type: .ptr) }) }
        case .leases(let instances):
            // Others look as well: if there are too many for one, each takes some.
            let leases = instances.filter { !own.contains($0) }.shuffled().prefix(Self.mostInstances)
                .compactMap { try? ZoneNames.lease(of: $0) }
            if !leases.isEmpty { return .ask(leases.map { DNSQuestion(name: $0, type: .txt) }) }
        case .removals(let removals):
            removing = Array(removals.prefix(Self.mostRemovals))
            phase = .removals(Array(removals.dropFirst(Self.mostRemovals)))
            guard !removing.isEmpty else { break }
            var update = ZoneUpdate()
            for removal in removing {
                let part = removal.lease.removal(of: removal.instance, removal.record, in: names)
                update.guards += part.guards
                update.changes += part.changes
            }
            return .update(update, domain: names.domain)
        }
        phase = .rest
        return nil
    }

    /// Takes the result of a step.
    ///
    /// - Returns: The types that may be without instances now.
    mutating func receive(_ result: ZoneResult, in names: ZoneNames, _ time: UInt64) -> Set<DomainName> {
        let records = if case .answers(let messages) = result { messages.flatMap(\.answers) } else { [DNSRecord]() }
        let targets = records.compactMap { record -> DomainName? in
            guard case .ptr(let name) = record.data, name.isWithin(names.domain) else { return nil }
            return name
        }
        switch phase {
        case .types: phase = .lists(Array(targets.prefix(Self.mostTypes)))
        case .lists: phase = .leases(targets)
        case .leases:
            phase = .removals(
                records.compactMap { record in
                    guard let lease = ZoneLease(record.data), lease.isOver(at: time), let instance = record.name.parent
                    else { return nil }
                    return Removal(instance: instance, lease: lease, record: record)
                }
            )
        case .removals, .rest:
            defer { removing = [] }
            return result == .updated ? Set(removing.compactMap(\.instance.parent)) : []
        }
        return []
    }
}
