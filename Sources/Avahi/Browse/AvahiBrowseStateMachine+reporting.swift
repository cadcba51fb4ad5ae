internal import DNSSD

/// The reporting of changes, except those that are not worth a report.
extension AvahiBrowseStateMachine {
    mutating func report(_ name: ServiceInstance) {
        guard let paths = instances[name]?.paths else { return }
        for (key, path) in paths where path.isSeen {
            guard let interface = interfaces[key.interface] ?? path.reported?.path.interface else { continue }
            let host = path.locations.current.flatMap { hosts[$0.host] }
            let addresses = host?.addresses[key]?.records.sorted() ?? []
            let missing = path.missingRecord(addresses: addresses)
            var path = path
            if missing == nil {
                path.incompleteSince = nil
            } else if path.incompleteSince == nil, !path.browsers.isEmpty {
                path.incompleteSince = now
                overdue.append(name, at: now + configuration.resolutionTimeout)
            }

            var sighting = Sighting(
                instance: name,
                path: ServicePath(interface: interface, family: key.family),
                source: .avahi,
                host: path.locations.current?.host,
                port: path.locations.current?.port,
                addresses: addresses,
                txt: path.texts.current.map { TXTRecord(decoding: $0) },
                isOurs: path.isOurs,
                isOwn: path.isOwn
            )
            if let missing {
                let isOverdue = path.incompleteSince.map { now >= $0 + configuration.resolutionTimeout } ?? false
                if isOverdue, missing == .txt {
                    // RFC 6763 §6.1: a client treats a missing TXT record as an empty one.
                    sighting.txt = TXTRecord()
                    sighting.resolution = .resolved
                } else if isOverdue {
                    let seconds = configuration.resolutionTimeout.components.seconds
                    sighting.resolution = .failed(reason: "no \(missing) was answered within \(seconds) s")
                }
            } else if host?.isWhole == true || path.reported?.resolution == .resolved {
                // Until then the daemon's cache may hold more addresses, which follow almost at once.
                sighting.resolution = .resolved
            }

            // A sighting that was reported as settled stays so until something definite replaces it: a record that is
            // being replaced, or that has not come back yet after a restart of the daemon, is not reported as missing.
            let isSetback = path.reported?.resolution.isSettled == true && sighting.resolution == .resolving
            if sighting != path.reported, !isSetback {
                events.append(.sighted(sighting))
                if let reported = path.reported, reported.path != sighting.path {
                    // The interface was renamed while the daemon was away.
                    events.append(.vanished(name, reported.path, .interfaceDown))
                }
                path.reported = sighting
            }
            instances[name]?.paths[key] = path
        }
    }

    mutating func count(_ path: AvahiPath, by difference: Int) {
        let count = counts[path, default: 0] + difference
        counts[path] = count == 0 ? nil : count
        // Three records for each instance (PTR, SRV and TXT), against 90 % of the limit.
        guard difference > 0, cacheLimit > 0, count * 30 >= cacheLimit * 9 else { return }
        warn(
            .cacheNearlyFull,
            """
            \(count) services on \(interfaces[path.interface]?.name ?? "one interface") nearly fill the cache of \
            avahi-daemon (cache-entries-max=\(cacheLimit) records per interface and family). At the limit it drops \
            what is new, and says nothing: services are then not shown or cannot be resolved. Set \
            cache-entries-max=\(max(16_384, cacheLimit * 4)) in avahi-daemon.conf and restart avahi-daemon.
            """
        )
    }

    mutating func warn(_ code: BackendWarning.Code, _ message: String) {
        guard warned.insert(code).inserted else { return }
        events.append(.warning(BackendWarning(code, message)))
    }
}
