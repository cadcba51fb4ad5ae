import Foundation

/// A running `clawradar connect`, and what it prints.
final class SessionWatch: Sendable {
    private let process: LabProcess

    init(of device: LabDevice) throws {
        process = try Lab.start(on: device.host.name, device.command(["connect", "--format", "ndjson"]))
    }

    /// Waits for the next line with this state, and at this port if one is given, and returns when it came.
    func next(state: String, port: Int? = nil, within limit: Duration) async throws -> ContinuousClock.Instant {
        try await process.line(within: limit, "session that is \(state)") { line in
            guard line.contains(#""state":"\#(state)""#) else { return false }
            return port.map { line.contains(#":\#($0)","#) } ?? true
        }.time
    }

    /// Ends it.
    func stop() async throws {
        try await process.stop()
    }
}
