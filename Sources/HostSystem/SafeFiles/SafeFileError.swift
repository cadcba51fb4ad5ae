package import SystemPackage

/// The reason why a file or folder was not read, written or trusted.
package struct SafeFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a file. More may be added.
    package enum Code: String, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, which stays the same from version to version: for logs.
        package var description: String { rawValue }

        /// There is no such file, or no folder to put it in.
        case missing
        /// A symbolic link is there, which could lead to somebody else's file.
        case symbolicLink
        /// Something other than a regular file is there.
        case notRegular
        /// Something other than a folder is there.
        case notFolder
        /// Something other than a socket is there.
        case notSocket
        /// The file or folder belongs to another user.
        case otherOwner
        /// Users other than the owner have access to something that is for secrets.
        case openToOthers
        /// The file is longer than it may be.
        case tooLong
        /// The file contains something other than one line of text.
        case notText
        /// The disk or the user's share of it is full: `ENOSPC`, `EDQUOT`.
        case noSpace
        /// The file system cannot be written to: `EROFS`.
        case readOnly
        /// This user lacks the permission: `EACCES`, `EPERM`.
        case forbidden
        /// The disk failed: `EIO`.
        case inputOutput
        /// The new content is in place, but may not survive a power failure.
        case notDurable
        /// Another failure of the system.
        case system
    }

    /// The kind of trouble.
    package let code: Code

    /// The path of the file or folder.
    package let path: FilePath

    /// The system's error number; `nil` where no system call failed.
    package let errno: Errno?

    /// A description of what was expected.
    package let expected: String

    /// A description of what was found, and what to do where that is known. Quotes nothing of the content.
    package let found: String

    init(_ code: Code, _ path: FilePath, expected: String, found: String, errno: Errno? = nil) {
        self.code = code
        self.path = path
        self.errno = errno
        self.expected = expected
        self.found = found
    }

    /// Creates the error for a system call that failed.
    ///
    /// - Parameters:
    ///   - code: The code, if it does not follow from the error number.
    init(_ errno: Errno, _ path: FilePath, expected: String, code: Code? = nil) {
        let code = code ?? Code(errno)
        // With `O_NOFOLLOW`, `ELOOP` means that the path is a symbolic link.
        let found = code == .symbolicLink ? "a symbolic link. Give the path that it leads to" : "\(errno)"
        self.init(code, path, expected: expected, found: found, errno: errno)
    }

    package var description: String { "\(path): expected \(expected), found: \(found)." }
}

extension SafeFileError.Code {
    /// Creates the code for an error number of the system.
    init(_ errno: Errno) {
        switch errno {
        case .noSuchFileOrDirectory, .notDirectory: self = .missing
        case .tooManySymbolicLinkLevels: self = .symbolicLink
        case .noSpace, .diskQuotaExceeded: self = .noSpace
        case .readOnlyFileSystem: self = .readOnly
        case .permissionDenied, .notPermitted: self = .forbidden
        case .ioError: self = .inputOutput
        case .isDirectory: self = .notRegular
        default: self = .system
        }
    }
}
