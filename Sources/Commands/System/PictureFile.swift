internal import ArgumentParser
internal import Console
internal import Glibc
internal import SystemPackage

/// A file that a QR code will be written to. It is opened before anything is asked of a gateway: a code that works once
/// would be lost with a picture that cannot be written.
struct PictureFile {
    let path: String
    private let file: FileDescriptor

    /// Indicates whether the file was not there before.
    private let isNew: Bool

    /// Opens the file, and changes nothing in one that is there.
    init(path: String) throws(CommandFailure) {
        self.path = path
        do throws(Errno) {
            (file, isNew) = try Self.open(path)
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func open(_ path: String) throws(Errno) -> (FileDescriptor, isNew: Bool) {
        do {
            return (try FileDescriptor.open(path, .writeOnly, options: [.closeOnExec]), false)
        } catch Errno.noSuchFileOrDirectory {
            // Nobody else may open it before it is known whether its content is a secret.
            let options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate, .closeOnExec]
            do {
                return (try FileDescriptor.open(path, .writeOnly, options: options, permissions: .ownerReadWrite), true)
            } catch {
                throw error as? Errno ?? .ioError
            }
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Writes the picture in place of what the file had, and closes it. One with a secret is for this user alone, whoever
    /// could read the file before.
    func write(_ text: String, isSecret: Bool) throws(CommandFailure) {
        do {
            try file.closeAfter {
                // A pipe or a device has no length, and its permissions are not for us to change.
                if try isRegular() {
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

    /// Closes the file without a picture. One that was not there before is removed.
    func discard() {
        try? file.close()
        if isNew { unlink(path) }
    }

    private func isRegular() throws -> Bool {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the permissions that the file gets; `nil` if it keeps those that it has.
    private func permissions(isSecret: Bool) -> mode_t? {
        guard !isSecret else { return 0o600 }
        guard isNew else { return nil }
        // There is no other way to read the mask; meanwhile nothing gets more rights than it would.
        let mask = umask(0o077)
        umask(mask)
        return 0o644 & ~mask
    }

    private static func failure(_ path: String, _ error: any Error) -> CommandFailure {
        CommandFailure(.outputFailed, "\(path): the QR code cannot be written: \(error).")
    }
}
