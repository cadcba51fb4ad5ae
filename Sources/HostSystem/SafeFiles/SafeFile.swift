package import SystemPackage

/// A file that has either its old or its new content, complete, after a crash, and that only its owner can read.
///
/// A write goes to a temporary file beside it, which then takes its place (see ``WriteStep``). ``sweep()`` removes the
/// temporary files of killed processes, which may contain secrets.
///
/// Only one process may write to it. Calls block; they may come from any thread, one at a time.
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
    /// - Parameter limit: The maximum number of bytes that the file may have.
    /// - Returns: The bytes; `nil` when there is no such file.
    /// - Throws: ``SafeFileError``, also when the file is a symbolic link or not regular, belongs to another user, or
    ///   is open to others.
    package func read(limit: Int) throws(SafeFileError) -> [UInt8]? {
        try read([.noFollow, .closeOnExec, .nonBlocking], limit: limit, check)?.bytes
    }

    /// Reads a file that the user named, and that may be another program's: see ``SecretText/read(_:limit:)``.
    package func readGiven(limit: Int) throws(SafeFileError) -> [UInt8]? {
        try read([.closeOnExec, .nonBlocking], limit: limit) { $0.isRootsToRead ? .success(()) : check($0) }?.bytes
    }

    /// Reads a regular file of another program that the user named, whoever may read it.
    ///
    /// - Returns: The bytes, and whether users other than its owner can read it; `nil` when there is no such file.
    package func readForeign(limit: Int) throws(SafeFileError) -> (bytes: [UInt8], isOpenToOthers: Bool)? {
        let read = try read([.closeOnExec, .nonBlocking], limit: limit) { status in
            status.isRegular ? .success(()) : .failure(notRegular)
        }
        return read.map { ($0.bytes, $0.status.others & 0o044 != 0) }
    }

    /// Opens the file, checks it, and reads it to its end.
    ///
    /// - Parameters:
    ///   - options: How it is opened: without waiting, since opening a pipe in its place would block before the check.
    ///   - limit: The maximum number of bytes that the file may have.
    ///   - check: Returns why the file must not be read.
    /// - Returns: `nil` when there is no such file.
    private func read(
        _ options: FileDescriptor.OpenOptions,
        limit: Int,
        _ check: (FileCalls.Status) -> Result<Void, SafeFileError>
    ) throws(SafeFileError) -> (bytes: [UInt8], status: FileCalls.Status)? {
        let descriptor: FileDescriptor
        do throws(Errno) {
            descriptor = try FileCalls.system { try .open(path, .readOnly, options: options) }
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
        return (try Self.read(descriptor, path, limit: limit), status)
    }

    /// Reads a file without checking its kind, owner and permissions; it may be the end of a pipe.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The maximum number of bytes that the file may have.
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
    ///   - limit: The maximum number of bytes that the file may have.
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

    /// Replaces the content of the file with these bytes.
    ///
    /// - Throws: ``SafeFileError``. After ``SafeFileError/Code/notDurable``, the file has the new content; after any
    ///   other error, the old one.
    package func write(_ bytes: [UInt8]) throws(SafeFileError) {
        try write(bytes, fault: nil)
    }

    /// Does the same, and keeps the permissions and the group that the file has.
    package func writeKeepingAccess(_ bytes: [UInt8]) throws(SafeFileError) {
        try checkTarget()
        let access = (try? FileCalls.status(path)).map { FileWriting.Access(mode: $0.mode & 0o777, group: $0.group) }
        let writing = FileWriting(path: path, folder: folder, bytes: bytes, access: access)
        try carryOut(writing, WritePlan(), bytes, fault: nil)
    }

    /// Replaces whatever has the path with a file of these bytes, which are no secret: every user may read it. A crash of the
    /// machine may lose it.
    ///
    /// Nothing that others have put into the folder is opened or waited for.
    package func writeForAll(_ bytes: [UInt8]) throws(SafeFileError) {
        let writing = FileWriting(path: path, folder: folder, bytes: bytes, access: .all)
        try carryOut(writing, WritePlan(isDurable: false), bytes, fault: nil)
    }

    /// Removes the file, if it is there.
    package func remove() throws(SafeFileError) {
        do throws(Errno) {
            try FileCalls.remove(path)
        } catch .noSuchFileOrDirectory {
            return
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be removed")
        }
    }

    /// Removes the temporary files that killed processes left beside the file. Those of this process and of others that
    /// are running stay.
    ///
    /// - Throws: ``SafeFileError`` when the folder cannot be read; or, after all others were removed, when a leftover
    ///   cannot be removed.
    package func sweep() throws(SafeFileError) {
        try sweep(isDone: { !$0.isRunning }, remove: FileCalls.remove)
    }

    /// Checks the file without opening it: closing any descriptor of a file releases all fcntl(2) locks that the
    /// process holds on it, and databases depend on these locks.
    ///
    /// - Returns: `true` when there is such a file.
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

    /// The number of bytes of the file, checked as ``checkUnopened()`` does; `nil` when there is no such file.
    package func sizeUnopened() throws(SafeFileError) -> Int? {
        guard try checkUnopened() else { return nil }
        do throws(Errno) {
            return try FileCalls.status(path).size
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be looked at")
        }
    }

    /// Renames the file within its folder. ``PrivateFolder/synchronize()`` makes that durable.
    ///
    /// - Returns: `true` when there was such a file.
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

    /// Writes the file, and injects a fault into one step: tests use it to fail or to be killed at every step.
    func write(_ bytes: [UInt8], fault: WriteFault?) throws(SafeFileError) {
        try checkTarget()
        try carryOut(FileWriting(path: path, folder: folder, bytes: bytes), WritePlan(), bytes, fault: fault)
    }

    private func carryOut(
        _ writing: FileWriting,
        _ plan: WritePlan,
        _ bytes: [UInt8],
        fault: WriteFault?
    ) throws(SafeFileError) {
        var (writing, plan) = (writing, plan)
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

    /// Removes the temporary files of processes that are done.
    ///
    /// - Parameters:
    ///   - isDone: Returns whether a process no longer writes.
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
                    // The loop goes on, since the other leftovers may contain secrets as well.
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

    /// Checks that the write replaces nothing but a regular file of this user.
    private func checkTarget() throws(SafeFileError) {
        guard let status = try? FileCalls.status(path) else { return }
        // A file that is open to others may be replaced: they cannot read the new content, which is in a new file.
        if case .failure(let error) = check(status), error.code != .openToOthers { throw error }
    }

    private var notRegular: SafeFileError {
        SafeFileError(.notRegular, path, expected: "a regular file", found: "something else, such as a folder")
    }

    private func check(_ status: FileCalls.Status) -> Result<Void, SafeFileError> {
        let (code, expected, found): (SafeFileError.Code, String, String)
        if status.isSymbolicLink {
            (code, expected, found) = (.symbolicLink, "a file", "a symbolic link. Give the path that it leads to")
        } else if !status.isRegular {
            return .failure(notRegular)
        } else if !status.isOwn {
            (code, expected) = (.otherOwner, "a file of this user, since it holds secrets")
            found = "one of the user \(status.owner)"
        } else if status.others != 0 {
            (code, expected) = (.openToOthers, "a file that its owner alone may read, since it holds secrets")
            found = "one that others may read\(PathAdvice.run("chmod 600", path))"
        } else {
            return .success(())
        }
        return .failure(SafeFileError(code, path, expected: expected, found: found))
    }
}
