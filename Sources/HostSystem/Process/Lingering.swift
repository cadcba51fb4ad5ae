internal import Glibc

/// The lingering of this user: the services of one who lingers run from the start of the machine on, and after the log-out
/// (loginctl(1)).
package enum Lingering {
    /// Indicates whether this user lingers.
    package static var isOn: Bool {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return false }
        return access("/var/lib/systemd/linger/\(String(cString: name))", F_OK) == 0
    }
}
