internal import DNSSD
internal import Discovery

/// The task of publishing an advertisement, and of printing its state, until the user ends it.
struct Publication: Sendable {
    let advertiser: Advertiser
    let text: PublicationText
    let write: @Sendable (String) throws -> Void

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await Signals.waitForEnd() }
            group.addTask { try await report() }
            group.addTask { await advertiser.run() }
            // The first task to return means that the user has ended the command or that publishing has failed
            // permanently; it throws if the output has failed.
            _ = try await group.next()
            group.cancelAll()
        }
        if case .failed(let error) = advertiser.currentState { throw CommandFailure(error) }
    }

    private func report() async throws {
        var last: PublicationText.Item?
        for await state in advertiser.states {
            // The advertiser can wait several times in a row for the same reason, which is printed only once.
            guard let item = text.item(state), item != last else { continue }
            last = item
            switch item {
            case .result(let line): try write(line + "\n")
            case .warning(let line): Notes.warning(line)
            }
        }
    }
}
