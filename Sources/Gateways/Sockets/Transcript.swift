internal import GatewayProtocol
internal import Synchronization

/// What has come over one connection so far, in numbers and in its first bytes.
final class Transcript: Sendable {
    private struct State {
        var firstBytes: [UInt8] = []
        var count = 0
    }

    private let state = Mutex(State())

    /// The first bytes, at most ``ForeignAnswer/maximumBytes``.
    var firstBytes: [UInt8] { state.withLock { $0.firstBytes } }

    /// Notes what has come.
    ///
    /// - Returns: How many bytes there are by now.
    func note(_ bytes: some Collection<UInt8>) -> Int {
        state.withLock { state in
            state.firstBytes += bytes.prefix(ForeignAnswer.maximumBytes - state.firstBytes.count)
            state.count += bytes.count
            return state.count
        }
    }
}
