public import GatewayProtocol
public import PairingStore
internal import Synchronization

/// An event that a gateway has sent in a session. All of it is the gateway's word.
public struct GatewayMessage: Hashable, Sendable {
    /// The credential of the session.
    public let credential: CredentialID

    /// The event.
    public let event: GatewayEvent
}

/// The events that gateways send in their sessions, in the order of each session.
///
/// There is one reader at a time. While there is none, they are dropped. A reader that is slow loses nothing: when
/// ``messagesKept`` wait for it, sessions that have more stop reading, within the limits of
/// ``/GatewayClient/ConnectionLimits/session``. It ends when the task that iterates is cancelled.
public struct GatewayMessages: AsyncSequence, Sendable {
    public typealias Element = GatewayMessage
    public typealias Failure = Never

    /// The most messages that wait for the reader.
    public static let messagesKept = 64

    let queue: MessageQueue

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(queue: queue, place: ReaderPlace(queue))
    }

    /// Takes the messages one by one. Copies share their place.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let queue: MessageQueue
        fileprivate let place: ReaderPlace

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> GatewayMessage? {
            while !Task.isCancelled {
                if let message = queue.take() { return message }
                await queue.wait()
            }
            return nil
        }
    }
}

/// The reader's place at a queue; it is free again when the iterator is gone.
private final class ReaderPlace: Sendable {
    private let queue: MessageQueue

    init(_ queue: MessageQueue) {
        self.queue = queue
        queue.addReader()
    }

    deinit {
        queue.removeReader()
    }
}

/// The messages that wait for the reader, and the sessions that wait for room.
final class MessageQueue: Sendable {
    private struct State {
        var readers = 0
        var messages: [GatewayMessage] = []
        var reader: CheckedContinuation<Void, Never>?
        var writers: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWriter = 0

        var hasRoom: Bool { messages.count < GatewayMessages.messagesKept || readers == 0 }
    }

    private let state = Mutex(State())

    func addReader() {
        state.withLock { $0.readers += 1 }
    }

    func removeReader() {
        let writers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.readers -= 1
            guard state.readers == 0 else { return [] }
            state.messages = []
            defer { state.writers = [:] }
            return Array(state.writers.values)
        }
        for writer in writers { writer.resume() }
    }

    /// Puts a message in, or drops it where nobody reads.
    ///
    /// - Returns: Whether there was room.
    func put(_ message: GatewayMessage) -> Bool {
        let (hasRoom, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.hasRoom else { return (false, nil) }
            if state.readers > 0 { state.messages.append(message) }
            return (true, state.reader.take())
        }
        reader?.resume()
        return hasRoom
    }

    /// Puts a message in once there is room, unless the task is cancelled before.
    func putWhenThereIsRoom(_ message: GatewayMessage) async {
        while !Task.isCancelled, !put(message) { await waitForRoom() }
    }

    private func waitForRoom() async {
        let number = state.withLock { state in
            state.nextWriter += 1
            return state.nextWriter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNow = state.withLock { state in
                    if state.hasRoom || Task.isCancelled { return true }
                    state.writers[number] = continuation
                    return false
                }
                if isNow { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.writers.removeValue(forKey: number) }?.resume()
        }
    }

    func take() -> GatewayMessage? {
        let (message, writers) = state.withLock { state -> (GatewayMessage?, [CheckedContinuation<Void, Never>]) in
            guard !state.messages.isEmpty else { return (nil, []) }
            let message = state.messages.removeFirst()
            defer { state.writers = [:] }
            return (message, Array(state.writers.values))
        }
        for writer in writers { writer.resume() }
        return message
    }

    /// Waits until there is a message, or the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isNow, former) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
                    if !state.messages.isEmpty || Task.isCancelled { return (true, nil) }
                    // One reader at a time: another one looks again, and waits its turn.
                    defer { state.reader = continuation }
                    return (false, state.reader)
                }
                former?.resume()
                if isNow { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume()
        }
    }
}
