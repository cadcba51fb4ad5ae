package import SystemPackage

/// The reason why a file or folder was not read, written or trusted.
package struct SafeFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a file. More may be added.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case missing, symbolicLink, notRegular, notFolder, notSocket, otherOwner, openToOthers, tooLong, notText,
                noSpace, readOnly, forbidden, inputOutput, notDurable, system
        }

        private let wrapped: Wrapped

        /// The name of the code, which stays the same from version to version: for logs.
        package var description: String { wrapped.rawValue }

        /// There is no such file, or no folder to put it in.
        package static let missing = Code(wrapped: .missing)
        /// A symbolic link is there, which could lead to somebody else's file.
        package static let symbolicLink = Code(wrapped: .symbolicLink)
        /// Something other than a regular file is there.
        package static let notRegular = Code(wrapped: .notRegular)
        /// Something other than a folder is there.
        package static let notFolder = Code(wrapped: .notFolder)
        /// Something other than a socket is there.
        package static let notSocket = Code(wrapped: .notSocket)
        /// The file or folder belongs to another user.
        package static let otherOwner = Code(wrapped: .otherOwner)
        /// Users other than the owner have access to something that is for secrets.
        package static let openToOthers = Code(wrapped: .openToOthers)
        /// The file is longer than it may be.
        package static let tooLong = Code(wrapped: .tooLong)
        /// The file contains something other than one line of text.
        package static let notText = Code(wrapped: .notText)
        /// The disk or the user's share of it is full: `ENOSPC`, `EDQUOT`.
        package static let noSpace = Code(wrapped: .noSpace)
        /// The file system cannot be written to: `EROFS`.
        package static let readOnly = Code(wrapped: .readOnly)
        /// This user lacks the permission: `EACCES`, `EPERM`.
        package static let forbidden = Code(wrapped: .forbidden)
        /// The disk failed: `EIO`.
        package static let inputOutput = Code(wrapped: .inputOutput)
        /// The new content is in place, but may not survive a power failure.
        package static let notDurable = Code(wrapped: .notDurable)
        /// Another failure of the system.
        package static let system = Code(wrapped: .system)
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
