internal import CAvahiCommon

/// The poll API of one bus connection: it wraps Avahi's own, and records every descriptor that comes and goes.
///
/// It exists for ``BusSockets``: a call that a frozen daemon blocks can be ended only through its socket. The library
/// keeps the address of `api`; this object must live until after `avahi_client_free`.
final class BusPoll {
    /// The poll API that is passed to `avahi_client_new`. Freed by `deinit`.
    let api: UnsafeMutablePointer<Poll>

    /// Avahi's own API, which does the work.
    private let base: UnsafePointer<Poll>

    /// The descriptors in use.
    let sockets: BusSockets

    init?(_ poll: SimplePoll, sockets: BusSockets) {
        guard let base = poll.api else { return nil }
        self.base = UnsafePointer(base)
        self.sockets = sockets
        self.api = .allocate(capacity: 1)
        api.initialize(
            to: Poll(
                userdata: nil,
                watch_new: { api, descriptor, events, callback, context in
                    guard let api, let owner = api.pointee.userdata else { return nil }
                    // Not retained: the owner outlives its client, and so every call that the client makes.
                    return Unmanaged<BusPoll>.fromOpaque(owner).takeUnretainedValue()
                        .makeWatch(descriptor, events, callback, context)
                },
                watch_update: { Watch.at($0)?.update($1) },
                watch_get_events: { Watch.at($0)?.events ?? [] },
                watch_free: { Watch.free($0) },
                timeout_new: { api, time, callback, context in
                    guard let api, let owner = api.pointee.userdata else { return nil }
                    let base = Unmanaged<BusPoll>.fromOpaque(owner).takeUnretainedValue().base
                    return base.pointee.timeout_new(base, time, callback, context)
                },
                timeout_update: base.pointee.timeout_update,
                timeout_free: base.pointee.timeout_free
            )
        )
        api.pointee.userdata = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        api.deinitialize(count: 1)
        api.deallocate()
    }

    private func makeWatch(
        _ descriptor: CInt,
        _ events: PollEvents,
        _ callback: AvahiWatchCallback?,
        _ context: UnsafeMutableRawPointer?
    ) -> PollWatch? {
        guard let callback else { return nil }
        let watch = Watch(descriptor: descriptor, base: base, sockets: sockets, callback: callback, context: context)
        guard watch.start(events) else { return nil }
        sockets.add(descriptor)
        return watch.handle
    }

    /// One watch of the library, which wraps a watch of Avahi's loop.
    ///
    /// The library holds it as an opaque `AvahiWatch *`, which is this object's address: retained by `handle`, released
    /// by `free`.
    private final class Watch {
        private let descriptor: CInt
        private let base: UnsafePointer<Poll>
        private let sockets: BusSockets
        private let callback: AvahiWatchCallback
        private let context: UnsafeMutableRawPointer?
        private var inner: PollWatch?

        init(
            descriptor: CInt,
            base: UnsafePointer<Poll>,
            sockets: BusSockets,
            callback: @escaping AvahiWatchCallback,
            context: UnsafeMutableRawPointer?
        ) {
            self.descriptor = descriptor
            self.base = base
            self.sockets = sockets
            self.callback = callback
            self.context = context
        }

        func start(_ events: PollEvents) -> Bool {
            inner = base.pointee.watch_new(
                base,
                descriptor,
                events,
                { _, descriptor, events, context in
                    guard let context else { return }
                    let watch = Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
                    // The callback may free the watch.
                    withExtendedLifetime(watch) {
                        let address = Unmanaged.passUnretained(watch).toOpaque()
                        watch.callback(unsafeBitCast(address, to: PollWatch.self), descriptor, events, watch.context)
                    }
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
            return inner != nil
        }

        var handle: PollWatch {
            unsafeBitCast(Unmanaged.passRetained(self).toOpaque(), to: PollWatch.self)
        }

        static func at(_ handle: PollWatch?) -> Watch? {
            guard let handle else { return nil }
            return Unmanaged<Watch>.fromOpaque(unsafeBitCast(handle, to: UnsafeRawPointer.self)).takeUnretainedValue()
        }

        static func free(_ handle: PollWatch?) {
            guard let handle else { return }
            let watch = Unmanaged<Watch>.fromOpaque(unsafeBitCast(handle, to: UnsafeRawPointer.self))
                .takeRetainedValue()
            // The descriptor is removed here before libdbus closes it: a number that the system has reused for another
            // file must not be shut down.
            watch.sockets.remove(watch.descriptor)
            if let inner = watch.inner { watch.base.pointee.watch_free(inner) }
        }

        func update(_ events: PollEvents) {
            if let inner { base.pointee.watch_update(inner, events) }
        }

        var events: PollEvents {
            inner.map { base.pointee.watch_get_events($0) } ?? []
        }
    }
}
