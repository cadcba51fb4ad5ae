internal import CAvahiCommon

extension SimplePoll {
    /// Calls `callback` with `context` on the loop's thread whenever `descriptor` can be read.
    func watch(
        _ descriptor: CInt,
        context: UnsafeMutableRawPointer,
        callback: @escaping AvahiWatchCallback
    ) -> PollWatch? {
        api?.pointee.watch_new(api, descriptor, .input, callback, context)
    }

    /// Ends a watch that ``watch(_:context:callback:)`` made.
    func unwatch(_ watch: PollWatch?) {
        guard let watch else { return }
        api?.pointee.watch_free(watch)
    }
}
