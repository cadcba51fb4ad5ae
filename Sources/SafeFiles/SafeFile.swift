package import SystemPackage

/// A file whose content survives a crash whole, old or new, and which only its owner can read.
///
/// A write goes to a temporary file beside it, which then takes its place (see ``WriteStep``). What a killed process has
/// left of that, secrets perhaps, is removed by ``sweep()``.
///
/// One process writes to it. Calls block; they may come from any thread, one at a time.
package struct SafeFile: Hashable, Sendable {
    /// The path of the file.
    package let path: FilePath

    /// - Parameter path: The path of the file. Its folder must exist: see ``PrivateFolder``.
    package init(path: FilePath) {
        self.path = path
    }

    /// The folder of the file.
    package var folder: FilePath {
        let folder = path.removingLastComponent()
        return folder.isEmpty ? "." : folder
    }

    /// Reads the file.
    ///
    /// - Parameter limit: The most bytes that it may have.
    /// - Returns: The bytes; `nil` when there is no such file.
    /// - Throws: Also when it is a symbolic link or no regular file, belongs to another user, or others may read it.
    package func read(limit: Int) throws(SafeFileError) -> [UInt8]? {
        let descriptor: FileDescriptor
        do throws(Errno) {
            descriptor = try FileCalls.system {
                // Without waiting: a pipe in its place would hold us up before it can be looked at.
                try .open(path, .readOnly, options: [.noFollow, .closeOnExec, .nonBlocking])
            }
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be opened")
        }
        defer { try? descriptor.close() }
        let status: FileCalls.Status
        do throws(Errno) {
            status = try FileCalls.status(descriptor)
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be looked at")
        }
        try check(status).get()
        return try Self.read(descriptor, path, limit: limit)
    }

    /// Reads a file without secrets, of whatever kind and owner: the end of a pipe, too.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The most bytes that it may have.
    package static func readPlain(_ path: FilePath, limit: Int) throws(SafeFileError) -> [UInt8] {
        let descriptor: FileDescriptor
        do throws(Errno) {
            descriptor = try FileCalls.system { try .open(path, .readOnly, options: .closeOnExec) }
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be opened")
        }
        defer { try? descriptor.close() }
        return try read(descriptor, path, limit: limit)
    }

    /// Reads an open file to its end.
    ///
    /// - Parameters:
    ///   - descriptor: The file, which stays open.
    ///   - path: The path of the file, for errors.
    ///   - limit: The most bytes that it may have.
    package static func read(
        _ descriptor: FileDescriptor,
        _ path: FilePath,
        limit: Int
    ) throws(SafeFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        do throws(Errno) {
            while bytes.count <= limit {
                let count = try FileCalls.system { try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) } }
                if count == 0 { return bytes }
                bytes += buffer[..<count]
            }
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be read")
        }
        throw SafeFileError(.tooLong, path, expected: "a file of at most \(limit) bytes", found: "a longer one")
    }

    /// Writes the file anew, with these bytes.
    ///
    /// - Throws: ``SafeFileError``. After ``SafeFileError/Code/notDurable`` the new content stands in the file; after any
    ///   other the old one does.
    package func write(_ bytes: [UInt8]) throws(SafeFileError) {
        try write(bytes, fault: nil)
    }

    /// Removes what writes of processes that have been killed left beside the file. What this process or another that
    /// runs is writing stays.
    ///
    /// - Throws: When the folder cannot be looked through; or, after all others were removed, when a leftover cannot be.
    package func sweep() throws(SafeFileError) {
        try sweep(isDone: { !$0.isRunning }, remove: FileCalls.remove)
    }

    /// Checks the file that is there, without opening it: whoever closes a file loses all locks of fcntl(2) that the
    /// process has on it, and databases live by these.
    ///
    /// - Returns: Whether there is one.
    package func checkUnopened() throws(SafeFileError) -> Bool {
        let status: FileCalls.Status
        do throws(Errno) {
            status = try FileCalls.status(path)
        } catch .noSuchFileOrDirectory {
            return false
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be looked at")
        }
        try check(status).get()
        return true
    }

    /// Gives the file another name, in the same folder. The disk keeps it with ``PrivateFolder/synchronize()``.
    ///
    /// - Returns: Whether there was one.
    package func rename(to name: String) throws(SafeFileError) -> Bool {
        do throws(Errno) {
            try FileCalls.rename(path, to: folder.appending(name))
            return true
        } catch .noSuchFileOrDirectory {
            return false
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be renamed")
        }
    }

    // MARK: Parts

    /// Writes, and lets one step go wrong: the tests' way to fail and to be killed at every point.
    func write(_ bytes: [UInt8], fault: WriteFault?) throws(SafeFileError) {
        try checkTarget()
        var writing = FileWriting(path: path, folder: folder, bytes: bytes)
        var plan = WritePlan()
        while let step = plan.next {
            do throws(Errno) {
                if let fault, fault.step == step {
                    if step == .write { try writing.write(bytes.prefix(fault.written)) }
                    guard case .error(let errno) = fault.outcome else { return writing.abandon() }
                    throw errno
                }
                try writing.perform(step)
                plan.succeeded()
            } catch {
                plan.failed(error)
            }
        }
        if let failure = plan.failure { throw SafeFileError(failure, path) }
    }

    /// Removes what the processes left that are done.
    ///
    /// - Parameters:
    ///   - isDone: Whether a process no longer writes.
    ///   - remove: Removes a file.
    func sweep(
        isDone: (TemporaryName.Maker) -> Bool,
        remove: (FilePath) throws(Errno) -> Void
    ) throws(SafeFileError) {
        var failure: Errno?
        do throws(Errno) {
            for name in try FileCalls.names(in: folder) {
                guard let maker = TemporaryName.maker(of: name, for: path), isDone(maker) else { continue }
                let leftover = folder.appending(name)
                guard let status = try? FileCalls.status(leftover), status.isRegular, status.isOwn else { continue }
                do throws(Errno) { try remove(leftover) } catch .noSuchFileOrDirectory {} catch {
                    // The others may hold secrets as well.
                    failure = failure ?? error
                }
            }
        } catch {
            failure = error
        }
        if let failure {
            throw SafeFileError(failure, folder, expected: "a folder from which leftovers can be removed")
        }
    }

    /// Sees to it that nothing but an own regular file is replaced.
    private func checkTarget() throws(SafeFileError) {
        guard let status = try? FileCalls.status(path) else { return }
        // Whoever could read the old content cannot read the new one: it is another file.
        if case .failure(let error) = check(status), error.code != .openToOthers { throw error }
    }

    private func check(_ status: FileCalls.Status) -> Result<Void, SafeFileError> {
        let (code, expected, found): (SafeFileError.Code, String, String)
        if status.isSymbolicLink {
            (code, expected, found) = (.symbolicLink, "a file", "a symbolic link. Give the path that it leads to")
        } else if !status.isRegular {
            (code, expected, found) = (.notRegular, "a regular file", "something else, such as a folder")
        } else if !status.isOwn {
            (code, expected) = (.otherOwner, "a file of this user, since it holds secrets")
            found = "one of the user \(status.owner)"
        } else if status.others != 0 {
            (code, expected) = (.openToOthers, "a file that its owner alone may read, since it holds secrets")
            found = "one that others may read. Run: chmod 600 \(path)"
        } else {
            return .success(())
        }
        return .failure(SafeFileError(code, path, expected: expected, found: found))
    }
}
