internal import Dispatch
internal import Synchronization

/// The calls to a store by tasks, which must not wait for the disk themselves: a thread of the store makes them, one
/// after the other, in the order in which they were started.
///
/// A call takes as long as the disk does, and up to ``StoreDatabase/busyTimeoutInSeconds`` while another process has the
/// database. Tasks share as many threads as there are processors, and none of these can be spared for so long.
///
/// GRDB's asynchronous calls are no substitute: with them, the end of a task interrupts its call and undoes it, and the task
/// waits for that; a call is one access, where several and the key's file belong together here; and it begins only when its
/// task comes to it, so that two of them have no order. Nor have they a deadline.
struct StoreCalls: Sendable {
    private let queue = DispatchQueue(label: "clawradar.store.calls")

    /// Starts a call. It is made even if nobody waits for it any more.
    func start<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) -> StoreCall<Value> {
        let call = StoreCall<Value>()
        queue.async {
            call.end(Result { () throws(StoreError) in try body() })
        }
        return call
    }

    /// Waits until all calls that were started before have been made, or for a time; also in a cancelled task.
    func settle(within time: Duration) async {
        let call = StoreCall<Void>()
        queue.async { call.end(.success(())) }
        DispatchQueue.global().asyncAfter(deadline: .now() + time / .seconds(1)) { call.end(.success(())) }
        _ = await call.result()
    }
}

/// One call to a store, as ``PairingStore/start(_:)`` has started it.
package final class StoreCall<Value: Sendable>: Sendable {
    private enum State {
        case running
        case awaited(CheckedContinuation<Result<Value, StoreError>, Never>)
        case ended(Result<Value, StoreError>)
    }

    private let state = Mutex(State.running)

    /// The value that the call returns, for one task to wait for.
    ///
    /// - Throws: The error of the call; `cancelled` as soon as the task is cancelled. The call is
    ///   made nevertheless.
    package var value: Value {
        get async throws(StoreError) {
            try await withTaskCancellationHandler {
                await result()
            } onCancel: {
                end(.failure(StoreError(.cancelled, expected: "a task that waits for the store", found: "its end")))
            }
            .get()
        }
    }

    /// Waits for the result, also in a cancelled task.
    func result() async -> Result<Value, StoreError> {
        await withCheckedContinuation { continuation in
            let ended = state.withLock { state -> Result<Value, StoreError>? in
                if case .ended(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }

    /// Ends the call with a result, unless it has one.
    fileprivate func end(_ result: Result<Value, StoreError>) {
        let waiting = state.withLock { state -> CheckedContinuation<Result<Value, StoreError>, Never>? in
            switch state {
            case .running:
                state = .ended(result)
                return nil
            case .awaited(let continuation):
                state = .ended(result)
                return continuation
            case .ended:
                return nil
            }
        }
        waiting?.resume(returning: result)
    }
}
