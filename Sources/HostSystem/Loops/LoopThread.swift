internal import CThreads
internal import Glibc

/// Threads that wait, such as those of event loops: detached, named, and with all signals blocked.
package enum LoopThread {
    /// The arguments of a new thread, which owns them.
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a thread that runs `body` and releases it at the end.
    ///
    /// - Throws: The system's error if it provides no thread; `body` has been released by then.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // Retained here; released by the thread, or below if it could not be started.
        let start = Unmanaged.passRetained(Start(name: name, body: body))

        // Signals belong to the embedding program: none may be delivered to a thread that it does not know.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, { LoopThread.run($0) }, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw SystemError(call: "pthread_create", code: code)
        }
    }

    /// Runs `body`, which may block, on a thread of its own, and returns its result.
    ///
    /// - Parameter name: The thread's name, of at most 15 bytes.
    package static func run<Value: Sendable>(
        name: String,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try start(name: name) { continuation.resume(with: Result(catching: body)) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// The number of the calling thread.
    static var current: UInt { UInt(pthread_self()) }

    private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        // Names the thread for debuggers and `top`. A name that is too long is ignored.
        _ = pthread_setname_np(pthread_self(), start.name)
        start.body()
        return nil
    }
}
