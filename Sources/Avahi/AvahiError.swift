internal import CAvahiCommon

/// An error code of Avahi, with Avahi's own description.
package struct AvahiError: RawRepresentable, Error, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The description that Avahi gives of the error, in English.
    package var description: String {
        guard let text = describeError(rawValue) else { return "Avahi error \(rawValue)" }
        return String(cString: text)
    }

    /// Something failed: `AVAHI_ERR_FAILURE`.
    package static let failure = AvahiError(rawValue: Int32(AVAHI_ERR_FAILURE))
    /// The object cannot do this now: `AVAHI_ERR_BAD_STATE`.
    package static let badState = AvahiError(rawValue: Int32(AVAHI_ERR_BAD_STATE))
    /// The name is taken: `AVAHI_ERR_COLLISION`.
    package static let collision = AvahiError(rawValue: Int32(AVAHI_ERR_COLLISION))
    /// The daemon serves as many clients as it may: `AVAHI_ERR_TOO_MANY_CLIENTS`.
    package static let tooManyClients = AvahiError(rawValue: Int32(AVAHI_ERR_TOO_MANY_CLIENTS))
    /// This connection holds as many objects as it may: `AVAHI_ERR_TOO_MANY_OBJECTS`.
    package static let tooManyObjects = AvahiError(rawValue: Int32(AVAHI_ERR_TOO_MANY_OBJECTS))
    /// The entry group is full: `AVAHI_ERR_TOO_MANY_ENTRIES`.
    package static let tooManyEntries = AvahiError(rawValue: Int32(AVAHI_ERR_TOO_MANY_ENTRIES))
    /// The bus refused: `AVAHI_ERR_ACCESS_DENIED`.
    package static let accessDenied = AvahiError(rawValue: Int32(AVAHI_ERR_ACCESS_DENIED))
    /// D-Bus cannot be reached or failed: `AVAHI_ERR_DBUS_ERROR`.
    package static let dbus = AvahiError(rawValue: Int32(AVAHI_ERR_DBUS_ERROR))
    /// The daemon went away: `AVAHI_ERR_DISCONNECTED`.
    package static let disconnected = AvahiError(rawValue: Int32(AVAHI_ERR_DISCONNECTED))
    /// Out of memory: `AVAHI_ERR_NO_MEMORY`.
    package static let noMemory = AvahiError(rawValue: Int32(AVAHI_ERR_NO_MEMORY))
    /// The daemon does not run: `AVAHI_ERR_NO_DAEMON`.
    package static let noDaemon = AvahiError(rawValue: Int32(AVAHI_ERR_NO_DAEMON))
    /// There is no such interface: `AVAHI_ERR_INVALID_INTERFACE`.
    package static let invalidInterface = AvahiError(rawValue: Int32(AVAHI_ERR_INVALID_INTERFACE))
    /// Forbidden by the daemon's configuration: `AVAHI_ERR_NOT_PERMITTED`.
    package static let notPermitted = AvahiError(rawValue: Int32(AVAHI_ERR_NOT_PERMITTED))
}
