internal import DNSSD
internal import Discovery
internal import Logging
internal import Scanning

/// Follows gateways that are named by their hosts, and looks up the addresses of these, also later: a name can lead to another
/// address at any time.
struct NamedGateways: Sendable {
    /// The time that one look for the addresses of host names may take.
    private static let timeout = Duration.seconds(5)

    /// The least time between two looks at what answers.
    private static let pause = Duration.seconds(1)

    private let asked: AskedGateways
    private let source: AskedGateways.Source
    private let constellation: Constellation
    private let logger: Logger?
    private let show: @Sendable ([ProbeAddress: Set<Endpoint>]) -> Void

    /// - Parameters:
    ///   - source: The source of the names.
    ///   - show: Gets the places to which the names lead.
    init(
        _ asked: AskedGateways,
        _ source: AskedGateways.Source,
        _ constellation: Constellation,
        _ logger: Logger?,
        show: @escaping @Sendable ([ProbeAddress: Set<Endpoint>]) -> Void = { _ in }
    ) {
        self.asked = asked
        self.source = source
        self.constellation = constellation
        self.logger = logger
        self.show = show
    }

    /// Has the gateways asked that the latest names lead to, until the task is cancelled.
    ///
    /// - Parameter names: The names, each with the places of its gateway that others have asked.
    func follow(_ names: Broadcast<[ProbeAddress: Set<Endpoint>]>) async {
        var known: [ProbeAddress: Set<ManualGateway>] = [:]
        while !Task.isCancelled {
            let wanted = names.value
            known = known.filter { wanted[$0.key] != nil }
            await ask(known, wanted)
            known = await withTaskGroup(of: [ProbeAddress: Set<ManualGateway>]?.self) { [known] group in
                group.addTask { await self.find(wanted, known) }
                group.addTask {
                    for await latest in names.stream(limit: 1) where latest != wanted { break }
                    return nil
                }
                // The search ends only when it is cancelled, and what it has found by then stays known.
                var found = known
                while let result = await group.next() {
                    group.cancelAll()
                    if let result { found = result }
                }
                return found
            }
        }
    }

    /// Looks for addresses until the task is cancelled.
    ///
    /// - Returns: The gateways that were found, those that were known before included.
    private func find(
        _ wanted: [ProbeAddress: Set<Endpoint>],
        _ known: [ProbeAddress: Set<ManualGateway>]
    ) async -> [ProbeAddress: Set<ManualGateway>] {
        var found = known
        var looks = NameLooks()
        let calls = WakeCalls()
        // An address leads where it leads; only for names it matters what answers.
        let hasNames = wanted.contains { IPAddress($0.key.host) == nil }
        let news = Task {
            guard hasNames else { return }
            for await _ in constellation.news(of: [.gateways]) { calls.wake() }
        }
        defer { news.cancel() }
        while !Task.isCancelled {
            let places = wanted.merging(found.mapValues { Set($0.flatMap(\.endpoints)) }) { $0.union($1) }
            let answering = hasNames ? await answeringPlaces : []
            let (due, next) = looks.look(Set(wanted.keys), at: .now) { name in
                let places = places[name] ?? []
                if places.isEmpty { return nil }
                return IPAddress(name.host) != nil || !answering.isDisjoint(with: places.map(\.unnamed))
            }
            // All at once: those of which nothing is known for a while count as silent.
            await withTaskGroup(of: (ProbeAddress, ManualGateways).self) { group in
                for name in due { group.addTask { (name, await ManualGateways([name], within: Self.timeout)) } }
                for await (name, gateways) in group {
                    let new = Set(gateways.gateways)
                    // One that cannot be looked up now leads where it did.
                    if new.isEmpty, found[name] == nil { for text in gateways.problems { logger?.notice("\(text)") } }
                    guard !new.isEmpty, new != found[name] else { continue }
                    if found[name] != nil {
                        let list = new.flatMap(\.endpoints).map { "\($0.address)" }.sorted().joined(separator: ", ")
                        logger?.notice("the name \(name.host) leads to \(list) now")
                    }
                    found[name] = new
                    await ask(found, wanted)
                }
            }
            try? await calls.wait(after: Self.pause, atMost: next)
        }
        return found
    }

    /// The places at which gateways answer as they should, without the names of their hosts.
    private var answeringPlaces: Set<Endpoint> {
        get async {
            let rows = await constellation.snapshot(of: [.gateways]).gateways
            let paths = rows.flatMap(\.paths).filter { $0.liveness == .answering && !$0.contradicts }
            return Set(paths.map(\.endpoint.unnamed))
        }
    }

    private func ask(_ known: [ProbeAddress: Set<ManualGateway>], _ wanted: [ProbeAddress: Set<Endpoint>]) async {
        let found = known.mapValues { Set($0.flatMap(\.endpoints)) }
        if !found.isEmpty { show(found) }
        var all: Set<ManualGateway> = []
        for (name, gateways) in known {
            // Others have asked the rest.
            let places = wanted[name] ?? []
            for var gateway in gateways {
                gateway.endpoints.removeAll(where: places.contains)
                if !gateway.endpoints.isEmpty { all.insert(gateway) }
            }
        }
        await asked.set(all, of: source)
    }
}
