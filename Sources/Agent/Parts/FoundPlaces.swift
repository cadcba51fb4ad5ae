internal import Discovery
internal import Logging
internal import Scanning

/// Has the places asked that a source finds, as long as the settings want that.
struct FoundPlaces: Sendable {
    /// The time between two looks at what the source finds.
    private static let interval = Duration.seconds(30)

    private let asked: AskedGateways
    private let source: AskedGateways.Source
    private let logger: Logger?
    private let isWanted: @Sendable (Settings) -> Bool
    private let find: @Sendable (Settings) async -> HostPlaces

    init(
        _ asked: AskedGateways,
        _ source: AskedGateways.Source,
        _ logger: Logger?,
        isWanted: @escaping @Sendable (Settings) -> Bool,
        find: @escaping @Sendable (Settings) async -> HostPlaces
    ) {
        self.asked = asked
        self.source = source
        self.logger = logger
        self.isWanted = isWanted
        self.find = find
    }

    /// Looks again and again until the task is cancelled; while the settings do not want it, nothing is looked at.
    func follow(_ settings: Broadcast<Settings>) async {
        var told: Set<String> = []
        while !Task.isCancelled {
            let present = settings.value
            guard isWanted(present) else {
                await asked.set([], of: source)
                for await latest in settings.stream(limit: 1) where isWanted(latest) { break }
                continue
            }
            let found = await find(present)
            await asked.set(Set(found.gateways), of: source)
            for reason in found.reasons where !told.contains(reason) { logger?.notice("\(reason)") }
            told = Set(found.reasons)
            _ = await settings.first(until: .now + Self.interval) { [isWanted] in !isWanted($0) }
        }
    }
}
