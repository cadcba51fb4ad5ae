package import DNSSD
package import Discovery

/// Something that publishes until its task is cancelled, and whose states are printed meanwhile.
package protocol ReportingAdvertiser: Sendable {
    associatedtype States: AsyncSequence where States.Failure == Never

    /// The states, beginning with the current one.
    var shownStates: States { get }

    /// The reason why publishing has failed permanently; `nil` if it has not.
    var failure: BackendError? { get }

    /// Publishes until the task is cancelled, or until publishing has failed permanently.
    func run() async throws
}

extension Advertiser: ReportingAdvertiser {
    package var shownStates: some AsyncSequence<PublicationState, Never> & Sendable { states }

    package var failure: BackendError? {
        if case .failed(let error) = currentState { error } else { nil }
    }
}

/// The states of an advertiser in words.
package protocol PublicationWording: Sendable {
    associatedtype State

    /// Returns the text for the next state; `nil` if there is nothing to say.
    mutating func item(_ state: State) -> PublicationText.Item?
}

/// The task of publishing, and of printing the state, until the user ends it.
package struct ReportedPublication<Source: ReportingAdvertiser, Wording: PublicationWording>: Sendable
where Wording.State == Source.States.Element {
    private let advertiser: Source
    private let text: Wording
    private let write: @Sendable (String) throws -> Void

    package init(advertiser: Source, text: Wording, write: @escaping @Sendable (String) throws -> Void) {
        self.advertiser = advertiser
        self.text = text
        self.write = write
    }

    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await Signals.waitForEnd() }
            group.addTask { try await report() }
            group.addTask { try await advertiser.run() }
            // The first task to return means that the user has ended the command or that publishing has failed
            // permanently; it throws if the output has failed.
            _ = try await group.next()
            group.cancelAll()
        }
        if let failure = advertiser.failure { throw CommandFailure(failure) }
    }

    private func report() async throws {
        var text = text
        var last: PublicationText.Item?
        for await state in advertiser.shownStates {
            // An advertiser can wait several times in a row for the same reason, which is printed only once.
            guard let item = text.item(state), item != last else { continue }
            last = item
            switch item {
            case .result(let line): try write(line + "\n")
            case .warning(let line): Notes.warning(line)
            }
        }
    }
}
