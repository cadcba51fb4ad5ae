internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The sockets of one piece of work, all of which are closed when it ends: finished, cancelled or out of time.
///
/// What waits on one of them then gets an error. So nothing has to be raced against a clock.
final class ConnectionScope: Sendable {
    private struct State {
        var channels: [any Channel] = []
        var isEnded = false
        var isOutOfTime = false
    }

    private let state = Mutex(State())

    /// Whether it was the time, or a cancellation, that ended it.
    var isOutOfTime: Bool { state.withLock { $0.isOutOfTime } }

    /// Takes a socket in.
    ///
    /// - Returns: `false` when the work has ended, and the socket must not be used.
    func add(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard !state.isEnded else { return false }
            state.channels.append(channel)
            return true
        }
    }

    /// Closes every socket but one.
    func closeAll(but kept: any Channel) {
        for channel in state.withLock({ $0.channels }) where channel !== kept { channel.close(promise: nil) }
    }

    private func end(outOfTime: Bool) {
        let channels = state.withLock { state in
            if !state.isEnded { state.isOutOfTime = outOfTime }
            state.isEnded = true
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Works with sockets for so long, and returns when all of them are closed.
    static func run<Value: Sendable>(
        for duration: Duration,
        on loop: any EventLoop,
        _ body: (ConnectionScope) async -> Value
    ) async -> Value {
        let scope = ConnectionScope()
        let timer = loop.scheduleTask(in: TimeAmount(duration)) { scope.end(outOfTime: true) }
        let value = await withTaskCancellationHandler {
            await body(scope)
        } onCancel: {
            scope.end(outOfTime: true)
        }
        timer.cancel()
        scope.end(outOfTime: false)
        for channel in scope.state.withLock({ $0.channels }) { try? await channel.closeFuture.get() }
        return value
    }
}
