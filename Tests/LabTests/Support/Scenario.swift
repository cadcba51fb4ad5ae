import Testing

/// An event of everyday life, such as the restart of a gateway, and the lines that every watch must print about it.
struct Scenario: Sendable {
    /// The lines about each gateway that must be printed.
    let expectations: [LineExpectation]

    /// Makes the event happen. Called once all watches have found the initial gateways.
    var play: @Sendable () async throws -> Void = {}

    /// Returns the problems in the output of a watch that the expectations do not cover.
    var complaints: @Sendable (LineWatch) -> [String] = { _ in [] }

    /// The names of the gateways that run from the start; `nil` if these are all gateways of the expectations.
    var initialGateways: Set<String>?

    /// Prepares scenarios concurrently, since each waits a second or more until its hosts and gateways are ready.
    static func prepare(_ makers: [@Sendable () async throws -> Scenario]) async throws -> [Scenario] {
        try await withThrowingTaskGroup(of: Scenario.self) { group in
            for maker in makers { group.addTask { try await maker() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Plays scenarios concurrently, and then reports every deviation of the watches from the expectations.
    ///
    /// - Parameters:
    ///   - watches: The watches, which are running. They are stopped at the end.
    ///   - length: The minimum time that the watches go on, from the start of the call.
    static func play(_ scenarios: [Scenario], watchedBy watches: [LineWatch], for length: Duration) async throws {
        let start = ContinuousClock.now
        let names = Set(scenarios.flatMap { $0.initialGateways ?? Set($0.expectations.map(\.gateway)) })
        for watch in watches { try await watch.found(names) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for scenario in scenarios { group.addTask { try await scenario.play() } }
            try await group.waitForAll()
        }
        // The watches go on, so that late or endlessly repeated lines are noticed too. If a goodbye was lost, a watch
        // notices only when the records were queried in vain (RFC 6762 §10.4), 10 s after the gateway was missed.
        try await Task.sleep(for: max(.seconds(17), length - (.now - start)))
        for watch in watches { try await watch.stop() }
        for watch in watches {
            let lines = watch.lines
            let expected = scenarios.flatMap(\.expectations)
            let complaints =
                expected.compactMap { $0.complaint(about: lines) } + scenarios.flatMap { $0.complaints(watch) }
                + lines.filter { line in !expected.contains { $0.covers(line) } }.map { "unexpected line: \($0.text)" }
            for complaint in complaints {
                Issue.record("on \(watch.host.name), which is \(watch.host.kind): \(complaint)")
            }
        }
    }

    /// Lets time pass during which a state lasts or no event may come. Tests that expect an event wait for it instead.
    static func letTimePass(_ time: Duration) async throws {
        try await Task.sleep(for: time)
    }
}
