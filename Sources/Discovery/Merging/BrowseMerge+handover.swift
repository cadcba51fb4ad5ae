internal import DNSSD

/// The hand-over from sources whose daemon has gone to those that stand by, and back.
extension BrowseMerge {
    /// Does everything that is due.
    mutating func tick(now: ContinuousClock.Instant) -> Outcome {
        let due = sources.indices.filter { source in sources[source].deadline.map { $0 <= now } ?? false }
        // The reports of a primary source count again before those of the standby are removed.
        for source in due {
            switch sources[source].phase {
            case .away: enter(.absent, source)
            case .returning: enter(.working, source)
            case .idle, .working, .absent, .leaving: break
            }
        }
        for source in due {
            if case .leaving = sources[source].phase { enter(.idle, source) }
        }
        return takeOutcome()
    }

    /// Indicates whether a standby is needed: all primary sources are without a daemon.
    private var isStandbyNeeded: Bool {
        let primaries = sources.filter { $0.traits.role == .primary }
        return !primaries.isEmpty && primaries.allSatisfy(\.status.meansNoDaemon)
    }

    /// Enters the phases that follow from the sources' statuses.
    mutating func settlePhases(now: ContinuousClock.Instant) {
        guard sources.contains(where: { $0.traits.role == .standby }) else { return }
        let (end, returnEnd) = (now + Self.catchUpTime, now + Self.returnTime)
        for source in sources.indices where sources[source].traits.role == .primary {
            switch (sources[source].phase, sources[source].status.meansNoDaemon) {
            case (.working, true), (.returning, true):
                sources[source].epoch += 1
                enter(.away(until: end), source)
            case (.away, false), (.absent, false):
                enter(.returning(until: returnEnd), source)
            default: break
            }
        }
        for source in sources.indices where sources[source].traits.role == .standby {
            switch (sources[source].phase, isStandbyNeeded) {
            case (.idle, true):
                sources[source].status = .starting
                sources[source].run += 1
                enter(.working, source)
            case (.leaving, true): enter(.working, source)
            case (.working, false): enter(.leaving(until: returnEnd), source)
            default: break
            }
        }
    }

    /// Enters a phase. Instances that no source sees in it are lost.
    private mutating func enter(_ phase: Source.Phase, _ source: Int) {
        let known = instances.compactMap { key, instance in
            instance.report(of: source) == nil ? nil : (key: key, isKnown: instance.isKnownToAuthority(sources))
        }
        sources[source].phase = phase
        switch phase {
        case .idle, .away: sources[source].activity = .idle
        case .absent: sources[source].firstCountingEpoch = sources[source].epoch
        case .working: sources[source].firstCountingEpoch = 0
        case .leaving, .returning: break
        }
        for (key, isKnown) in known {
            switch phase {
            case .idle: leave(key, by: source)
            case .working:
                instances[key]?.update { if $0.source == source { $0.isSetAside = false } }
                if instances[key]?.report(of: source)?.sighting.resolution == .resolved { confirm(key) }
            case .leaving, .away, .absent, .returning: break
            }
            if isKnown { noteEnd(of: key) }
            show(key, newSightingFrom: nil, .missingAfterRestart)
        }
    }

    /// Removes the report of a standby that has ended. If the source that has taken over is still resolving the
    /// instance, it inherits that report.
    private mutating func leave(_ key: InstancePath, by source: Int) {
        let removed = instances[key]?.remove { $0.source == source }.first
        guard let removed, removed.sighting.resolution == .resolved, var heir = instances[key]?.best(sources),
            sources[heir.source].isAuthority, heir.sighting.resolution == .resolving
        else { return }
        heir.sighting = removed.sighting
        instances[key]?.set(heir)
    }

    /// Reports the status of the browse: that of the standby of the highest rank while one is needed, else that of the
    /// primary source of the highest rank.
    mutating func reportStatus() {
        outcome.update.isStatusNew = true
        let role: SourceTraits.Role =
            isStandbyNeeded && sources.contains { $0.traits.role == .standby } ? .standby : .primary
        let deciding = sources.filter { $0.traits.role == role }.max { $0.traits.rank < $1.traits.rank }
        guard let status = deciding?.status, status != reportedStatus else { return }
        reportedStatus = status
        outcome.events.append(.status(status))
    }

    /// The activity of all authorities together.
    var activity: BackendActivity { activity { $0.isAuthority } }

    /// The activity of some sources together.
    func activity(of isMeant: (Source) -> Bool) -> BackendActivity {
        var latest: ContinuousClock.Instant?
        for source in sources where isMeant(source) && source.isPresent {
            switch source.activity {
            case .busy: return .busy
            case .expecting(let time): latest = max(latest ?? time, time)
            case .idle: break
            }
        }
        return latest.map { .expecting(until: $0) } ?? .idle
    }
}

extension BackendStatus {
    /// Indicates whether the backend has no daemon, so that another source may do its work.
    fileprivate var meansNoDaemon: Bool {
        if case .unavailable(let error) = self { error.meansNoDaemon } else { false }
    }
}

extension BackendError {
    /// Indicates whether there is no daemon that could do the work. A daemon that does not answer is present and may
    /// only be busy, and two responders for one host get in each other's way.
    var meansNoDaemon: Bool {
        switch code {
        case .noMessageBus, .noDaemon, .refused: true
        default: false
        }
    }
}
