internal import DNSSD
internal import Synchronization

/// The one-shot query of one browse, as its source drives it.
protocol OneShotBrowse: AnyObject, Sendable {
    func begin() async
    func end() async
    func backendResolved(_ sightings: [Sighting])
    func backendLost()
    func backendReported(
        confirmed: [(ServiceInstance, ServicePath)],
        gone: [(ServiceInstance, ServicePath)],
        isRunning: Bool,
        isBusy: Bool
    )
    func reconfirm(_ instance: ServiceInstance)
    func protect(_ instance: ServiceInstance, _ isProtected: Bool)
}

extension OneShotSession: OneShotBrowse {}

/// The one-shot query as a companion of every browse: the first results come at once, and instances that a daemon
/// cannot see, since it hangs or its cache is full, are found all the same (RFC 6762 §5.1).
///
/// It does not see services of this host itself.
final class OneShotSource: BrowseSource {
    /// A function that makes the query of a browse; it returns `nil` without a thread or descriptors for it.
    typealias MakeQuery =
        @Sendable (BrowseRequest, @escaping @Sendable (SourceReport) -> Void) -> (any OneShotBrowse)?

    private struct State {
        var sessions: [ObjectIdentifier: any OneShotBrowse] = [:]

        /// The instances that are known to be alive, kept for later sessions as well.
        var protected: Set<ServiceInstance> = []
    }

    let traits = SourceTraits(name: .oneShot, role: .companion, rank: SourceRank.oneShot)
    private let makeQuery: MakeQuery
    private let state = Mutex(State())

    /// - Parameter maximumServices: The maximum number of services that it follows.
    convenience init(maximumServices: Int) {
        let configuration = OneShotConfiguration(maximumInstances: maximumServices)
        self.init { request, report in
            OneShotSession(
                request: request,
                configuration: configuration,
                report: { report(.events($0)) },
                reportOwn: { report(.ownHost($0)) }
            )
        }
    }

    init(_ makeQuery: @escaping MakeQuery) {
        self.makeQuery = makeQuery
    }

    func makeSession(
        _ request: BrowseRequest,
        report: @escaping @Sendable (SourceReport) -> Void
    ) -> any SourceSession {
        Session(source: self, query: makeQuery(request, report))
    }

    func reconfirm(_ instance: ServiceInstance) {
        let sessions = state.withLock { Array($0.sessions.values) }
        for session in sessions { session.reconfirm(instance) }
    }

    func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        // Passed on under the lock, so that each session gets it in the same order.
        state.withLock { state in
            if isProtected { state.protected.insert(instance) } else { state.protected.remove(instance) }
            for session in state.sessions.values { session.protect(instance, isProtected) }
        }
    }

    private func add(_ query: any OneShotBrowse) {
        state.withLock { state in
            state.sessions[ObjectIdentifier(query)] = query
            for instance in state.protected { query.protect(instance, true) }
        }
    }

    private func remove(_ query: any OneShotBrowse) {
        state.withLock { $0.sessions[ObjectIdentifier(query)] = nil }
    }

    private struct Session: SourceSession {
        let source: OneShotSource

        /// The query; `nil` without a thread or descriptors for it: then the other sources work alone.
        let query: (any OneShotBrowse)?

        /// Begins before the others do: it must know this host's addresses and links when they report.
        func prepare() async {
            guard let query else { return }
            source.add(query)
            await query.begin()
        }

        func run() async {
            guard let query else { return }
            await Task.untilCancelled()
            await query.end()
            source.remove(query)
        }

        func update(_ update: CompanionUpdate) {
            guard let query else { return }
            if !update.resolved.isEmpty { query.backendResolved(update.resolved) }
            if update.hasLost { query.backendLost() }
            guard update.isStatusNew || !update.confirmed.isEmpty || !update.gone.isEmpty else { return }
            query.backendReported(
                confirmed: update.confirmed.map { ($0.instance, $0.path) },
                gone: update.gone.map { ($0.instance, $0.path) },
                isRunning: update.isRunning,
                isBusy: update.isBusy
            )
        }
    }
}
