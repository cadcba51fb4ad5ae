internal import Constellation
internal import DNSSD
internal import GatewayReports

/// A watch source that replays a recording.
struct Replay: WatchSource {
    let path: String
    let speed: ReplaySpeed

    /// The limits on the replayed state, because a recording can come from an untrusted source.
    var limits = BotMapLimits()

    var name: String { "replay of \(path)" }

    func run(_ show: @escaping @Sendable (WatchInput, Timestamp) throws -> Void) async throws {
        var reader = try await RecordingReader.opened(path: path)
        let recordedAt = reader.header.startedAt
        let start = ContinuousClock.now
        var map = BotMap(limits: limits)
        var revision: UInt64 = 0
        var services: [ServiceInstance: DiscoveredService] = [:]
        while let recorded = try await reader.event() {
            if let pause = speed.pause(recorded.at) { try? await Task.sleep(until: start + pause, clock: .continuous) }
            guard !Task.isCancelled else { return }
            let time = recordedAt.advanced(by: recorded.at)
            if let change = change(recorded.event, &services) { try show(.service(change), time) }
            revision += 1
            for change in map.apply(recorded.event) { try show(.map(.change(change, revision: revision)), time) }
        }
    }

    /// Returns the change that an event makes to the services; `nil` if there is none, or if the service exceeds the
    /// limit.
    private func change(
        _ event: BotMapEvent,
        _ services: inout [ServiceInstance: DiscoveredService]
    ) -> ServiceChange? {
        switch event {
        case .serviceFound(let service):
            guard services[service.instance] != nil || services.count < limits.candidates else { return nil }
            guard let before = services.updateValue(service, forKey: service.instance) else { return .found(service) }
            let aspects = service.aspects(changedSince: before)
            return aspects.isEmpty ? nil : .changed(service, aspects)
        case .serviceLost(let instance):
            // The reason for the loss is not recorded. A goodbye packet is the most usual one.
            return services.removeValue(forKey: instance).map { .lost($0, .withdrawn) }
        case .endpointAdded, .endpointRemoved, .probed, .proved, .liveness, .sessionLiveness, .flooding, .waiting,
            .located, .retired, .paired, .unpaired, .revoked, .stateChanged:
            return nil
        }
    }
}
