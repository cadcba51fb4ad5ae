import Foundation
import Scanning
import TestSupport

/// The program that `scripts/bench map` runs. It measures the cost of each kind of event in a map of one size, and
/// prints a line of JSON for each kind.
///
/// `test-tool map-bench GATEWAYS [EVENTS] [SEED]`
struct MapBench {
    /// The number of events that are created at a time, which is small enough that waiting events do not fill the CPU
    /// caches.
    private static let batch = 250

    static func run(_ arguments: [String]) {
        let numbers = arguments.compactMap { UInt64($0) }
        guard (1...3).contains(numbers.count), numbers.count == arguments.count,
            let gateways = Int(exactly: numbers[0]), (1...1_000_000).contains(gateways),
            let events = Int(exactly: numbers.dropFirst().first ?? 1_000_000), events > 0
        else {
            FileHandle.standardError.write(Data("usage: test-tool map-bench GATEWAYS [EVENTS] [SEED]\n".utf8))
            exit(64)
        }
        var bench = MapBench(gateways: gateways, seed: numbers.count > 2 ? numbers[2] : 0x5EED_C1A3)
        do {
            try bench.run(events: events)
        } catch {
            FileHandle.standardError.write(Data("map-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private var map: BotMap
    private var workload: Workload
    private let gateways: Int

    private init(gateways: Int, seed: UInt64) {
        self.gateways = gateways
        self.workload = Workload(gateways: gateways, seed: seed)
        self.map = BotMap(limits: BotMapLimits(candidates: gateways, pairings: gateways))
    }

    private mutating func run(events: Int) throws {
        // Measures filling an empty map: each gateway is found, then probed.
        let filling = try workload.filling()
        report("fill", filling.count, measure(filling))
        guard map.gateways.count == gateways else { throw MapBenchError.rows(map.gateways.count, expected: gateways) }

        // Warms up heap and caches before the measurement.
        _ = try measure(events / 10) { try $0.mixed() }
        report("mix", events, try measure(events) { try $0.mixed() })
        let each = max(1, events / 10)
        for kind in EventKind.allCases {
            report(kind.rawValue, each, try measure(each) { try $0.event(kind) })
        }
    }

    /// Applies events that are created in batches, and returns the time for applying them alone.
    private mutating func measure(
        _ count: Int,
        _ make: (inout Workload) throws -> BotMapEvent
    ) rethrows -> (Duration, changes: Int) {
        var total: (Duration, changes: Int) = (.zero, 0)
        var left = count
        while left > 0 {
            var events: [BotMapEvent] = []
            for _ in 0..<min(left, Self.batch) { events.append(try make(&workload)) }
            let part = measure(events)
            total = (total.0 + part.0, total.changes + part.changes)
            left -= events.count
        }
        return total
    }

    private mutating func measure(_ events: [BotMapEvent]) -> (Duration, changes: Int) {
        var changes = 0
        let start = Self.processorTime
        for event in events { changes += map.apply(event).count }
        return (Self.processorTime - start, changes)
    }

    /// The CPU time of this thread, which other programs on the machine do not affect. The thread never waits.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private func report(_ kind: String, _ events: Int, _ result: (elapsed: Duration, changes: Int)) {
        let (seconds, attoseconds) = result.elapsed.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        print(
            #"{"gateways":\#(gateways),"kind":"\#(kind)","events":\#(events),"ns":\#(nanoseconds),"changes":\#(result.changes)}"#
        )
    }
}
