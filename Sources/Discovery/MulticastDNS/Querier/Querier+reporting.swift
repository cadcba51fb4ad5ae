internal import DNSSD

/// Reporting instances to browses, and asking for missing records.
extension Querier {
    /// Reviews an instance: asks for its missing records, and reports it if it has changed.
    mutating func review(_ name: DomainName, using random: inout some RandomNumberGenerator) {
        guard var entry = instances[name] else { return }
        let (location, text) = (RecordKey(name, .srv), RecordKey(name, .txt))
        var sighting = Sighting(
            instance: entry.instance,
            path: path,
            source: .embedded,
            isOurs: kept.own.contains(name)
        )
        if case .srv(let srv) = cache.current(location)?.data {
            sighting.host = srv.target
            sighting.port = srv.port
            // The SRV record that was received last may have expired, while an earlier one is still valid.
            if srv == entry.location {
                sighting.heardFrom = entry.heardFrom
                if entry.isOwn { sighting.isOwn = true }
            }
            // Many services may be at one address, forged ones above all: they share the array.
            let addresses = addresses(of: srv.target)
            if lastAddresses != addresses { lastAddresses = addresses }
            sighting.addresses = lastAddresses
            inquire(after: srv.target, using: &random)
            questions[location] = nil
        } else {
            want(location, using: &random)
        }
        if case .txt(let bytes) = cache.current(text)?.data {
            sighting.txt = TXTRecord(decoding: bytes)
            questions[text] = nil
        } else {
            want(text, using: &random)
        }
        resolve(&sighting, &entry, name)
        report(sighting, &entry)
        instances[name] = entry
    }

    /// Returns the addresses of a host, sorted, link-local ones with the interface as their scope.
    func addresses(of host: DomainName) -> [IPAddress] {
        let records = [DNSRecordType.a, .aaaa].flatMap { cache[RecordKey(host, $0)] }
        return records.compactMap { $0.data.address(on: path.interface) }.sorted()
    }

    /// The number of hosts above which the second address family is not asked for: a forger could invent that many.
    private static let manyHosts = 1_000

    /// Asks for the addresses of a host that are missing.
    private mutating func inquire(after host: DomainName, using random: inout some RandomNumberGenerator) {
        let keys = [RecordKey(host, .a), RecordKey(host, .aaaa)]
        let isKnown = keys.map { cache.count(of: $0) > 0 }
        for (key, isPresent) in zip(keys, isKnown) {
            if isPresent || hosts[host]?.lacks.contains(key.type) == true {
                questions[key] = nil
            } else if !isKnown.contains(true) {
                want(key, using: &random)
            } else if hosts.count <= Self.manyHosts {
                // Most hosts have addresses of one family only, and do not announce that they lack the other.
                want(key, limit: 2, using: &random)
            }
        }
    }

    /// Sets the resolution of a sighting: complete, failed, or still under way.
    private mutating func resolve(_ sighting: inout Sighting, _ entry: inout ListedInstance, _ name: DomainName) {
        let missing: String? =
            if sighting.port == nil {
                "SRV record"
            } else if sighting.addresses.isEmpty {
                "address"
            } else if sighting.txt == nil {
                "TXT record"
            } else {
                nil
            }
        guard let missing else {
            entry.incompleteSince = nil
            sighting.resolution = .resolved
            return
        }
        let since = entry.incompleteSince ?? now
        if entry.incompleteSince == nil {
            entry.incompleteSince = now
            queue.insert(.overdue(name), at: now + Self.resolutionTimeout)
        }
        guard now >= since + Self.resolutionTimeout else { return }
        if sighting.port != nil, !sighting.addresses.isEmpty {
            // RFC 6763 §6.1: a client treats a missing TXT record as an empty one.
            sighting.txt = TXTRecord()
            sighting.resolution = .resolved
        } else {
            let seconds = Self.resolutionTimeout.components.seconds
            sighting.resolution = .failed(reason: "no \(missing) was answered within \(seconds) s")
        }
    }

    /// Reports a sighting to the browses that do not know it yet.
    private mutating func report(_ sighting: Sighting, _ entry: inout ListedInstance) {
        // Nearly always one name lists the instance, and its array is shared without a copy.
        var listeners = entry.listings.first.flatMap { names[$0]?.listeners } ?? []
        for listing in entry.listings.dropFirst() {
            for id in names[listing]?.listeners ?? [] where !listeners.contains(id) { listeners.append(id) }
        }
        let former = entry.listeners.filter { !listeners.contains($0) }
        if !former.isEmpty, entry.reported != nil {
            reports.events.append(.vanished(entry.instance, path, .withdrawn, former))
        }
        let newcomers = listeners.filter { !entry.listeners.contains($0) }
        entry.listeners = listeners

        // A sighting that was reported remains valid until it is known to be wrong: a record that is being replaced or
        // asked for again is no change.
        let isSetback = entry.reported?.resolution.isSettled == true && sighting.resolution == .resolving
        if let reported = entry.reported, isSetback || sighting.addsNothing(to: reported) {
            if !newcomers.isEmpty { reports.events.append(.sighted(reported, newcomers)) }
            return
        }
        entry.reported = sighting
        if !listeners.isEmpty { reports.events.append(.sighted(sighting, listeners)) }
    }
}
