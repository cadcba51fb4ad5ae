internal import CAvahiCommon
internal import HostSystem

/// The event loop that waits in Avahi's own poll loop, and the executor of the actor that owns every Avahi object.
///
/// Avahi requires that an object is used only on the thread that runs its poll loop; here, actor isolation ensures
/// that.
typealias PollLoop = EventLoop<AvahiPoller>

extension EventLoop where Poller == AvahiPoller {
    /// Starts the thread.
    ///
    /// - Throws: An error when the system has no descriptor, memory or thread left.
    convenience init(name: String) throws(SystemError) {
        try self.init(name: name, poller: AvahiPoller())
    }

    /// Avahi's loop. Used on the loop's thread only.
    var poll: SimplePoll { poller.poll }

    /// The timer of the loop.
    var timer: LoopTimer { poller.timer }
}

extension SimplePoll {
    /// Calls `callback` with `context` on the loop's thread whenever `descriptor` can be read, until the loop is freed.
    func watch(
        _ descriptor: CInt,
        context: UnsafeMutableRawPointer,
        callback: @escaping AvahiWatchCallback
    ) {
        _ = api?.pointee.watch_new(api, descriptor, .input, callback, context)
    }
}
