extension Lab {
    /// Measures a time until it is short enough, at most three times, and returns all of them.
    ///
    /// The machine is shared: it may be busy for a moment. What is slow by itself is slow each time.
    static func times(
        until limit: Duration,
        _ measure: () async throws -> Duration
    ) async rethrows -> [Duration] {
        var times: [Duration] = []
        repeat { times.append(try await measure()) } while times.last.map { $0 >= limit } == true && times.count < 3
        return times
    }
}
