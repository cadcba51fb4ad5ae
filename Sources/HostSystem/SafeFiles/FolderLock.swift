package import SystemPackage

/// An advisory lock on a folder, between processes and within one, which ends with the last reference to it or with the
/// process. Unlike the file of a ``FileLock``, a folder cannot be removed while there is anything in it.
package final class FolderLock: Sendable {
    private let path: FilePath
    private let descriptor: FileDescriptor

    private init(_ path: FilePath, _ descriptor: FileDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        try? descriptor.close()
    }

    /// Takes the lock on a folder that is there; `nil` if somebody else holds it.
    package static func attempt(_ path: FilePath) throws(SafeFileError) -> FolderLock? {
        do throws(Errno) {
            let descriptor = try FileCalls.system {
                try FileDescriptor.open(path, .readOnly, options: [.directory, .noFollow, .closeOnExec])
            }
            do throws(Errno) {
                if try FileCalls.lock(descriptor) { return FolderLock(path, descriptor) }
            } catch {
                try? descriptor.close()
                throw error
            }
            try? descriptor.close()
            return nil
        } catch {
            throw SafeFileError(error, path, expected: "a folder that can be locked")
        }
    }

    /// Indicates whether the folder that is locked is still the one at its path.
    package var isInPlace: Bool { (try? FileCalls.isAt(path, descriptor)) == true }
}
