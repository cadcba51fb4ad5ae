internal import Agent
internal import HTTPTypes
internal import Reports

/// The answers that need the history of gateways.
extension Agent {
    /// The range of the days that can be asked for: as many are kept.
    private static let days = 1...90

    /// The history of the last days: of 7, or as many as the query says.
    func history(_ query: APIQuery) async throws -> GatewayHistoryReport {
        let text = query.parameters["days"] ?? "7"
        guard let days = Int(text), Self.days.contains(days) else {
            throw APIProblem(.badRequest, "days: expected a number from 1 to 90, found another")
        }
        return GatewayHistoryReport(
            try await history(since: Timestamp.now.advanced(by: .seconds(-days * 86_400))).named()
        )
    }

    /// The history since a time.
    func history(since start: Timestamp) async throws -> GatewayHistory {
        try await ofHistory { store throws(NoticeStoreError) in try store.history(since: start, now: .now) }
    }

    private func ofHistory<Value: Sendable>(
        _ read: @escaping @Sendable (NoticeStore) throws(NoticeStoreError) -> Value
    ) async throws -> Value {
        guard let history else {
            throw APIProblem(
                .serviceUnavailable,
                "the history is not open: \(parts.first { $0.name == "notices" }?.state.reason ?? "it is being opened")",
                headers: [.retryAfter: "1"]
            )
        }
        do throws(NoticeStoreError) {
            return try await history.perform(read)
        } catch {
            throw APIProblem(.serviceUnavailable, error.description, headers: [.retryAfter: "1"])
        }
    }
}
