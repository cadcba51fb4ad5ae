internal import DNSSD
internal import Discovery

/// Publishes and says how that goes, until the user has enough.
struct Publication: Sendable {
    let advertiser: Advertiser
    let text: PublicationText
    let write: @Sendable (String) throws -> Void

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await Signals.waitForEnd() }
            group.addTask { try await report() }
            group.addTask { await advertiser.run() }
            // Either the user has enough, or it has failed for good, or the output has.
            _ = try await group.next()
            group.cancelAll()
        }
        if case .failed(let error) = advertiser.currentState { throw CommandFailure(error) }
    }

    private func report() async throws {
        var last: PublicationText.Item?
        for await state in advertiser.states {
            // Waiting goes on for the same reason many times.
            guard let item = text.item(state), item != last else { continue }
            last = item
            switch item {
            case .result(let line): try write(line + "\n")
            case .warning(let line): Notes.warning(line)
            }
        }
    }
}
