package import SystemPackage

/// A Unix socket of this user, in a folder into which nobody else can put one.
package struct OwnSocket: Hashable, Sendable {
    /// The path of the socket.
    package let path: FilePath

    package init(path: FilePath) {
        self.path = path
    }

    /// Opens the folder, and checks both it and the socket, before anybody connects: a socket of somebody else's could keep
    /// whoever connects waiting, and a link could lead a request to another program.
    ///
    /// - Returns: The folder, which the caller closes; `nil` where there is no such socket. By ``place(in:)``, the caller
    ///   reaches what was checked, even if somebody replaces a folder above meanwhile.
    package func openFolder() throws(SafeFileError) -> FileDescriptor? {
        let path = SafeFile(path: path).folder
        let check = FolderCheck(
            purpose: ", since its socket must be",
            closed: 0o022,
            expected: "a folder to which its owner alone may write",
            found: "one to which others may\(PathAdvice.run("chmod go-w", path))"
        )
        // By its path first: a folder of somebody else's may be one that this user cannot open.
        guard let found = try Self.found({ () throws(Errno) in try FileCalls.status(path) }, path) else { return nil }
        try check.check(found, path)
        let opened = try Self.found(
            { () throws(Errno) in
                try FileCalls.system {
                    try FileDescriptor.open(path, .readOnly, options: [.directory, .noFollow, .closeOnExec])
                }
            },
            path
        )
        guard let folder = opened else { return nil }
        do throws(SafeFileError) {
            if let status = try Self.found({ () throws(Errno) in try FileCalls.status(folder) }, path) {
                try check.check(status, path)
                if try hasSocket(folder) { return folder }
            }
        } catch {
            try? folder.close()
            throw error
        }
        try? folder.close()
        return nil
    }

    /// Returns the path of the socket that leads through an open folder, whatever becomes of the folder's own path. It is
    /// short, too: the path of a socket has 107 bytes at most.
    package func place(in folder: FileDescriptor) -> String {
        let descriptors: FilePath = "/proc/self/fd"
        let isThere = (try? FileCalls.status(descriptors)) != nil
        // Where /proc is missing, only this user and whoever may replace the folders above can come between.
        return isThere ? descriptors.appending("\(folder.rawValue)").appending(name).string : path.string
    }

    private var name: String { path.lastComponent?.string ?? "" }

    /// Indicates whether the socket is there.
    private func hasSocket(_ folder: FileDescriptor) throws(SafeFileError) -> Bool {
        let status = try Self.found({ () throws(Errno) in try FileCalls.status(name, in: folder) }, path)
        guard let status else { return false }
        guard status.isSocket else {
            let found = status.isSymbolicLink ? "a symbolic link" : "something else"
            throw SafeFileError(.notSocket, path, expected: "a socket", found: found)
        }
        guard status.isOwn else {
            throw SafeFileError(
                .otherOwner,
                path,
                expected: "a socket of this user",
                found: "one of the user \(status.owner)"
            )
        }
        return true
    }

    /// Returns what a system call gives; `nil` if there is no such file.
    private static func found<Value>(
        _ call: () throws(Errno) -> Value,
        _ path: FilePath
    ) throws(SafeFileError) -> Value? {
        do throws(Errno) {
            return try call()
        } catch .noSuchFileOrDirectory {
            return nil
        } catch .notDirectory {
            return nil
        } catch {
            throw SafeFileError(error, path, expected: "a folder that can be looked at")
        }
    }
}
