internal import Glibc
internal import SystemPackage

/// A fault that a test injects into a write.
struct WriteFault: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        /// The system call of the step fails.
        case error(Errno)
        /// The process is killed before the step: nothing more happens, and nothing is cleaned up.
        case killed
    }

    let step: WriteStep
    let outcome: Outcome

    /// The number of bytes that are written before the fault, if the step is ``WriteStep/write``.
    var written = 0
}

/// A write that is under way: carries out the steps of a ``WritePlan``.
struct FileWriting {
    private let path: FilePath
    private let folder: FilePath
    private let temporary: FilePath
    private let bytes: [UInt8]

    /// The permissions of the file, and the group to which they apply, where it is not for its owner alone.
    private let access: Access?

    /// The temporary file, while it is open.
    private var descriptor: FileDescriptor?

    /// Permissions of a file.
    struct Access: Hashable, Sendable {
        /// The permissions, which hold whatever the umask of the process is.
        let mode: mode_t

        /// The group; `nil` for that of the process. Where it cannot be given to the file, no group has rights.
        var group: gid_t?

        static let all = Access(mode: 0o644)
    }

    init(path: FilePath, folder: FilePath, bytes: [UInt8], access: Access? = nil) {
        self.path = path
        self.folder = folder
        self.temporary = folder.appending(TemporaryName.make(for: path))
        self.bytes = bytes
        self.access = access
    }

    mutating func perform(_ step: WriteStep) throws(Errno) {
        switch step {
        case .create:
            let temporary = temporary
            descriptor = try FileCalls.system {
                try .open(
                    temporary,
                    .writeOnly,
                    options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                    permissions: .ownerReadWrite
                )
            }
            guard let access, let descriptor else { return }
            var mode = access.mode
            if let group = access.group, try FileCalls.status(descriptor).group != group {
                do throws(Errno) { try FileCalls.setGroup(descriptor, group) } catch { mode &= ~0o070 }
            }
            try FileCalls.setMode(descriptor, mode)
        case .write:
            try write(bytes[...])
        case .synchronize:
            if let descriptor { try FileCalls.synchronize(descriptor) }
        case .close:
            guard let descriptor else { return }
            // The descriptor is closed even if this fails.
            self.descriptor = nil
            try FileCalls.system { try descriptor.close() }
        case .rename:
            try FileCalls.rename(temporary, to: path)
        case .synchronizeFolder:
            try FileCalls.synchronize(folder: folder)
        case .remove:
            try FileCalls.remove(temporary)
        }
    }

    /// Writes all of the given bytes to the temporary file.
    func write(_ bytes: ArraySlice<UInt8>) throws(Errno) {
        guard let descriptor else { return }
        _ = try FileCalls.system { try descriptor.writeAll(bytes) }
    }

    /// Ends the write as the death of the process would: closes the temporary file, and leaves it there.
    mutating func abandon() {
        try? descriptor?.close()
        descriptor = nil
    }
}

extension SafeFileError {
    /// Creates the error for the step of a write that failed.
    init(_ failure: WritePlan.Failure, _ path: FilePath) {
        switch failure.step {
        case .synchronizeFolder:
            self.init(failure.errno, path, expected: "a folder that keeps its new content", code: .notDurable)
        case .create:
            self.init(failure.errno, path, expected: "a folder in which a file can be made")
        case .rename:
            self.init(failure.errno, path, expected: "a file that can be replaced")
        case .write, .synchronize, .close, .remove:
            self.init(failure.errno, path, expected: "a disk that takes the new content")
        }
    }
}
