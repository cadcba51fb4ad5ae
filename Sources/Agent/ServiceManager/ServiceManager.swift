internal import Glibc

/// The service manager that has started this process, such as systemd: it is told how the process does (sd_notify(3)).
///
/// The protocol is one datagram for each report, so no library is needed.
struct ServiceManager: Hashable, Sendable {
    /// The environment variables by which it says where it listens, and what it expects.
    static let variables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

    /// The path of its socket; one that begins with `@` is in the abstract namespace.
    private let path: String

    /// The time within which it expects a sign of life; `nil` if it expects none.
    let watchdogInterval: Duration?

    /// Makes the service manager of this process; `nil` if there is none that wants to be told.
    ///
    /// - Parameter environment: Those of the ``variables`` that are set.
    init?(environment: [String: String], process: Int32 = getpid()) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"),
            path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        self.path = path
        let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
        let time = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 && isForUs ? $0 : nil }
        watchdogInterval = time.map { .microseconds($0) }
    }

    /// Tells it the lines of a report. A failure is ignored: there is nobody else to tell.
    func tell(_ lines: String...) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = path.hasPrefix("@") ? [0] + path.utf8.dropFirst() : Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bytes = Array(lines.joined(separator: "\n").utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, length)
            }
        }
    }
}
