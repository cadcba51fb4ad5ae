package import SystemPackage

/// The identity of a file: of what stands at a path once it was moved or replaced, it is another one. It is this one's alone
/// as long as somebody has the file open.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The identity of what stands at a path; `nil` where nothing does. Symbolic links are not followed.
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
