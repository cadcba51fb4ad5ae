package import SystemPackage

/// The identity of a file. A path has another identity once its file was moved away or replaced. As long as somebody
/// has the file open, no other file gets the same identity.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Returns the identity of the file at a path; `nil` if there is none. Symbolic links are not followed.
    package static func of(_ path: FilePath) throws(SafeFileError) -> FileIdentity? {
        do throws(Errno) {
            let status = try FileCalls.status(path)
            return FileIdentity(device: status.device, number: status.number)
        } catch .noSuchFileOrDirectory {
            return nil
        } catch .notDirectory {
            return nil
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be looked at")
        }
    }
}
