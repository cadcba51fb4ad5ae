extension Array where Element: Sendable {
    /// Calls a function with all elements concurrently.
    ///
    /// - Returns: The results, in the order of the elements.
    func atOnce<Outcome: Sendable>(
        _ body: @escaping @Sendable (Element) async throws -> Outcome
    ) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            for (index, element) in enumerated() { group.addTask { (index, try await body(element)) } }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
