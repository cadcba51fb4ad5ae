internal import DNSSD
internal import Discovery
internal import Logging
internal import Scanning

/// Has the places asked that a source finds, as long as the settings want that.
struct FoundPlaces: Sendable {
    private let asked: AskedGateways
    private let source: AskedGateways.Source
    private let interval: Duration
    private let logger: Logger?
    private let isWanted: @Sendable (Settings) -> Bool
    private let find: @Sendable (Settings) async -> PlaceList
    private let show: @Sendable (Set<Endpoint>) -> Void

    /// - Parameters:
    ///   - interval: The least time between two looks at what the source finds.
    ///   - show: Gets the endpoints that were found.
    ///   - isWanted: Indicates whether settings want the source to be used.
    ///   - find: Returns what it finds; it is called while the settings want that.
    init(
        _ asked: AskedGateways,
        _ source: AskedGateways.Source,
        every interval: Duration,
        _ logger: Logger?,
        show: @escaping @Sendable (Set<Endpoint>) -> Void = { _ in },
        isWanted: @escaping @Sendable (Settings) -> Bool,
        find: @escaping @Sendable (Settings) async -> PlaceList
    ) {
        self.asked = asked
        self.source = source
        self.interval = interval
        self.logger = logger
        self.isWanted = isWanted
        self.find = find
        self.show = show
    }

    /// Looks again and again until the task is cancelled; while the settings do not want it, nothing is looked at.
    func follow(_ settings: Broadcast<Settings>) async {
        var told: Set<String> = []
        var next = ContinuousClock.now
        while !Task.isCancelled {
            let present = settings.value
            guard isWanted(present) else {
                show([])
                await asked.set([], of: source)
                for await latest in settings.stream(limit: 1) where isWanted(latest) { break }
                continue
            }
            // Whoever turns it off and on again has nobody asked sooner.
            guard (try? await Task.sleep(until: next, clock: .continuous)) != nil else { break }
            let found = await find(present)
            next = .now + interval
            show(Set(found.gateways.flatMap(\.endpoints)))
            await asked.set(Set(found.gateways), of: source)
            for reason in found.reasons where !told.contains(reason) { logger?.notice("\(reason)") }
            told = Set(found.reasons)
            _ = await settings.first(until: next) { [isWanted] in !isWanted($0) }
        }
    }
}
