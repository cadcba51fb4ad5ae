internal import DNSSD

/// The last reports of all sources on one instance on one path, and the source whose report a browser has. A value.
struct MergedInstance {
    /// The last sighting that a source has reported.
    struct Report {
        let source: Int
        var sighting: Sighting

        /// The epoch of the source in which it was reported: see ``BrowseMerge/Source/epoch``.
        var epoch: Int

        /// Indicates whether another source has reported the end of the instance while this report's source could not
        /// receive a goodbye packet. The report counts again once its source has had time to correct it.
        var isSetAside = false
    }

    /// The last report of a source; those of other sources are apart. Nearly always there is one, which takes no memory of its
    /// own.
    private var first: Report?

    /// Indicates whether an authority has resolved the instance since it appeared, so that companions have given way.
    var isConfirmed = false

    private var shownSource: UInt16?
    private var others: [Report] = []

    /// The source whose report the browser has; `nil` when the browser has none.
    var shown: Int? {
        get { shownSource.map { Int($0) } }
        set { shownSource = newValue.map { UInt16($0) } }
    }

    /// Indicates whether no source reports the instance.
    var isEmpty: Bool { first == nil }

    private var reports: [Report] { (first.map { [$0] } ?? []) + others }

    private func contains(where isRight: (Report) -> Bool) -> Bool {
        first.map(isRight) == true || others.contains(where: isRight)
    }

    func report(of source: Int) -> Report? {
        first?.source == source ? first : others.first { $0.source == source }
    }

    /// Changes the reports in place.
    mutating func update(_ body: (inout Report) -> Void) {
        if var report = first {
            body(&report)
            first = report
        }
        for index in others.indices { body(&others[index]) }
    }

    mutating func set(_ report: Report) {
        if first == nil || first?.source == report.source {
            first = report
        } else if let index = others.firstIndex(where: { $0.source == report.source }) {
            others[index] = report
        } else {
            others.append(report)
        }
    }

    /// Removes reports, and returns them.
    @discardableResult
    mutating func remove(where isRemoved: (Report) -> Bool) -> [Report] {
        guard contains(where: isRemoved) else { return [] }
        let before = reports
        let kept = before.filter { !isRemoved($0) }
        first = kept.first
        others = Array(kept.dropFirst())
        return before.filter(isRemoved)
    }
}

// MARK: Which report counts

extension MergedInstance {
    /// Returns the report that counts; `nil` when none does.
    func best(_ sources: [BrowseMerge.Source]) -> Report? {
        guard !others.isEmpty else { return first.flatMap { sources.counts($0) ? $0 : nil } }
        return reports.filter(sources.counts).max { sources.weight(of: $0) < sources.weight(of: $1) }
    }

    /// Indicates whether the report of an authority counts here.
    func isKnownToAuthority(_ sources: [BrowseMerge.Source]) -> Bool {
        contains { sources[$0.source].isAuthority && sources.counts($0) }
    }

    /// Indicates whether an authority is still resolving it.
    func isBeingResolved(_ sources: [BrowseMerge.Source]) -> Bool {
        contains { sources[$0.source].isAuthority && sources.counts($0) && !$0.sighting.resolution.isSettled }
    }

    /// Indicates whether an authority's report for the same place marks it as this host's own.
    func isOwn(at place: Sighting, _ sources: [BrowseMerge.Source]) -> Bool {
        contains {
            sources[$0.source].isAuthority && $0.sighting.isOwn && $0.sighting.hasSameHostAndPort(as: place)
        }
    }
}

extension [BrowseMerge.Source] {
    /// Indicates whether a report counts at all.
    func counts(_ report: MergedInstance.Report) -> Bool {
        guard !report.isSetAside else { return false }
        return switch self[report.source].phase {
        case .working, .leaving: true
        case .idle, .absent: false
        case .away, .returning: report.epoch >= self[report.source].firstCountingEpoch
        }
    }

    /// Indicates whether a report is from a source that sees the network now.
    func holds(_ report: MergedInstance.Report) -> Bool {
        switch self[report.source].phase {
        case .working, .leaving: true
        case .idle, .away, .absent: false
        case .returning: report.epoch == self[report.source].epoch
        }
    }

    fileprivate func weight(of report: MergedInstance.Report) -> (Int, Int, Int) {
        let progress =
            switch report.sighting.resolution {
            case .resolved: 2
            case .failed: 1
            case .resolving: 0
            }
        return (progress, holds(report) ? 1 : 0, self[report.source].traits.rank)
    }
}
