import Glibc
import Testing

/// A `clawradar watch --no-probe --format ndjson` on a host.
struct Watch {
    let process: LabProcess

    init(on host: String, _ arguments: String...) throws {
        process = try Lab.start(on: host, [Lab.clawradar, "watch", "--no-probe", "--format", "ndjson"] + arguments)
    }

    /// Waits for the next event of a kind about an instance.
    ///
    /// - Parameter aspect: A name that `changed` of the event must contain, if given.
    /// - Returns: The event, and the time at which it was printed.
    @discardableResult
    func event(
        _ kind: String,
        _ instance: String,
        changed aspect: String? = nil,
        within limit: Duration = .seconds(10)
    ) async throws -> (event: WatchEvent, time: ContinuousClock.Instant) {
        let line = try await process.line(within: limit, "event \(kind) of \(instance)") { text in
            guard let event = WatchEvent(text) else { return false }
            return event.event == kind && event.service.instance == instance
                && (aspect.map { event.changed?.contains($0) == true } ?? true)
        }
        return (try #require(WatchEvent(line.text)), line.time)
    }

    /// Waits until all of these instances are found, in any order.
    func found(_ instances: [String], within limit: Duration = .seconds(10)) async throws {
        var missing = Set(instances)
        while !missing.isEmpty {
            let wanted = missing
            let line = try await process.line(within: limit, "event found of \(wanted)") { text in
                WatchEvent(text).map { $0.event == "found" && wanted.contains($0.service.instance) } ?? false
            }
            if let event = WatchEvent(line.text) { missing.remove(event.service.instance) }
        }
    }

    /// Waits until an instance is resolved on a number of paths.
    func paths(_ count: Int, of instance: String, within limit: Duration = .seconds(10)) async throws {
        let isThere = { @Sendable (event: WatchEvent?) in
            guard let event, event.event != "lost" else { return false }
            return event.service.paths.count == count && event.service.paths.allSatisfy { $0.address != nil }
        }
        if isThere(events.last { $0.service.instance == instance }) { return }
        _ = try await process.line(within: limit, "\(count) paths of \(instance)") { text in
            let event = WatchEvent(text)
            return event?.service.instance == instance && isThere(event)
        }
    }

    /// All events that it has printed.
    var events: [WatchEvent] { process.lines.compactMap { WatchEvent($0.text) } }

    func stop() async throws {
        let result = try await process.stop(SIGINT)
        #expect(result.status == 0, "watch ended with \(result.status): \(result.errors)")
    }
}
