internal import Synchronization
package import SystemPackage

/// An advisory lock on a file, between processes and within one: each attempt opens the file anew, and so competes with
/// all others.
///
/// It ends with ``release()``, with the last reference to it, or with the process, however that ends. The file contains
/// the holder's note, and is removed by its holder: so whoever has locked a file checks that it is still the one at the
/// path, since otherwise two could hold the lock, one on the removed file and one on a new file of the same name.
package final class FileLock: Sendable {
    /// The outcome of an attempt.
    package enum Attempt: Sendable {
        case acquired(FileLock)
        /// Somebody else holds the lock, and has left this note.
        case held(note: String)
    }

    /// The number of this process, for notes.
    package static var process: Int32 { FileCalls.process }

    /// The maximum number of bytes of a note.
    package static let noteLimit = 1_024

    private let path: FilePath
    private let descriptor: Mutex<FileDescriptor?>

    private init(_ path: FilePath, _ descriptor: FileDescriptor) {
        self.path = path
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Takes the lock, if nobody holds it.
    ///
    /// - Parameters:
    ///   - path: The file, which is created with the mode 0600 if there is none.
    ///   - note: A text for others who find the lock taken; at most ``noteLimit`` bytes of it are written.
    package static func attempt(_ path: FilePath, note: String) throws(SafeFileError) -> Attempt {
        do throws(Errno) {
            // Each further round means that another holder has come and gone in between.
            for _ in 0..<64 {
                if let attempt = try attemptOnce(path, note: note) { return attempt }
            }
            return .held(note: "")
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be locked")
        }
    }

    /// Takes the lock, if nobody holds it; returns `nil` if its file was removed meanwhile.
    private static func attemptOnce(_ path: FilePath, note: String) throws(Errno) -> Attempt? {
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
            guard try FileCalls.isAt(path, descriptor) else {
                try? descriptor.close()
                return nil
            }
            // Only the lock matters. On a full disk, there is just no note.
            try? FileCalls.system {
                try descriptor.resize(to: 0)
                try descriptor.writeAll(toAbsoluteOffset: 0, note.utf8.prefix(noteLimit))
            }
            return .acquired(FileLock(path, descriptor))
        } catch {
            try? descriptor.close()
            throw error
        }
    }

    /// Takes the lock, and waits for it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - seconds: The maximum number of seconds to wait, during which the thread is blocked.
    /// - Returns: The lock; `nil` when it was not free within that time.
    package static func wait(_ path: FilePath, seconds: Double) throws(SafeFileError) -> FileLock? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            if case .acquired(let lock) = try attempt(path, note: "") { return lock }
            guard ContinuousClock.now < deadline else { return nil }
            FileCalls.pause(milliseconds: 5)
        }
    }

    /// Replaces the note of the holder, while it holds the lock. Readers may see a mixture of both notes for a moment.
    package func note(_ text: String) throws(SafeFileError) {
        do throws(Errno) {
            try descriptor.withLock { descriptor throws(Errno) in
                guard let held = descriptor else { return }
                let bytes = text.utf8.prefix(Self.noteLimit)
                try FileCalls.system {
                    try held.writeAll(toAbsoluteOffset: 0, bytes)
                    try held.resize(to: Int64(bytes.count))
                }
            }
        } catch {
            throw SafeFileError(error, path, expected: "a lock's file that can be written")
        }
    }

    /// Returns the note of whoever holds the lock; `nil` if nobody does, or if it cannot be read. It creates no file.
    package static func holdersNote(_ path: FilePath) -> String? {
        do {
            let descriptor = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.noFollow, .closeOnExec, .nonBlocking]
            )
            defer { try? descriptor.close() }
            // The lock ends with the descriptor. Nobody else tries it meanwhile unless the holder has just ended.
            guard try !FileCalls.lockShared(descriptor) else { return nil }
            return try read(descriptor)
        } catch {
            return nil
        }
    }

    /// Indicates whether it is held, and its file is still the one at its path.
    package var isInPlace: Bool {
        descriptor.withLock { descriptor in
            guard let descriptor else { return false }
            return (try? FileCalls.isAt(path, descriptor)) == true
        }
    }

    /// Gives the lock up, if it is still held, and removes its file.
    package func release() {
        descriptor.withLock { descriptor in
            guard let held = descriptor.take() else { return }
            // While it is held, nobody else removes or replaces the file. Where it cannot be removed, nobody may read our
            // note until the next holder writes its own.
            try? FileCalls.system { try held.resize(to: 0) }
            if (try? FileCalls.isAt(path, held)) == true { try? FileCalls.remove(path) }
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
