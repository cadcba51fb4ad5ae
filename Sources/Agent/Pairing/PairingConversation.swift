internal import Pairing
internal import Synchronization

/// The conversation about one pairing: it holds a question until somebody replies.
final class PairingConversation: Sendable {
    private struct State {
        var pairing: OpenPairing
        /// The pairing waits for the answer here.
        var waiting: AsyncStream<PairingAnswer>.Continuation?
    }

    private let state: Mutex<State>

    /// Is called with each change, in their order.
    private let isChanged: @Sendable (OpenPairing) -> Void

    /// A signal that somebody gives the pairing up.
    let (cancellations, cancellation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ pairing: OpenPairing, isChanged: @escaping @Sendable (OpenPairing) -> Void) {
        state = Mutex(State(pairing: pairing))
        self.isChanged = isChanged
    }

    /// The pairing as it is now.
    var pairing: OpenPairing { state.withLock(\.pairing) }

    /// Enters a step, and waits for the answer if it is a question; `nil` if the task is cancelled before it.
    func enter(_ step: OpenPairing.Step, advertisedLeaves: Set<String>? = nil) async -> PairingAnswer? {
        let (answers, answer) = AsyncStream.makeStream(of: PairingAnswer.self)
        state.withLock { state in
            state.pairing.enter(step)
            if let advertisedLeaves { state.pairing.advertisedLeaves = advertisedLeaves }
            state.waiting = step.isQuestion ? answer : nil
            isChanged(state.pairing)
        }
        guard step.isQuestion else { return nil }
        for await answer in answers { return answer }
        return nil
    }

    /// Passes a reply on. Nothing is passed on of one that is no answer, or that comes after another one.
    func reply(_ reply: PairingReply) throws(PairingReply.Problem) -> OpenPairing {
        try state.withLock { state throws(PairingReply.Problem) in
            let answer = try reply.answer(to: state.pairing)
            state.pairing.question = nil
            state.waiting?.yield(answer)
            state.waiting = nil
            isChanged(state.pairing)
            return state.pairing
        }
    }
}
