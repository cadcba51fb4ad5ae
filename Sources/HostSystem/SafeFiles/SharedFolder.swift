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
        try FolderCheck(
            purpose: "",
            closed: 0o027,
            expected: "a folder that its group may enter and not write to, and nobody else",
            found: "one that is open to more\(PathAdvice.run("chmod 750", path))"
        ).check(path)
    }
}
