internal import CAvahiCommon
internal import Glibc
internal import HostSystem
internal import Synchronization
internal import SystemPackage

/// The one timer of a ``PollLoop``: a `timerfd` of the monotonic clock.
///
/// Avahi's own time-outs are kept in wall-clock time, which can jump.
final class LoopTimer: Sendable {
    private let descriptor: FileDescriptor

    /// The closure that runs when the timer fires.
    private let handler = Mutex<(@Sendable () -> Void)?>(nil)

    init() throws(SystemError) {
        let descriptor = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
        guard descriptor >= 0 else { throw SystemError(call: "timerfd_create", code: errno) }
        self.descriptor = FileDescriptor(rawValue: descriptor)
    }

    deinit {
        try? descriptor.close()
    }

    /// Sets the closure that runs on the loop's thread when the timer fires.
    func onFire(_ handler: @escaping @Sendable () -> Void) {
        self.handler.withLock { $0 = handler }
    }

    /// Sets the timer, or stops it when there is no delay. Any earlier setting is replaced.
    func set(after delay: Duration?) {
        var setting = itimerspec()
        if let delay {
            // Zero would stop the timer: one that is due already fires after a microsecond.
            let delay = max(delay, .microseconds(1)).components
            setting.it_value.tv_sec = Int(delay.seconds)
            setting.it_value.tv_nsec = Int(delay.attoseconds / 1_000_000_000)
        }
        timerfd_settime(descriptor.rawValue, 0, &setting, nil)
    }

    /// Makes the `timerfd` a watch of Avahi's loop, until the loop is freed.
    func watch(in poll: SimplePoll) {
        poll.watch(
            descriptor.rawValue,
            // Not retained: the thread holds the timer for longer than it holds the loop.
            context: Unmanaged.passUnretained(self).toOpaque()
        ) { _, _, _, context in
            guard let context else { return }
            Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue().fire()
        }
    }

    private func fire() {
        var expirations: UInt64 = 0
        let count = withUnsafeMutableBytes(of: &expirations) { try? descriptor.read(into: $0) }
        // The timer was set again meanwhile, and is not due yet.
        guard let count, count > 0 else { return }
        handler.withLock { $0 }?()
    }
}
