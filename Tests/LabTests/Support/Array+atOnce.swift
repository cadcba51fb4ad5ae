extension Array where Element: Sendable {
    /// Does something with all elements at once.
    ///
    /// - Returns: What came of each, in their order.
    func atOnce<Outcome: Sendable>(
        _ body: @escaping @Sendable (Element) async throws -> Outcome
    ) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            for (index, element) in enumerated() { group.addTask { (index, try await body(element)) } }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
