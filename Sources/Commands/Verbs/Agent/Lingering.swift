internal import Glibc

/// The lingering of this user: the services of one who lingers run from the start of the machine on, and after the log-out
/// (loginctl(1)).
enum Lingering {
    /// Indicates whether this user lingers.
    static var isOn: Bool {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return false }
        return access("/var/lib/systemd/linger/\(String(cString: name))", F_OK) == 0
    }

    /// Has this user linger.
    ///
    /// - Returns: `true` if that worked.
    static func enable() -> Bool { ServiceManagerCalls.run(["loginctl", "enable-linger"]) == 0 }

    /// Has this user linger no more.
    ///
    /// - Returns: `true` if that worked.
    static func disable() -> Bool { ServiceManagerCalls.run(["loginctl", "disable-linger"]) == 0 }
}
