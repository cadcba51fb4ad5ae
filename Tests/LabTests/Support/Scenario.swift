import Testing

/// Something that happens to gateways while others watch, and what those shall print.
struct Scenario: Sendable {
    /// The news that shall be printed.
    let expectations: [LineExpectation]

    /// Makes the scenario happen, once everybody has been found.
    var play: @Sendable () async throws -> Void = {}

    /// Returns what is wrong with a watch, beyond what the expectations say.
    var complaints: @Sendable (LineWatch) -> [String] = { _ in [] }

    /// The gateways that are there from the start; those of the expectations, if none are named.
    var first: Set<String>?

    /// Prepares all at once: hosts and gateways take a second or more to be there.
    static func prepare(_ makers: [@Sendable () async throws -> Scenario]) async throws -> [Scenario] {
        try await withThrowingTaskGroup(of: Scenario.self) { group in
            for maker in makers { group.addTask { try await maker() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Plays all at once while these watch, and then lets them watch on.
    ///
    /// - Parameter length: How long the shortest of them watches in all.
    static func play(_ scenarios: [Scenario], before watches: [LineWatch], for length: Duration) async throws {
        let start = ContinuousClock.now
        let names = Set(scenarios.flatMap { $0.first ?? Set($0.expectations.map(\.gateway)) })
        for watch in watches { try await watch.found(names) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for scenario in scenarios { group.addTask { try await scenario.play() } }
            try await group.waitForAll()
        }
        // What comes late, or comes and goes for ever, shall be seen too: of a goodbye that got lost nobody knows before the
        // records have been asked for in vain, 10 s after the gateway was missed.
        try await Task.sleep(for: max(.seconds(17), length - (.now - start)))
        for watch in watches { try await watch.stop() }
        for watch in watches {
            let lines = watch.lines
            let expected = scenarios.flatMap(\.expectations)
            let complaints =
                expected.compactMap { $0.complaint(about: lines) } + scenarios.flatMap { $0.complaints(watch) }
                + lines.filter { line in !expected.contains { $0.covers(line) } }.map { "nobody expected: \($0.text)" }
            for complaint in complaints {
                Issue.record("on \(watch.host.name), which is \(watch.host.kind): \(complaint)")
            }
        }
    }

    /// Lets time pass in which something is so; what has to come is waited for, never this.
    static func lasts(_ time: Duration) async throws {
        try await Task.sleep(for: time)
    }
}
