package import SystemPackage

/// A folder for files with secrets, which nobody but its owner can look into.
package struct PrivateFolder: Hashable, Sendable {
    /// The path of the folder.
    package let path: FilePath

    package init(path: FilePath) {
        self.path = path
    }

    /// Makes the folder with the mode 0700, if there is none, and has the disk keep it. The folder that it is in must exist.
    ///
    /// - Throws: Also when a symbolic link or something else is there, it belongs to another user, or others may look into
    ///   it. After ``SafeFileError/Code/notDurable`` the folder is there, and may not outlive a power failure.
    package func prepare() throws(SafeFileError) {
        try prepare(synchronize: FileCalls.synchronize(folder:))
    }

    /// Makes the folder; the tests' way to let the disk fail.
    func prepare(synchronize: (FilePath) throws(Errno) -> Void) throws(SafeFileError) {
        try Self.make(path)
        // The mask of the process may have taken bits away, and somebody may have been quicker.
        try check()
        try Self.keep(path, synchronize)
    }

    /// Makes the folder as ``prepare()`` does, and with it the folders above it that are missing.
    ///
    /// Those that are there may be of any owner and mode: `/var/lib` and a home folder are open to others.
    package func prepareWithParents() throws(SafeFileError) {
        try prepareWithParents(synchronize: FileCalls.synchronize(folder:))
    }

    /// Makes the folder and those above it; the tests' way to see what the disk is to keep.
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
            // From before, or somebody was quicker.
        } catch {
            throw SafeFileError(error, path, expected: "a place where a folder can be made")
        }
    }

    /// Has the disk keep the name of a folder, also of one that was there: whoever made it may have been killed before that.
    private static func keep(
        _ path: FilePath,
        _ synchronize: (FilePath) throws(Errno) -> Void
    ) throws(SafeFileError) {
        let parent = path.removingLastComponent()
        do throws(Errno) {
            try synchronize(parent.isEmpty ? "." : parent)
        } catch .permissionDenied {
            // A folder that others keep, in which one may make folders and not look around.
        } catch .invalidArgument {
            // A file system that keeps no folders by themselves.
        } catch .readOnlyFileSystem {
            // What is there was kept before the file system became so.
        } catch {
            throw SafeFileError(error, path, expected: "a folder that the disk keeps", code: .notDurable)
        }
    }

    /// Has the disk keep what was made, renamed and removed in the folder.
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

    /// Checks the folder that is there.
    package func check() throws(SafeFileError) {
        let status: FileCalls.Status
        do throws(Errno) {
            status = try FileCalls.status(path)
        } catch {
            throw SafeFileError(error, path, expected: "a folder that can be looked at")
        }
        let (code, expected, found): (SafeFileError.Code, String, String)
        if status.isSymbolicLink {
            (code, expected, found) = (.symbolicLink, "a folder", "a symbolic link. Give the path that it leads to")
        } else if !status.isFolder {
            (code, expected, found) = (.notFolder, "a folder", "something else")
        } else if !status.isOwn {
            (code, expected) = (.otherOwner, "a folder of this user, since it is for secrets")
            found = "one of the user \(status.owner)"
        } else if status.others != 0 {
            (code, expected) = (.openToOthers, "a folder that its owner alone may look into, since it is for secrets")
            found = "one that is open to others. Run: chmod 700 \(path)"
        } else {
            return
        }
        throw SafeFileError(code, path, expected: expected, found: found)
    }
}
