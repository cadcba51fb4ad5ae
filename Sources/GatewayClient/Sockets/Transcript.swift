internal import GatewayProtocol
internal import Synchronization

/// A record of what has come over one connection so far, in numbers and in its first bytes.
final class Transcript: Sendable {
    private struct State {
        var firstBytes: [UInt8] = []
        var bytes = 0
        var frames = 0
        var pings = 0

        /// The bytes since the last whole message, and how many of them the budget was asked for.
        var assembling = 0
        var taken = 0
        var budget: AssemblyBudget?

        /// Keeps so many bytes in assembly, and gives back what the others took.
        mutating func keep(_ count: Int) {
            assembling = max(count, 0)
            let excess = taken - max(assembling - AssemblyBudget.freeBytes, 0)
            guard excess > 0 else { return }
            budget?.giveBack(excess)
            taken -= excess
        }
    }

    private let state = Mutex(State())

    deinit {
        assembled()
    }

    /// The first bytes, at most ``ForeignAnswer/maximumBytes``.
    var firstBytes: [UInt8] { state.withLock { $0.firstBytes } }

    /// Indicates whether anything came since ``restart()``.
    var hasHeard: Bool { state.withLock { $0.bytes > 0 } }

    /// Notes what has come.
    ///
    /// - Returns: How many bytes there are by now.
    func note(_ bytes: some Collection<UInt8>) -> Int {
        state.withLock { state in
            if state.firstBytes.count < ForeignAnswer.maximumBytes {
                state.firstBytes += bytes.prefix(ForeignAnswer.maximumBytes - state.firstBytes.count)
            }
            state.bytes += bytes.count
            return state.bytes
        }
    }

    /// Counts what is not whole yet against a budget from now on.
    func limitAssembly(by budget: AssemblyBudget) {
        state.withLock { $0.budget = budget }
    }

    /// Notes bytes of which a message may be made.
    ///
    /// - Returns: `false` when there is no memory for them.
    func assemble(_ count: Int) -> Bool {
        state.withLock { state in
            guard let budget = state.budget else { return true }
            state.assembling += count
            let more = state.assembling - AssemblyBudget.freeBytes - state.taken
            guard more > 0 else { return true }
            guard budget.take(more) else { return false }
            state.taken += more
            return true
        }
    }

    /// Bytes that were noted are no part of the message that is not whole yet.
    func leaveOut(_ count: Int) {
        state.withLock { $0.keep($0.assembling - count) }
    }

    /// A message is whole, or never will be.
    func assembled() {
        state.withLock { $0.keep(0) }
    }

    /// No message is made of anything that comes from now on.
    func endAssembly() {
        state.withLock { state in
            state.keep(0)
            state.budget = nil
        }
    }

    /// Notes a frame or a line.
    ///
    /// - Returns: How many there are since we spoke last.
    func noteFrame() -> Int {
        state.withLock { state in
            state.frames += 1
            return state.frames
        }
    }

    /// Decides whether a pong is the answer to a ping of ours; each ping has one.
    func takePong() -> Bool {
        state.withLock { state in
            guard state.pings > 0 else { return false }
            state.pings -= 1
            return true
        }
    }

    /// Something is being said to the peer, which may answer it with as many frames again.
    func spoke() {
        state.withLock { $0.frames = 0 }
    }

    /// A ping is being sent.
    func pinged() {
        state.withLock { state in
            state.pings += 1
            state.frames = 0
        }
    }

    /// The next question on a connection that is kept: bytes are counted from here.
    func restart() {
        state.withLock { $0.bytes = 0 }
    }
}
