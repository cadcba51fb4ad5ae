internal import DNSSD

/// The merged view of any number of sources, for one browser. A value, without clock, lock or I/O.
///
/// The only place that decides which reports count. If several sources report one instance on one path, the browser
/// gets the best report: a resolved one before one that could not be resolved, and that before one that is being
/// resolved; then a current one before one from before its source's daemon went away; then the one of the highest rank.
/// The guide *Merging sources* has the rules as a table.
struct BrowseMerge {
    /// The consequences of a report.
    struct Outcome {
        /// The events for the browser.
        var events: [BrowseEvent] = []

        /// The update for companions.
        var update = CompanionUpdate()
    }

    /// The time for the authorities to report their first instance after a companion has reported one: a scan that
    /// ended earlier would miss instances that only they see.
    static let head = Duration.seconds(2)

    /// The minimum time between two reports of lost packets to companions: a backend may report a loss with every
    /// packet.
    private static let lossPause = Duration.milliseconds(100)

    /// The time for a source that takes over to see what another one saw.
    static let catchUpTime = Duration.seconds(3)

    /// The time for a source whose daemon is back to catch up: it takes a while to drop instances that are no longer
    /// confirmed.
    static let returnTime = catchUpTime * 2

    var sources: [Source]
    var instances = PackedTable<InstancePath, MergedInstance>()

    /// The instances that the browser has from a companion while an authority is still resolving them: the browser must
    /// not take the authority to be finished.
    private var pending: Set<InstancePath> = []

    var reportedStatus: BackendStatus?
    private var reportedActivity = BackendActivity.idle
    private var wasBusy = false
    private var hasAuthoritySighted = false
    private var headEnd: ContinuousClock.Instant?

    /// Indicates whether a source beside the others is busy.
    private var isBusyBeside = false
    private var lossReported: ContinuousClock.Instant?

    var outcome = Outcome()

    /// - Parameter sources: The sources; everywhere else, they are identified by their positions.
    init(_ sources: [SourceTraits]) {
        self.sources = sources.map { Source(traits: $0, phase: $0.role == .standby ? .idle : .working) }
    }

    /// Returns the run in which a source has to work; `nil` while it does not have to.
    func neededRun(of source: Int) -> Int? { sources[source].isAtWork ? sources[source].run : nil }

    /// The time at which ``tick(now:)`` must be called; `nil` when it need not be.
    var deadline: ContinuousClock.Instant? { sources.compactMap(\.deadline).min() }

    // MARK: Reports

    /// Takes in the report of a source.
    ///
    /// - Parameter run: The run of the source that it comes from: reports of a run that is no longer needed are
    ///   ignored.
    mutating func take(
        _ report: SourceReport,
        from source: Int,
        run: Int = 0,
        now: ContinuousClock.Instant
    ) -> Outcome {
        guard neededRun(of: source) == run else { return Outcome() }
        switch report {
        case .events(let events): for event in events { take(event, from: source, now: now) }
        case .ownHost(let sightings): for sighting in sightings { takeOwn(sighting) }
        }
        return takeOutcome()
    }

    private mutating func take(_ event: BrowseEvent, from source: Int, now: ContinuousClock.Instant) {
        let isAuthority = sources[source].isAuthority
        switch event {
        case .sighted(let sighting):
            if isAuthority {
                hasAuthoritySighted = true
            } else if sources[source].traits.role == .companion {
                giveHead(now: now)
            }
            takeSighting(sighting, from: source)
        case .vanished(let instance, let path, let reason):
            withdraw(InstancePath(instance: instance, path: path), reason, by: source)
        case .status(let status):
            guard isAuthority else { return }
            sources[source].status = status
            settlePhases(now: now)
            reportStatus()
        case .activity(let activity):
            guard sources[source].traits.role != .companion else { return }
            sources[source].activity = activity
            outcome.update.isStatusNew = true
        case .losses(let losses):
            outcome.events.append(event)
            guard isAuthority, losses.packets > 0, lossReported.map({ now >= $0 + Self.lossPause }) ?? true else {
                return
            }
            lossReported = now
            outcome.update.hasLost = true
        case .warning, .domain:
            outcome.events.append(event)
        }
    }

    private mutating func giveHead(now: ContinuousClock.Instant) {
        guard headEnd == nil, !hasAuthoritySighted, activity == .idle else { return }
        headEnd = now + Self.head
        guard !isBusyBeside else { return }
        reportedActivity = .expecting(until: now + Self.head)
        outcome.events.append(.activity(reportedActivity))
    }

    mutating func takeOutcome() -> Outcome {
        let wasBusyBeside = isBusyBeside
        isBusyBeside = activity { $0.traits.role == .beside } == .busy
        var activity = pending.isEmpty && !isBusyBeside ? activity : .busy
        // What is beside them has ended, and the authorities still have their head.
        if activity == .idle, wasBusyBeside, !hasAuthoritySighted, let headEnd { activity = .expecting(until: headEnd) }
        if activity != reportedActivity, hasAuthoritySighted || wasBusyBeside || activity != .idle {
            reportedActivity = activity
            outcome.events.append(.activity(activity))
        }
        outcome.update.isRunning = reportedStatus == nil || reportedStatus == .running
        outcome.update.isBusy = self.activity != .idle
        if outcome.update.isBusy != wasBusy { outcome.update.isStatusNew = true }
        wasBusy = outcome.update.isBusy
        defer { outcome = Outcome() }
        return outcome
    }

    // MARK: Sightings

    private mutating func takeSighting(_ sighting: Sighting, from source: Int) {
        let key = InstancePath(instance: sighting.instance, path: sighting.path)
        var sighting = sighting
        guard sources[source].isAuthority else {
            if instances[key]?.isConfirmed == true {
                outcome.update.confirmed.append(key)
            } else {
                set(sighting, at: key, from: source)
            }
            return
        }
        // The backend does not know that it is this host's own, but another program on this host has answered for it.
        if !sighting.isOwn, instances[key]?.isOwn(at: sighting, sources) == true { sighting.isOwn = true }
        set(sighting, at: key, from: source)
        guard sighting.resolution == .resolved else { return }
        // This report now stands for the path of the other family too, so the source's report there is replaced only after
        // it: the service is not lost for a moment.
        if let other = otherFamily(of: key, source) { set(sighting, at: other, from: source) }
    }

    private mutating func set(_ sighting: Sighting, at key: InstancePath, from source: Int) {
        let report = MergedInstance.Report(source: source, sighting: sighting, epoch: sources[source].epoch)
        if instances[key]?.set(report) == nil {
            var merged = MergedInstance()
            merged.set(report)
            instances[key] = merged
        }
        if sources[source].isAuthority, sighting.resolution == .resolved { confirm(key) }
        show(key, newSightingFrom: source, .withdrawn)
    }

    /// Makes companions give way on an instance that an authority has resolved.
    mutating func confirm(_ key: InstancePath) {
        guard instances[key]?.isConfirmed == false else { return }
        instances[key]?.isConfirmed = true
        instances[key]?.remove { !sources[$0.source].isAuthority }
        outcome.update.confirmed.append(key)
    }

    /// Marks a service that an authority has resolved as this host's own, since a program on this host has answered for
    /// it. The service may have changed since the query, so it must still be at the same place.
    private mutating func takeOwn(_ own: Sighting) {
        let key = InstancePath(instance: own.instance, path: own.path)
        guard let shown = instances[key]?.shown, sources[shown].isAuthority,
            var report = instances[key]?.report(of: shown),
            report.sighting.path == own.path, !report.sighting.isOwn, report.sighting.hasSameHostAndPort(as: own)
        else { return }
        report.sighting.isOwn = true
        report.sighting.heardFrom = own.heardFrom
        instances[key]?.set(report)
        show(key, newSightingFrom: shown, .withdrawn)
    }

    // MARK: Withdrawals

    /// Takes in that a source no longer sees an instance. If the source works and hears goodbyes, reports of sources of
    /// lower rank are withdrawn with its own. Reports of other authorities from before their daemon went away are then
    /// set aside: a daemon that missed the goodbye packet does not repeat what it knows when it is back.
    private mutating func withdraw(_ key: InstancePath, _ reason: LossReason, by source: Int) {
        guard let report = instances[key]?.report(of: source) else {
            // Companions are informed all the same, since they may still know the instance.
            if sources[source].traits.hearsGoodbyes { outcome.update.gone.append(key) }
            return
        }
        let isHeard = sources[source].traits.hearsGoodbyes && sources.holds(report)
        let rank = sources[source].traits.rank
        let isSetAside: (MergedInstance.Report) -> Bool = { [sources] in
            isHeard && sources[$0.source].isAuthority && !sources.holds($0)
        }
        remove(at: key, reason, isHeard: isHeard, setAside: isSetAside) { [sources] other in
            other.source == source || isHeard && sources[other.source].traits.rank < rank
        }
    }

    /// Removes reports, and with them those that represented the path of the other family.
    private mutating func remove(
        at key: InstancePath,
        _ reason: LossReason,
        isHeard: Bool,
        setAside isSetAside: (MergedInstance.Report) -> Bool = { _ in false },
        where isRemoved: (MergedInstance.Report) -> Bool
    ) {
        let wasKnown = instances[key]?.isKnownToAuthority(sources) == true
        instances[key]?.update { if isSetAside($0) { $0.isSetAside = true } }
        let removed = instances[key]?.remove { isRemoved($0) && !isSetAside($0) } ?? []
        if wasKnown { noteEnd(of: key, isHeard: isHeard) }
        show(key, newSightingFrom: nil, reason)
        for report in removed where report.sighting.path == key.path {
            guard let other = otherFamily(of: key, report.source) else { continue }
            remove(at: other, reason, isHeard: isHeard) { $0.source == report.source && $0.sighting.path == key.path }
        }
    }

    /// Makes companions forget an instance that an authority knew, if no authority does any more. Companions that have
    /// not given way on it keep their own reports unless a goodbye was heard.
    mutating func noteEnd(of key: InstancePath, isHeard: Bool = false) {
        guard let merged = instances[key], !merged.isKnownToAuthority(sources) else { return }
        if merged.isConfirmed || isHeard { outcome.update.gone.append(key) }
        instances[key]?.isConfirmed = false
    }

    // MARK: What the browser has

    /// Gives the browser the best report on an instance, if it does not have that yet.
    ///
    /// - Parameters:
    ///   - source: The source whose report is new.
    ///   - reason: The reason of a loss.
    mutating func show(_ key: InstancePath, newSightingFrom source: Int?, _ reason: LossReason) {
        guard let merged = instances[key] else { return }
        let best = merged.best(sources)
        if let best, !sources[best.source].isAuthority, merged.isBeingResolved(sources) {
            pending.insert(key)
        } else {
            pending.remove(key)
        }
        let before = merged.shown
        // A report that represents the path of the other family as well is shown under its own path only.
        let after = best.flatMap { $0.sighting.path == key.path ? $0 : nil }
        if merged.isEmpty {
            instances[key] = nil
            instances.giveBackRoom()
            pending.giveBackRoom()
        } else {
            instances[key]?.shown = after?.source
        }
        if let after {
            guard before != after.source || after.source == source else { return }
            outcome.events.append(.sighted(after.sighting))
            if after.sighting.resolution == .resolved, !after.sighting.isOwn, sources[after.source].isAuthority {
                outcome.update.resolved.append(after.sighting)
            }
        } else if before != nil {
            outcome.events.append(.vanished(key.instance, key.path, best == nil ? reason : .withdrawn))
        }
    }

    /// Returns the path of the other family, if a source reports both families as one path.
    private func otherFamily(of key: InstancePath, _ source: Int) -> InstancePath? {
        guard !sources[source].traits.reportsFamilies else { return nil }
        let family: AddressFamily = key.path.family == .ipv4 ? .ipv6 : .ipv4
        return InstancePath(
            instance: key.instance,
            path: ServicePath(interface: key.path.interface, family: family)
        )
    }
}
