internal import Glibc

/// The group that some distributions, such as Debian, make for each user, with that user alone in it. Their umask leaves
/// files open to it, so that files of nearly everybody there are open to the group, and still to nobody else.
struct OwnGroup: Hashable, Sendable {
    let user: uid_t

    /// The name of the user.
    let userName: String

    /// The primary group of the user.
    let primary: gid_t

    /// The name of that.
    let groupName: String

    /// The users that the group lists besides those whose primary one it is.
    let members: [String]

    /// Indicates whether the user is alone in the group, as far as can be known without asking for every user: it is called as
    /// the user is, and lists nobody else. Root's group is that of others on some systems.
    var isPrivate: Bool {
        user != 0 && userName == groupName && members.allSatisfy { $0 == userName }
    }

    /// Indicates whether the group of a file is the one that its owner has alone.
    static func has(_ status: FileCalls.Status) -> Bool {
        guard let own = OwnGroup(of: status.owner) else { return false }
        return own.isPrivate && own.primary == status.group
    }

    init(user: uid_t, userName: String, primary: gid_t, groupName: String, members: [String]) {
        (self.user, self.userName, self.primary) = (user, userName, primary)
        (self.groupName, self.members) = (groupName, members)
    }

    /// Looks up the primary group of a user; `nil` if there is no such user or group, or it has too many members for a private
    /// one.
    private init?(of user: uid_t) {
        guard let (userName, primary) = Self.owner(user), let (groupName, members) = Self.group(primary) else {
            return nil
        }
        self.init(user: user, userName: userName, primary: primary, groupName: groupName, members: members)
    }

    /// The number of bytes for the texts of an entry.
    private static let room = 16_384

    /// getpwuid_r(3): the name of a user, and the primary group.
    private static func owner(_ user: uid_t) -> (String, gid_t)? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { texts in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let room = texts.baseAddress, getpwuid_r(user, &entry, room, texts.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return nil }
            return (String(cString: name), entry.pw_gid)
        }
    }

    /// getgrgid_r(3): the name of a group, and the users that it lists.
    private static func group(_ number: gid_t) -> (String, [String])? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { texts in
            var entry = Glibc.group()
            var found: UnsafeMutablePointer<Glibc.group>?
            guard let room = texts.baseAddress, getgrgid_r(number, &entry, room, texts.count, &found) == 0,
                found != nil, let name = entry.gr_name
            else { return nil }
            var members: [String] = []
            var next = entry.gr_mem
            while let place = next, let member = place.pointee {
                members.append(String(cString: member))
                next = place + 1
            }
            return (String(cString: name), members)
        }
    }
}
