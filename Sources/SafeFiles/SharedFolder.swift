package import SystemPackage

/// A folder of this user that a group may enter, and nobody else may.
package struct SharedFolder: Hashable, Sendable {
    /// The path of the folder.
    package let path: FilePath

    package init(path: FilePath) {
        self.path = path
    }

    /// Checks that the path is a folder and not a symbolic link, belongs to this user, cannot be written to by the group, and
    /// is closed to everybody else.
    package func check() throws(SafeFileError) {
        let status: FileCalls.Status
        do throws(Errno) {
            status = try FileCalls.status(path)
        } catch {
            throw SafeFileError(error, path, expected: "a folder that can be looked at")
        }
        let (code, expected, found): (SafeFileError.Code, String, String)
        if status.isSymbolicLink {
            (code, expected, found) = (.symbolicLink, "a folder", "a symbolic link. Give the path that it leads to")
        } else if !status.isFolder {
            (code, expected, found) = (.notFolder, "a folder", "something else")
        } else if !status.isOwn {
            (code, expected) = (.otherOwner, "a folder of this user")
            found = "one of the user \(status.owner)"
        } else if status.mode & 0o027 != 0 {
            (code, expected) = (.openToOthers, "a folder that its group may enter and not write to, and nobody else")
            found = "one that is open to more. Run: chmod 750 \(path)"
        } else {
            return
        }
        throw SafeFileError(code, path, expected: expected, found: found)
    }
}
