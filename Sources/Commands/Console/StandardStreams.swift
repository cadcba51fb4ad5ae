internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The three descriptors that every program is given.
enum StandardStreams {
    /// Makes them safe to write to, whatever the caller has done to them.
    static func prepare() {
        // A write to a pipe that nobody reads shall be an error that we can end on quietly, not a signal.
        signal(SIGPIPE, SIG_IGN)
        // Avahi's libdns_sd writes to standard error that Avahi has a better library. Set before there is any thread.
        setenv("AVAHI_COMPAT_NOWARN", "1", 0)
        // Where one is closed, the next socket would take its place, and our output would go to the daemon. What is
        // opened here cannot be written to, so that the trouble is told.
        while let descriptor = try? FileDescriptor.open("/dev/null", .readOnly) {
            if descriptor.rawValue > 2 {
                try? descriptor.close()
                return
            }
        }
    }
}
