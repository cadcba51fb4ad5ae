internal import ArgumentParser
internal import Console
internal import Glibc
internal import SystemPackage

/// A file that a QR code will be written to. It is tried before anything is asked of a gateway: a code that works once
/// would be lost with a picture that cannot be written.
struct PictureFile {
    let path: String

    /// The file; `nil` if it is not there. One that is made before it has a picture would stay where the process is ended
    /// meanwhile.
    private let present: FileDescriptor?

    /// Opens the file, and changes nothing in one that is there. One that is not there is not there afterwards.
    init(path: String) throws(CommandFailure) {
        self.path = path
        do {
            present = try Self.open(path)
            guard present == nil else { return }
            try Self.make(path).close()
            unlink(path)
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Opens a file; returns `nil` if it is not there.
    private static func open(_ path: String) throws -> FileDescriptor? {
        do {
            return try FileDescriptor.open(path, .writeOnly, options: [.closeOnExec])
        } catch Errno.noSuchFileOrDirectory {
            return nil
        }
    }

    /// Makes a file. Nobody else may open it before it is known whether its content is a secret.
    private static func make(_ path: String) throws -> FileDescriptor {
        let options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate, .closeOnExec]
        return try FileDescriptor.open(path, .writeOnly, options: options, permissions: .ownerReadWrite)
    }

    /// Writes the picture in place of what the file had, and closes it. One with a secret is for this user alone, whoever
    /// could read the file before.
    func write(_ text: String, isSecret: Bool) throws(CommandFailure) {
        do {
            let file = try present ?? Self.make(path)
            try file.closeAfter {
                // A pipe or a device has no length, and its permissions are not for us to change.
                if try isRegular(file) {
                    guard ftruncate(file.rawValue, 0) == 0 else { throw Errno(rawValue: errno) }
                    if let mode = permissions(isSecret: isSecret), fchmod(file.rawValue, mode) != 0 {
                        throw Errno(rawValue: errno)
                    }
                }
                _ = try file.writeAll(text.utf8)
            }
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Closes the file without a picture.
    func discard() { try? present?.close() }

    private func isRegular(_ file: FileDescriptor) throws -> Bool {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the permissions that the file gets; `nil` if it keeps those that it has.
    private func permissions(isSecret: Bool) -> mode_t? {
        guard !isSecret else { return 0o600 }
        guard present == nil else { return nil }
        // There is no other way to read the mask; meanwhile nothing gets more rights than it would.
        let mask = umask(0o077)
        umask(mask)
        return 0o644 & ~mask
    }

    private static func failure(_ path: String, _ error: any Error) -> CommandFailure {
        CommandFailure(.outputFailed, "\(path): the QR code cannot be written: \(error).")
    }
}
