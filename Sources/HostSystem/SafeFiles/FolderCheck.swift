internal import Glibc
internal import SystemPackage

/// A check that a path is a folder of this user, and open to nobody whom it is not meant for.
struct FolderCheck {
    /// The reason why it has to belong to this user, as the end of a sentence; empty if there is none to give.
    let purpose: String

    /// The permissions that it must not give.
    let closed: mode_t

    /// The sentence's parts when it gives one of these.
    let expected: String
    let found: String

    /// Checks a path. A symbolic link is not followed.
    func check(_ path: FilePath) throws(SafeFileError) {
        let status: FileCalls.Status
        do throws(Errno) {
            status = try FileCalls.status(path)
        } catch {
            throw SafeFileError(error, path, expected: "a folder that can be looked at")
        }
        try check(status, path)
    }

    /// Checks what was found at a path.
    func check(_ status: FileCalls.Status, _ path: FilePath) throws(SafeFileError) {
        let (code, expected, found): (SafeFileError.Code, String, String)
        if status.isSymbolicLink {
            (code, expected, found) = (.symbolicLink, "a folder", "a symbolic link. Give the path that it leads to")
        } else if !status.isFolder {
            (code, expected, found) = (.notFolder, "a folder", "something else")
        } else if !status.isOwn {
            (code, expected) = (.otherOwner, "a folder of this user\(purpose)")
            found = "one of the user \(status.owner)"
        } else if status.mode & closed != 0 {
            (code, expected, found) = (.openToOthers, self.expected, self.found)
        } else {
            return
        }
        throw SafeFileError(code, path, expected: expected, found: found)
    }
}
