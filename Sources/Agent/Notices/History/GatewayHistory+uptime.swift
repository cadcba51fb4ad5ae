internal import Reports

/// The time in which a gateway answered.
extension GatewayHistory {
    /// Returns the share of the known time in which a gateway answered; `nil` if nothing is known.
    package func uptime(of gateway: Gateway) -> Double? {
        let start = max(since, gateway.since).milliseconds
        let (known, down) = times(of: gateway).lengths(from: start, to: until.milliseconds)
        return known > 0 ? 1 - Double(down) / Double(known) : nil
    }

    /// The doings of a gateway in a part of the time.
    package enum Part: Hashable, Sendable, CaseIterable {
        case answering

        /// It did not answer for some of it, however short.
        case gone

        /// Nothing is known of it, or the gateway was not watched yet.
        case unknown
    }

    /// Returns what a gateway did in each part of the time.
    ///
    /// - Parameter count: The number of parts, all of the same length.
    package func parts(of gateway: Gateway, count: Int) -> [Part] {
        let (first, length) = (since.milliseconds, until.milliseconds - since.milliseconds)
        let times = times(of: gateway)
        return (0..<max(0, count)).map { number in
            let start = max(first + length * number / count, gateway.since.milliseconds)
            let (known, down) = times.lengths(from: start, to: first + length * (number + 1) / count)
            return down > 0 ? .gone : known > 0 ? .answering : .unknown
        }
    }

    private func times(of gateway: Gateway) -> Times {
        let dark = unknown.filter { $0.key == nil || $0.key == gateway.key }.map { ($0.began, $0.ended) }
        let down = outages.filter { $0.key == gateway.key }.map { ($0.began, $0.ended ?? until) }
        return Times(dark: dark, down: down)
    }
}

/// The times in which nothing is known of a gateway, and those in which it did not answer.
private struct Times {
    let dark: [(Timestamp, Timestamp)]
    let down: [(Timestamp, Timestamp)]

    /// Returns how much of a time is known, and for how much of that the gateway did not answer, in milliseconds.
    func lengths(from: Int, to: Int) -> (known: Int, down: Int) {
        guard from < to else { return (0, 0) }
        let dark = dark.map { Self.span($0, $1, from: from, to: to) }
        let down = down.map { Self.span($0, $1, from: from, to: to) }
        let darkTime = Self.length(dark)
        // What is both down and not known counts as not known.
        return (to - from - darkTime, Self.length(dark + down) - darkTime)
    }

    private static func span(_ began: Timestamp, _ ended: Timestamp, from: Int, to: Int) -> Range<Int> {
        let start = min(max(began.milliseconds, from), to)
        return start..<min(max(ended.milliseconds, start), to)
    }

    /// The length of all of some spans, which may overlap.
    private static func length(_ spans: [Range<Int>]) -> Int {
        var (total, end) = (0, Int.min)
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            total += max(0, span.upperBound - max(span.lowerBound, end))
            end = max(end, span.upperBound)
        }
        return total
    }
}
