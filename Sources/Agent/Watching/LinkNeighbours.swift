internal import DNSSD
internal import HostSystem
internal import Synchronization

/// The router and a few other neighbours of each link on which gateways are watched, which are asked now and then whether
/// they are there, and at once when all gateways of a link are silent.
final class LinkNeighbours: Sendable {
    /// The time between two questions while gateways answer, and while none does.
    private static let calmInterval = Duration.seconds(600)
    private static let silentInterval = Duration.seconds(3)

    /// The time to answer, in which the beginning of a connection is sent twice.
    private static let answerTimeout = Duration.milliseconds(1_500)

    /// The most neighbours of a link that are asked besides its router.
    private static let most = 3

    /// The neighbours of one link. A value: no clock, no I/O.
    struct Known: Sendable {
        /// Those that have answered.
        fileprivate(set) var answering: Set<IPAddress> = []
        fileprivate var found = SilentLinks.Neighbours.unknown
        var isAsking = false

        /// Indicates whether a question that was asked in this silence of the gateways has been answered, or not in time.
        var isSilenceJudged = false

        /// Indicates whether it has become time for another question while one was asked.
        fileprivate(set) var isAwaited = false

        /// The times of the last questions while a gateway answered, and while none did.
        private var asked: (calm: ContinuousClock.Instant?, silent: ContinuousClock.Instant?)

        /// Returns what is known of them.
        func state(isSilent: Bool) -> SilentLinks.Neighbours {
            isSilent && isAsking && !isSilenceJudged ? .asked : found
        }

        /// Returns `true` if it is time to ask, which counts as asked.
        ///
        /// - Parameter isSilent: Indicates whether no gateway of the link answers. When the first of them answers, it is time:
        ///   only those are asked in the next silence that have answered before.
        mutating func isDue(isSilent: Bool, at now: ContinuousClock.Instant) -> Bool {
            // At the first silence, what was known says nothing any more.
            if !isSilent { (asked.silent, isSilenceJudged) = (nil, false) }
            let last = isSilent ? asked.silent : asked.calm
            guard last.map({ now - $0 >= (isSilent ? silentInterval : calmInterval) }) ?? true else { return false }
            isAwaited = isAsking
            guard !isAsking else { return false }
            if isSilent { asked.silent = now } else { asked.calm = now }
            isAsking = true
            return true
        }
    }

    private let known = Mutex<[String: Known]>([:])
    private let calls = BlockingCalls(most: 1)

    /// Returns what is known of the neighbours of links, and asks those of which it is time.
    ///
    /// - Parameters:
    ///   - links: The names of the links.
    ///   - silent: Those of which no gateway answers.
    ///   - gateways: The addresses of the gateways, which say nothing of themselves.
    ///   - changed: Is called when something else is known, or it is time to look again.
    func look(
        _ links: Set<String>,
        silent: Set<String>,
        besides gateways: Set<IPAddress>,
        at now: ContinuousClock.Instant,
        changed: @escaping @Sendable () -> Void
    ) -> [String: SilentLinks.Neighbours] {
        var due: [String] = []
        let states = known.withLock { known in
            known = known.filter { links.contains($0.key) }
            for link in links {
                if known[link, default: Known()].isDue(isSilent: silent.contains(link), at: now) { due.append(link) }
            }
            return Dictionary(
                uniqueKeysWithValues: known.map { ($0, $1.state(isSilent: silent.contains($0))) }
            )
        }
        for link in due { ask(link, isSilent: silent.contains(link), besides: gateways, changed) }
        return states
    }

    private func ask(
        _ link: String,
        isSilent: Bool,
        besides gateways: Set<IPAddress>,
        _ changed: @escaping @Sendable () -> Void
    ) {
        calls.run { [self] in
            let former = known.withLock { $0[link]?.answering ?? [] }
            // Who is new while all are silent has never been heard.
            let asked = isSilent ? former : former.union(Self.neighbours(on: link)).subtracting(gateways)
            let found = Knock.answering(Array(asked), within: Self.answerTimeout)
            let isChanged = known.withLock { known in
                guard var entry = known[link] else { return false }
                let state = entry.state(isSilent: isSilent)
                // Nothing else may look again for minutes, where nothing changes.
                let isAwaited = entry.isAwaited
                entry.isAsking = false
                entry.isAwaited = false
                if isSilent { entry.isSilenceJudged = true }
                if !found.isEmpty {
                    entry.found = .answering
                    if !isSilent { entry.answering = found }
                } else {
                    // One of them may have gone to sleep; a router, or two of them at once, have not.
                    let isTelling = former.count > 1 || !former.isDisjoint(with: Self.routers(on: link))
                    entry.found = isTelling ? .silent : .unknown
                }
                known[link] = entry
                return isAwaited || entry.found != state
            }
            if isChanged { changed() }
        }
    }

    private static func neighbours(on link: String) -> Set<IPAddress> {
        guard let index = index(of: link) else { return [] }
        return routers(on: link).union(NeighbourTable.current.addresses(on: index, most: most))
    }

    private static func routers(on link: String) -> Set<IPAddress> {
        guard let index = index(of: link) else { return [] }
        return Set((Route.defaults() ?? []).filter { $0.interface == index }.compactMap(\.router))
    }

    private static func index(of link: String) -> UInt32? {
        HostInterface.all.first { $0.interface.name == link }?.interface.index
    }
}
