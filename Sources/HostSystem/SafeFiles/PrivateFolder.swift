package import SystemPackage

/// A folder for files with secrets, which nobody but its owner can look into.
package struct PrivateFolder: Hashable, Sendable {
    /// The path of the folder.
    package let path: FilePath

    package init(path: FilePath) {
        self.path = path
    }

    /// Creates the folder with the mode 0700, if there is none, and makes it durable. Its parent folder must exist.
    ///
    /// - Throws: ``SafeFileError``, also when the path is a symbolic link or something else, when the folder belongs to
    ///   another user, or when it is open to others. After ``SafeFileError/Code/notDurable``, the folder exists but may
    ///   not survive a power failure.
    package func prepare() throws(SafeFileError) {
        try prepare(synchronize: FileCalls.synchronize(folder:))
    }

    /// Does what ``prepare()`` does, with a `synchronize` that tests can make fail.
    func prepare(synchronize: (FilePath) throws(Errno) -> Void) throws(SafeFileError) {
        try Self.make(path)
        // The umask of the process may have cleared bits, and somebody else may have created the folder first.
        try check()
        try Self.keep(path, synchronize)
    }

    /// Creates the folder as ``prepare()`` does, after the missing folders above it.
    ///
    /// Existing folders above it may have any owner and mode: `/var/lib` and a home folder are open to others.
    package func prepareWithParents() throws(SafeFileError) {
        try prepareWithParents(synchronize: FileCalls.synchronize(folder:))
    }

    /// Does what ``prepareWithParents()`` does, with a `synchronize` that shows tests what is made durable.
    func prepareWithParents(synchronize: (FilePath) throws(Errno) -> Void) throws(SafeFileError) {
        try Self.makeParents(of: path, synchronize)
        try prepare(synchronize: synchronize)
    }

    // MARK: Parts

    private static func makeParents(
        of path: FilePath,
        _ synchronize: (FilePath) throws(Errno) -> Void
    ) throws(SafeFileError) {
        let parent = path.removingLastComponent()
        guard !parent.isEmpty, parent != path, (try? FileCalls.status(parent)) == nil else { return }
        try makeParents(of: parent, synchronize)
        try make(parent)
        try keep(parent, synchronize)
    }

    private static func make(_ path: FilePath) throws(SafeFileError) {
        do throws(Errno) {
            try FileCalls.makeFolder(path)
        } catch .fileExists {
            // The folder existed before, or somebody else has just created it.
        } catch {
            throw SafeFileError(error, path, expected: "a place where a folder can be made")
        }
    }

    /// Makes the name of a folder durable, even if the folder existed before: its creator may have been killed before
    /// doing so.
    private static func keep(
        _ path: FilePath,
        _ synchronize: (FilePath) throws(Errno) -> Void
    ) throws(SafeFileError) {
        let parent = path.removingLastComponent()
        do throws(Errno) {
            try synchronize(parent.isEmpty ? "." : parent)
        } catch .permissionDenied {
            // The parent folder belongs to others: this user may create folders in it, but not read it.
        } catch .invalidArgument {
            // The file system does not support fsync(2) of folders.
        } catch .readOnlyFileSystem {
            // The folder reached the disk before the file system became read-only.
        } catch {
            throw SafeFileError(error, path, expected: "a folder that the disk keeps", code: .notDurable)
        }
    }

    /// Makes durable what was created, renamed and removed in the folder.
    package func synchronize() throws(SafeFileError) {
        do throws(Errno) {
            let path = path
            let descriptor = try FileCalls.system {
                try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
            }
            defer { try? descriptor.close() }
            try FileCalls.synchronize(descriptor)
        } catch {
            throw SafeFileError(error, path, expected: "a folder that keeps its new content", code: .notDurable)
        }
    }

    /// Checks that the path is a folder and not a symbolic link, belongs to this user, and is not open to others.
    package func check() throws(SafeFileError) {
        try FolderCheck(
            purpose: ", since it is for secrets",
            closed: 0o077,
            expected: "a folder that its owner alone may look into, since it is for secrets",
            found: "one that is open to others\(PathAdvice.run("chmod 700", path))"
        ).check(path)
    }
}
