/// The mDNS responses about certain instances that a host receives.
struct Announcements: Sendable {
    private let process: LabProcess

    init(of instances: [String], on host: LabHost) async throws {
        process = try Lab.start(on: host.name, [Lab.tool("mdns-announcements"), "eth0,eth1"] + instances)
        _ = try await process.line(within: .seconds(10), "listener for announcements") { $0 == "ready" }
    }

    /// Returns the time of the first response about an instance from an address after a given time; `nil` if there is
    /// none.
    func first(
        of instance: String,
        from address: String,
        after time: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        process.lines.first { $0.time > time && $0.text == "\(address) \(instance)" }?.time
    }

    func stop() async throws {
        try await process.stop()
    }
}
