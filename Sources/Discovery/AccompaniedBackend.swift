internal import DNSSD
internal import MulticastDNS
internal import Synchronization

/// A backend, with the one-shot query beside it in every browse: the first results come at once, and what the backend's
/// daemon cannot see, since it hangs or its cache is full, is seen all the same.
///
/// What the query sees is marked as ``SightingSource/oneShot`` and gives way to what the backend sees. Services of this
/// very host are the backend's alone.
struct AccompaniedBackend: ServiceBackend {
    /// Both tell the browser, from threads of their own.
    private struct Report {
        var accompaniment: Accompaniment

        /// The query, which is told what the backend sees. Its own reports keep this, and not the other way round.
        weak var session: OneShotSession?

        /// The time at which the query was last told that the backend loses packets. The backend may report that with
        /// every packet that it reads.
        var lossTold: ContinuousClock.Instant?

        /// `nil` once nothing is told any more.
        var closure: (@Sendable ([BrowseEvent]) -> Void)?
    }

    /// `Mutex` cannot be captured by closures.
    private final class Merger: Sendable {
        private let report: Mutex<Report>

        init(_ accompaniment: Accompaniment, _ closure: @escaping @Sendable ([BrowseEvent]) -> Void) {
            self.report = Mutex(Report(accompaniment: accompaniment, closure: closure))
        }

        func begin(with session: OneShotSession?) {
            report.withLock { $0.session = session }
        }

        func oneShotTold(_ events: [BrowseEvent]) {
            // Told under the lock: one thread at a time, and in the order in which it was merged.
            report.withLock { report in
                let events = report.accompaniment.oneShotTold(events, now: .now)
                if !events.isEmpty { report.closure?(events) }
                let confirmed = report.accompaniment.takeConfirmed()
                guard !confirmed.isEmpty else { return }
                report.session?.backendTold(
                    confirmed: confirmed.map { ($0.instance, $0.path) },
                    gone: [],
                    isRunning: report.accompaniment.isBackendRunning,
                    isBusy: report.accompaniment.isBackendBusy
                )
            }
        }

        func ownHostTold(_ sightings: [Sighting]) {
            report.withLock { report in
                let events = report.accompaniment.ownHostTold(sightings)
                if !events.isEmpty { report.closure?(events) }
            }
        }

        func backendTold(_ events: [BrowseEvent]) {
            report.withLock { report in
                let outcome = report.accompaniment.backendTold(events)
                if !outcome.events.isEmpty { report.closure?(outcome.events) }
                if !outcome.resolved.isEmpty { report.session?.backendResolved(outcome.resolved) }
                if outcome.hasLost { Self.tellLoss(&report) }
                guard outcome.isStatusNew || !outcome.confirmed.isEmpty || !outcome.gone.isEmpty else { return }
                report.session?.backendTold(
                    confirmed: outcome.confirmed.map { ($0.instance, $0.path) },
                    gone: outcome.gone.map { ($0.instance, $0.path) },
                    isRunning: report.accompaniment.isBackendRunning,
                    isBusy: report.accompaniment.isBackendBusy
                )
            }
        }

        private static func tellLoss(_ report: inout Report) {
            let now = ContinuousClock.now
            if let last = report.lossTold, now < last + .milliseconds(100) { return }
            report.lossTold = now
            report.session?.backendLost()
        }

        func close() {
            report.withLock { $0.closure = nil }
        }
    }

    private let base: any ServiceBackend
    private let configuration: OneShotConfiguration
    private let companions = Companions()

    /// - Parameters:
    ///   - base: What does the work, and all of the publishing.
    ///   - maximumServices: How many services the query follows at most.
    init(_ base: any ServiceBackend, maximumServices: Int) {
        self.base = base
        self.configuration = OneShotConfiguration(maximumInstances: maximumServices)
    }

    var source: SightingSource { base.source }

    var capabilities: BackendCapabilities { base.capabilities }

    func browse(
        _ request: BrowseRequest,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) async {
        let tellsFamilies = base.capabilities.contains(.tellsFamilies)
        let merger = Merger(Accompaniment(tellsFamilies: tellsFamilies), report)
        // Without a thread or descriptors for it the backend does the work alone, as it can.
        let session = OneShotSession(
            request: request,
            configuration: configuration,
            report: { merger.oneShotTold($0) },
            reportOwn: { merger.ownHostTold($0) }
        )
        if let session { companions.add(session) }
        merger.begin(with: session)
        await session?.begin()
        await base.browse(request) { merger.backendTold($0) }
        await session?.end()
        if let session { companions.remove(session) }
        merger.close()
    }

    func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        await base.publish(advertisement, updates: updates, report: report)
    }

    func reconfirm(_ instance: ServiceInstance) {
        // What only the query sees it asks for again and again by itself.
        base.reconfirm(instance)
    }

    func keep(_ instance: ServiceInstance, _ isKept: Bool) {
        base.keep(instance, isKept)
        companions.keep(instance, isKept)
    }
}
