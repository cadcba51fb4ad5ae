internal import SystemPackage

/// A fault that a test has a write meet.
struct WriteFault: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        /// The system refuses the step.
        case error(Errno)
        /// The process is killed before the step: nothing more happens, and nothing is cleaned up.
        case killed
    }

    let step: WriteStep
    let outcome: Outcome

    /// The number of bytes that are written before it, where the step is to write.
    var written = 0
}

/// A write that is under way: carries out the steps of a ``WritePlan``.
struct FileWriting {
    private let path: FilePath
    private let folder: FilePath
    private let temporary: FilePath
    private let bytes: [UInt8]

    /// The temporary file, while it is open.
    private var descriptor: FileDescriptor?

    init(path: FilePath, folder: FilePath, bytes: [UInt8]) {
        self.path = path
        self.folder = folder
        self.temporary = folder.appending(TemporaryName.make(for: path))
        self.bytes = bytes
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
        case .write:
            try write(bytes[...])
        case .synchronize:
            if let descriptor { try FileCalls.synchronize(descriptor) }
        case .close:
            guard let descriptor else { return }
            // It is closed also where that fails.
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

    /// Writes all of some bytes.
    func write(_ bytes: ArraySlice<UInt8>) throws(Errno) {
        guard let descriptor else { return }
        _ = try FileCalls.system { try descriptor.writeAll(bytes) }
    }

    /// Ends it as the end of the process would.
    mutating func abandon() {
        try? descriptor?.close()
        descriptor = nil
    }
}

extension SafeFileError {
    /// Makes the error of a step of a write.
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
