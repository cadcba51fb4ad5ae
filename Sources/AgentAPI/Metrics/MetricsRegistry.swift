package import CoreMetrics
internal import Synchronization

/// The metrics of a process, which it keeps for whoever scrapes them.
///
/// ## Usage
///
/// ```swift
/// let registry = MetricsRegistry()
/// MetricsSystem.bootstrap(registry)
/// ```
package final class MetricsRegistry: MetricsFactory {
    private let series = Mutex<[MetricKey: any MetricSeries]>([:])

    package init() {}

    /// The samples of all metrics.
    var samples: [MetricSample] {
        series.withLock { $0.map { ($0, $1) } }.sorted { $0.0 < $1.0 }.flatMap { key, series in series.samples(key) }
    }

    /// Returns the metric with a name and labels, which is made at its first use.
    private func metric<Value: MetricSeries>(
        _ label: String,
        _ dimensions: [(String, String)],
        or make: () -> Value
    ) -> Value {
        let key = MetricKey(label, dimensions)
        return series.withLock { series in
            if let known = series[key] as? Value { return known }
            let made = make()
            series[key] = made
            return made
        }
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        metric(label, dimensions, or: CountedMetric.init)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        metric(label, dimensions, or: GaugedMetric.init)
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate { return metric(label, dimensions) { SummedMetric(unit: 1) } }
        return metric(label, dimensions, or: GaugedMetric.init)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        metric(label, dimensions) { SummedMetric(unit: 1e-9) }
    }

    // What was counted stays counted, also when nothing counts it any more.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
