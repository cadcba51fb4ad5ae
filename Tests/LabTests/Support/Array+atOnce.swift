extension Array where Element: Sendable {
    /// Calls a function with all elements concurrently.
    ///
    /// - Parameter most: The maximum number of calls at any time.
    /// - Returns: The results, in the order of the elements.
    func atOnce<Outcome: Sendable>(
        most: Int = .max,
        _ body: @escaping @Sendable (Element) async throws -> Outcome
    ) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            var outcomes: [(Int, Outcome)] = []
            for (index, element) in enumerated() {
                if index >= most, let outcome = try await group.next() { outcomes.append(outcome) }
                group.addTask { (index, try await body(element)) }
            }
            return try await group.reduce(into: outcomes) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
