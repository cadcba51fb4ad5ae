internal import Reports
internal import Scanning

/// A watch source that replays a recording.
struct Replay: WatchSource {
    let path: String
    let speed: ReplaySpeed

    /// The limits on the replayed state, because a recording can come from an untrusted source.
    var limits = BotMapLimits()

    var name: String { "replay of \(path)" }

    func run(
        _ show: @escaping @Sendable (ConstellationUpdate, Timestamp) throws -> Void,
        looked: (@Sendable (Timestamp) throws -> Void)?
    ) async throws {
        var reader = try await RecordingReader.opened(path: path)
        let recordedAt = reader.header.startedAt
        let start = ContinuousClock.now
        var map = BotMap(limits: limits)
        var revision: UInt64 = 0
        var end = Duration.zero
        while let recorded = try await reader.event() {
            if let pause = speed.pause(recorded.at) { try? await Task.sleep(until: start + pause, clock: .continuous) }
            guard !Task.isCancelled else { return }
            end = recorded.at
            let rows = map.apply(recorded.event).map(ConstellationChange.gateway)
            let changes = map.serviceChanges.map(ConstellationChange.service) + rows
            guard !changes.isEmpty else { continue }
            revision += 1
            try show(.changes(changes, revision: revision), recordedAt.advanced(by: recorded.at))
        }
        // A recording does not say when the look was over; nothing more comes after its end.
        try looked?(recordedAt.advanced(by: end))
    }
}
