import Glibc
import Testing

/// A `clawradar watch --format ndjson` on a host, and its rows of gateways.
struct RowWatch: Sendable {
    /// A line about a gateway, and the time at which it was printed.
    struct Event: Sendable {
        let event: String
        let row: FoundGateway
        let time: ContinuousClock.Instant
    }

    let host: LabHost
    let process: LabProcess

    init(on host: LabHost, _ arguments: [String] = []) throws {
        self.host = host
        process = try Lab.start(on: host.name, [Lab.clawradar, "watch", "--format", "ndjson"] + arguments)
    }

    /// All lines about gateways that it has printed.
    var events: [Event] {
        process.lines.compactMap { line in
            GatewayEvent(line.text).map { Event(event: $0.event, row: $0.gateway, time: line.time) }
        }
    }

    /// The present rows by their ids.
    var rows: [String: FoundGateway] {
        events.reduce(into: [:]) { $0[$1.row.id] = ["lost", "joined"].contains($1.event) ? nil : $1.row }
    }

    /// Waits until a number of gateways with this prefix have answered.
    func answering(_ prefix: String, count: Int, within limit: Duration = .seconds(20)) async throws {
        var there: Set<String> = []
        let deadline = ContinuousClock.now + limit
        while there.count < count {
            let wanted = "gateway \(there.count + 1) of \(count) with prefix \(prefix)"
            let line = try await process.line(within: deadline - .now, wanted) { text in
                guard let row = GatewayEvent(text)?.gateway else { return false }
                return row.name.hasPrefix(prefix) && row.liveness == "answering"
            }
            if let row = GatewayEvent(line.text)?.gateway { there.insert(row.name) }
        }
    }

    func stop() async throws {
        let result = try await process.stop(SIGINT)
        #expect(result.status == 0, "watch on \(host.name) ended with \(result.status): \(result.errors)")
    }
}
