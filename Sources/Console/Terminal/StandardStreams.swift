internal import Glibc
internal import SystemPackage

/// The three standard file descriptors of the process.
package enum StandardStreams {
    /// Makes the descriptors safe to write to, in whatever state the process was given them.
    static func prepare() {
        // A write to a pipe without a reader must fail with an error, which can be handled quietly, instead of raising
        // a signal.
        signal(SIGPIPE, SIG_IGN)
        // Silences Avahi's libdns_sd, which recommends Avahi's native library on standard error. setenv(3) is not
        // thread-safe, so this comes before there are other threads.
        setenv("AVAHI_COMPAT_NOWARN", "1", 0)
        // If a standard descriptor is closed, the next socket would get its number, and output would go to the daemon.
        // /dev/null is opened read-only in its place, so that writing fails and the error is reported.
        while let descriptor = try? FileDescriptor.open("/dev/null", .readOnly) {
            if descriptor.rawValue > 2 {
                try? descriptor.close()
                return
            }
        }
    }
}
