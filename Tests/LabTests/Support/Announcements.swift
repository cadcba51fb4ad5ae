/// The mDNS responses about some instances that a host hears.
struct Announcements: Sendable {
    private let process: LabProcess

    init(of instances: [String], on host: LabHost) async throws {
        process = try Lab.start(on: host.name, [Lab.tool("mdns-announcements"), "eth0,eth1"] + instances)
        _ = try await process.line(within: .seconds(10), "listener for announcements") { $0 == "ready" }
    }

    /// The time of the first response about an instance that came from an address after a time; `nil` if none has.
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
