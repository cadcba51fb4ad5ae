internal import CoreMetrics
internal import Synchronization

/// The name of a metric, with its labels.
struct MetricKey: Hashable, Comparable, Sendable {
    /// A label and its value.
    struct Label: Hashable, Comparable, Sendable {
        let name: String
        let value: String

        static func < (lhs: Label, rhs: Label) -> Bool { (lhs.name, lhs.value) < (rhs.name, rhs.value) }
    }

    let name: String
    let labels: [Label]

    init(_ name: String, _ labels: [(String, String)] = []) {
        self.name = name
        self.labels = labels.map { Label(name: $0.0, value: $0.1) }.sorted()
    }

    static func < (lhs: MetricKey, rhs: MetricKey) -> Bool {
        lhs.name == rhs.name ? lhs.labels.lexicographicallyPrecedes(rhs.labels) : lhs.name < rhs.name
    }
}

/// A metric that is kept for whoever scrapes it.
protocol MetricSeries: AnyObject, Sendable {
    /// Returns what it is now.
    func samples(_ key: MetricKey) -> [MetricSample]
}

/// A number that only grows.
final class CountedMetric: MetricSeries, CounterHandler {
    private let value = Atomic<Int64>(0)

    func increment(by amount: Int64) { value.add(amount, ordering: .relaxed) }

    func reset() { value.store(0, ordering: .relaxed) }

    func samples(_ key: MetricKey) -> [MetricSample] {
        [MetricSample(key, .counter, Double(value.load(ordering: .relaxed)))]
    }
}

/// A number that is what was set last.
final class GaugedMetric: MetricSeries, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }

    func samples(_ key: MetricKey) -> [MetricSample] { [MetricSample(key, .gauge, value.withLock(\.self))] }
}

/// The sum and the number of what was recorded.
final class SummedMetric: MetricSeries, RecorderHandler, TimerHandler {
    private let unit: Double
    private let recorded = Mutex((sum: 0.0, count: 0))

    /// - Parameter unit: The value of one, in the unit that is shown.
    init(unit: Double) {
        self.unit = unit
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        recorded.withLock { recorded in
            recorded.sum += value
            recorded.count += 1
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration)) }

    func samples(_ key: MetricKey) -> [MetricSample] {
        let (sum, count) = recorded.withLock(\.self)
        return [
            MetricSample(key, .summary, suffix: "_sum", sum * unit),
            MetricSample(key, .summary, suffix: "_count", Double(count)),
        ]
    }
}
