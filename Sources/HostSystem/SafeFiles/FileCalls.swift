internal import Glibc
internal import SystemPackage

/// The system calls that swift-system lacks, expressed in its types.
enum FileCalls {
    /// The type, owner and permissions of a file, and the numbers that identify it: those of its file system and its
    /// inode.
    struct Status {
        let mode: mode_t
        let owner: uid_t
        /// The group; 0 where it does not matter.
        let group: gid_t
        let device: UInt64
        let number: UInt64
        /// The number of its bytes.
        let size: Int

        init(mode: mode_t, owner: uid_t, group: gid_t = 0, device: UInt64, number: UInt64, size: Int) {
            self.mode = mode
            self.owner = owner
            self.group = group
            self.device = device
            self.number = number
            self.size = size
        }

        fileprivate init(_ status: stat) {
            self.init(
                mode: status.st_mode,
                owner: status.st_uid,
                group: status.st_gid,
                device: UInt64(status.st_dev),
                number: UInt64(status.st_ino),
                size: Int(status.st_size)
            )
        }

        var isRegular: Bool { mode & S_IFMT == S_IFREG }
        var isFolder: Bool { mode & S_IFMT == S_IFDIR }
        var isSymbolicLink: Bool { mode & S_IFMT == S_IFLNK }
        var isSocket: Bool { mode & S_IFMT == S_IFSOCK }

        /// The permissions of users other than the owner.
        var others: mode_t { mode & 0o077 }

        /// Indicates whether the file is one of root's to which nobody else can write.
        var isRootsToRead: Bool { isRegular && owner == 0 && mode & 0o022 == 0 }

        /// Indicates whether the file belongs to the effective user of this process.
        var isOwn: Bool { owner == geteuid() }
    }

    /// fstat(2).
    static func status(_ descriptor: FileDescriptor) throws(Errno) -> Status {
        var status = stat()
        try check(fstat(descriptor.rawValue, &status))
        return Status(status)
    }

    /// lstat(2): the status of the path itself, even if it is a symbolic link.
    static func status(_ path: FilePath) throws(Errno) -> Status {
        var status = stat()
        try check(path.withPlatformString { lstat($0, &status) })
        return Status(status)
    }

    /// Indicates whether an open file or folder is the one at a path.
    static func isAt(_ path: FilePath, _ descriptor: FileDescriptor) throws(Errno) -> Bool {
        let own = try status(descriptor)
        do throws(Errno) {
            let found = try status(path)
            return (found.device, found.number) == (own.device, own.number)
        } catch .noSuchFileOrDirectory {
            return false
        }
    }

    /// fstatat(2): the status of a name in an open folder itself, even if it is a symbolic link.
    static func status(_ name: String, in folder: FileDescriptor) throws(Errno) -> Status {
        var status = stat()
        try check(fstatat(folder.rawValue, name, &status, AT_SYMLINK_NOFOLLOW))
        return Status(status)
    }

    /// realpath(3).
    static func resolved(_ path: FilePath) throws(Errno) -> FilePath {
        guard let found = path.withPlatformString({ realpath($0, nil) }) else { throw Errno(rawValue: errno) }
        defer { free(found) }
        return FilePath(platformString: found)
    }

    /// readlink(2).
    static func target(of path: FilePath) throws(Errno) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = path.withPlatformString { readlink($0, &buffer, buffer.count) }
        guard count >= 0 else { throw Errno(rawValue: errno) }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Indicates whether a path is in a file system that nobody can write to, whatever its permissions: containers have their
    /// configuration in such ones.
    static func isReadOnly(_ path: FilePath) -> Bool {
        var status = statvfs()
        return path.withPlatformString { statvfs($0, &status) } == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }

    /// fchmod(2).
    static func setMode(_ descriptor: FileDescriptor, _ mode: mode_t) throws(Errno) {
        try check(fchmod(descriptor.rawValue, mode))
    }

    /// fchown(2) of the group.
    static func setGroup(_ descriptor: FileDescriptor, _ group: gid_t) throws(Errno) {
        try check(fchown(descriptor.rawValue, uid_t.max, group))
    }

    /// fsync(2).
    static func synchronize(_ descriptor: FileDescriptor) throws(Errno) {
        try check(fsync(descriptor.rawValue))
    }

    /// fsync(2) of a folder: makes the names in it durable.
    static func synchronize(folder: FilePath) throws(Errno) {
        let descriptor = try system { try FileDescriptor.open(folder, .readOnly, options: [.directory, .closeOnExec]) }
        defer { try? descriptor.close() }
        try synchronize(descriptor)
    }

    /// rename(2).
    static func rename(_ old: FilePath, to new: FilePath) throws(Errno) {
        try check(old.withPlatformString { old in new.withPlatformString { Glibc.rename(old, $0) } })
    }

    /// unlink(2).
    static func remove(_ path: FilePath) throws(Errno) {
        try check(path.withPlatformString { unlink($0) })
    }

    /// mkdir(2), for the owner alone.
    static func makeFolder(_ path: FilePath) throws(Errno) {
        try check(path.withPlatformString { mkdir($0, 0o700) })
    }

    /// The names in a folder.
    static func names(in folder: FilePath) throws(Errno) -> [String] {
        guard let stream = folder.withPlatformString({ opendir($0) }) else { throw Errno(rawValue: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    // `d_name` is an array that is at least as long as the C string in it.
                    name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                        String(cString: $0)
                    }
                }
            )
        }
        return names
    }

    /// flock(2), exclusive and without waiting. The lock belongs to the open file, so it ends when the last descriptor
    /// of that is closed.
    ///
    /// - Returns: `true` when the lock was taken; `false` when somebody else holds it.
    static func lock(_ descriptor: FileDescriptor) throws(Errno) -> Bool {
        try lock(descriptor, LOCK_EX)
    }

    /// The same, but shared: it competes with exclusive locks alone.
    static func lockShared(_ descriptor: FileDescriptor) throws(Errno) -> Bool {
        try lock(descriptor, LOCK_SH)
    }

    private static func lock(_ descriptor: FileDescriptor, _ kind: CInt) throws(Errno) -> Bool {
        guard flock(descriptor.rawValue, kind | LOCK_NB) != 0 else { return true }
        let error = Errno(rawValue: errno)
        guard error == .wouldBlock else { throw error }
        return false
    }

    /// usleep(3): flock(2) cannot wait with a time limit, and the caller has chosen to block its thread.
    static func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }

    /// Indicates whether there is a process with that number.
    static func isRunning(_ process: pid_t) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

    /// The number of this process.
    static var process: pid_t { getpid() }

    /// Runs calls of swift-system, all of which throw `Errno`.
    static func system<Result>(_ call: () throws -> Result) throws(Errno) -> Result {
        do {
            return try call()
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    private static func check(_ result: CInt) throws(Errno) {
        guard result == 0 else { throw Errno(rawValue: errno) }
    }
}
