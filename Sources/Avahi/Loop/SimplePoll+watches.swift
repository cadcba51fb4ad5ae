internal import CAvahiCommon

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
