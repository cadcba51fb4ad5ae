internal import Glibc
package import SystemPackage

/// A check that nobody but this user and root can have written a file that says what is run, or can put another one in its
/// place.
package struct AuthorsCheck {
    private let trusted: Set<uid_t>

    private init() {
        // Whoever owns the root folder can do all of that anyway: root or, in a user namespace, the number that root has there.
        trusted = Set([geteuid(), 0, (try? FileCalls.status("/"))?.owner ?? 0])
    }

    /// Checks an open file, and the folders above it.
    ///
    /// - Parameters:
    ///   - file: The file. One that is not regular, such as a pipe, is in no folder.
    ///   - path: The path by which it was opened. Links are followed: to the folders above the file itself, and above the link.
    package static func check(_ file: FileDescriptor, _ path: FilePath) throws(SafeFileError) {
        let check = AuthorsCheck()
        let status: FileCalls.Status
        var folders: [FilePath] = []
        do throws(Errno) {
            status = try FileCalls.status(file)
            if status.isRegular {
                let target = try FileCalls.resolved(path).removingLastComponent()
                let places = Set([target, try FileCalls.resolved(SafeFile(path: path).folder)])
                folders = places.sorted { $0.string < $1.string }
            }
        } catch {
            throw SafeFileError(error, path, expected: "a file that can be looked at")
        }
        // Reading a folder fails later, with an error that says so.
        guard !status.isFolder else { return }
        for folder in folders { try check.checkAll(downTo: folder) }
        try check.check(status, path, "file")
    }

    /// Checks all folders from the root folder down to one.
    private func checkAll(downTo path: FilePath) throws(SafeFileError) {
        let parent = path.removingLastComponent()
        if parent != path { try checkAll(downTo: parent) }
        let status: FileCalls.Status
        do throws(Errno) {
            status = try FileCalls.status(path)
        } catch {
            throw SafeFileError(error, path, expected: "a folder that can be looked at")
        }
        // In one that is sticky, such as /tmp, others can replace nothing of this user's.
        if status.mode & 0o1000 == 0 || !trusted.contains(status.owner) { try check(status, path, "folder") }
    }

    private func check(_ status: FileCalls.Status, _ path: FilePath, _ kind: String) throws(SafeFileError) {
        let expected = "a \(kind) of this user or root, to which nobody else may write, since it says what is run"
        // In a container, a file of the host has another owner there, who cannot be made to be this user.
        guard trusted.contains(status.owner) || FileCalls.isReadOnly(path) else {
            throw SafeFileError(.otherOwner, path, expected: expected, found: "one of the user \(status.owner)")
        }
        let isOpen = status.mode & 0o002 != 0 || status.mode & 0o020 != 0 && !OwnGroup.has(status)
        guard !isOpen || FileCalls.isReadOnly(path) else {
            let found = "one to which others may write\(PathAdvice.run("chmod go-w", path))"
            throw SafeFileError(.openToOthers, path, expected: expected, found: found)
        }
    }
}
