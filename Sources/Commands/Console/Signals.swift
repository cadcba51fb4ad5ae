internal import UnixSignals

/// The wishes of whoever runs the tool. Only the tool catches signals, never a library of ours.
enum Signals {
    /// Waits until the user (Ctrl-C) or the system asks to end. Returns at once when the task is cancelled.
    ///
    /// The first time is a request; the second ends the process at once, in whatever state it is.
    static func waitForEnd() async {
        for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { break }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        // They are blocked in every thread, for the sake of the sequence above; one that takes them is enough.
        var ending = sigset_t()
        sigemptyset(&ending)
        sigaddset(&ending, SIGINT)
        sigaddset(&ending, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &ending, nil)
    }
}
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
