internal import Synchronization
package import SystemPackage

/// An advisory lock on a file, over processes and within one: whoever opens the file anew is another.
///
/// It ends with ``release()``, with the last reference to it, or with the process, however that ends. The file stays, since
/// one that is removed could be locked by two. The holder's note stands in it.
package final class FileLock: Sendable {
    /// The outcome of an attempt.
    package enum Attempt: Sendable {
        case acquired(FileLock)
        /// Somebody else has it, and wrote this.
        case held(note: String)
    }

    /// The number of this process, for notes.
    package static var process: Int32 { FileCalls.process }

    /// The most bytes of a note.
    package static let noteLimit = 256

    private let descriptor: Mutex<FileDescriptor?>

    private init(_ descriptor: FileDescriptor) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Takes the lock, if nobody has it.
    ///
    /// - Parameters:
    ///   - path: The file, which is made with the mode 0600 if there is none.
    ///   - note: A text for those who come second; at most ``noteLimit`` bytes of it are written.
    package static func attempt(_ path: FilePath, note: String) throws(SafeFileError) -> Attempt {
        do throws(Errno) {
            let descriptor = try FileCalls.system {
                try FileDescriptor.open(
                    path,
                    .readWrite,
                    options: [.create, .noFollow, .closeOnExec, .nonBlocking],
                    permissions: .ownerReadWrite
                )
            }
            do throws(Errno) {
                guard try FileCalls.lock(descriptor) else {
                    let note = try read(descriptor)
                    try? descriptor.close()
                    return .held(note: note)
                }
                // The lock is what counts; on a full disk there is no note.
                try? FileCalls.system {
                    try descriptor.resize(to: 0)
                    try descriptor.writeAll(toAbsoluteOffset: 0, note.utf8.prefix(noteLimit))
                }
                return .acquired(FileLock(descriptor))
            } catch {
                try? descriptor.close()
                throw error
            }
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be locked")
        }
    }

    /// Takes the lock, and waits for it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - seconds: The most seconds to wait, during which the thread is blocked.
    /// - Returns: `nil` when somebody else has had it all the time.
    package static func wait(_ path: FilePath, seconds: Double) throws(SafeFileError) -> FileLock? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            if case .acquired(let lock) = try attempt(path, note: "") { return lock }
            guard ContinuousClock.now < deadline else { return nil }
            FileCalls.pause(milliseconds: 5)
        }
    }

    /// Gives the lock up, if it is still had.
    package func release() {
        descriptor.withLock { descriptor in
            guard let held = descriptor.take() else { return }
            // Whoever comes next must not be told of us.
            try? FileCalls.system { try held.resize(to: 0) }
            try? held.close()
        }
    }

    private static func read(_ descriptor: FileDescriptor) throws(Errno) -> String {
        var buffer = [UInt8](repeating: 0, count: noteLimit)
        let count = try FileCalls.system {
            try buffer.withUnsafeMutableBytes { try descriptor.read(fromAbsoluteOffset: 0, into: $0) }
        }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
