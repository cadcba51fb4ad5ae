internal import DequeModule
public import GatewayProtocol
public import PairingStore
internal import Synchronization

/// An event that a gateway has sent in a session. All of it comes from the gateway, and is untrusted.
public struct GatewayMessage: Hashable, Sendable {
    /// The credential of the session.
    public let credential: CredentialID

    /// The event.
    public let event: GatewayEvent
}

/// The events that gateways send in their sessions, in the order of each session.
///
/// Each event goes to one reader. While there is none, events are dropped. A slow reader loses nothing: when
/// ``messagesKept`` messages or ``bytesKept`` bytes wait for it, sessions that have more stop reading, within the
/// limits of ``/GatewayClient/ConnectionLimits/session``. The sequence ends when the task that iterates is cancelled.
public struct GatewayMessages: AsyncSequence, Sendable {
    public typealias Element = GatewayMessage
    public typealias Failure = Never

    /// The maximum number of messages that wait for the reader.
    public static let messagesKept = 64

    /// The total size of waiting messages, in bytes, from which no more are accepted.
    public static let bytesKept = 262_144

    let queue: MessageQueue

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(queue: queue, place: ReaderPlace(queue))
    }

    /// The iterator, which returns the messages one by one. Its copies count as one reader.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let queue: MessageQueue
        fileprivate let place: ReaderPlace

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> GatewayMessage? {
            while !Task.isCancelled {
                if let message = queue.take() { return message }
                await queue.wait()
            }
            // If this reader was woken for a message, another one has to take it.
            queue.wakeReader()
            return nil
        }
    }
}

/// The registration of a reader at a queue, which ends when the iterator is gone.
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
        var messages: Deque<(message: GatewayMessage, bytes: Int)> = []
        var bytes = 0

        /// The readers that wait, the first one in front, and the sessions that wait for room.
        var waiting: Deque<(number: Int, CheckedContinuation<Void, Never>)> = []
        var writers: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastNumber = 0

        var hasRoom: Bool {
            let isFull = messages.count >= GatewayMessages.messagesKept || bytes >= GatewayMessages.bytesKept
            return !isFull || readers == 0
        }

        mutating func nextReader() -> CheckedContinuation<Void, Never>? {
            waiting.popFirst()?.1
        }

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
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
            state.bytes = 0
            defer { state.writers = [:] }
            return Array(state.writers.values)
        }
        for writer in writers { writer.resume() }
    }

    /// Adds a message, or drops it if nobody reads.
    ///
    /// - Returns: `false` if there was no room.
    func put(_ message: GatewayMessage) -> Bool {
        let bytes = message.event.footprint
        let (hasRoom, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.hasRoom else { return (false, nil) }
            guard state.readers > 0 else { return (true, nil) }
            state.messages.append((message, bytes))
            state.bytes += bytes
            return (true, state.nextReader())
        }
        reader?.resume()
        return hasRoom
    }

    /// Adds a message once there is room, unless the task is cancelled before.
    func putWhenThereIsRoom(_ message: GatewayMessage) async {
        while !Task.isCancelled, !put(message) { await waitForRoom() }
    }

    private func waitForRoom() async {
        let number = state.withLock { $0.nextNumber() }
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
            guard let (message, bytes) = state.messages.popFirst() else { return (nil, []) }
            state.bytes -= bytes
            defer { state.writers = [:] }
            return (message, Array(state.writers.values))
        }
        for writer in writers { writer.resume() }
        return message
    }

    /// The number of readers that wait.
    var waitingReaders: Int { state.withLock { $0.waiting.count } }

    /// Wakes a reader, if there is something to take.
    func wakeReader() {
        state.withLock { $0.messages.isEmpty ? nil : $0.nextReader() }?.resume()
    }

    /// Waits until there may be a message, or the task is cancelled.
    func wait() async {
        let number = state.withLock { $0.nextNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNow = state.withLock { state in
                    if !state.messages.isEmpty || Task.isCancelled { return true }
                    state.waiting.append((number, continuation))
                    return false
                }
                if isNow { continuation.resume() }
            }
        } onCancel: {
            let reader = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).1 }
            }
            reader?.resume()
        }
    }
}

extension GatewayEvent {
    /// The approximate number of bytes that it takes up.
    fileprivate var footprint: Int { name.utf8.count + (payload?.footprint ?? 0) }
}

extension JSONValue {
    private static let overhead = 16

    /// The approximate number of bytes that it takes up: those of its texts, and some for each value.
    fileprivate var footprint: Int {
        switch self {
        case .null, .bool, .number: Self.overhead
        case .string(let text): Self.overhead + text.utf8.count
        case .secret(let secret): Self.overhead + secret.count
        case .array(let values): values.reduce(Self.overhead) { $0 + $1.footprint }
        case .object(let fields):
            fields.reduce(Self.overhead) { $0 + Self.overhead + $1.key.utf8.count + $1.value.footprint }
        }
    }
}
