internal import Glibc
internal import HostSystem
internal import SystemPackage

/// The file in which a user keeps settings that would otherwise have to be typed each time.
package struct ConfigurationFile: Hashable, Sendable {
    /// The maximum size of the file, in bytes.
    static let limit = 1_048_576

    /// The environment variables that determine the location of the file.
    package static let variables = ["XDG_CONFIG_HOME", "HOME"]

    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Locates the file by the XDG Base Directory Specification: `$XDG_CONFIG_HOME/clawradar/config.yaml`, or in
    /// `~/.config` where that variable is not set; `nil` without a home directory.
    package init?(environment: [String: String]) {
        // "If an implementation encounters a relative path … it should consider the path invalid and ignore it."
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
            self.path = "\(base)/clawradar/config.yaml"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            self.path = "\(home)/.config/clawradar/config.yaml"
        } else {
            return nil
        }
    }

    /// All that shows whether the file has changed; `nil` when there is none.
    package struct Stamp: Hashable, Sendable {
        private let device: UInt64
        private let number: UInt64
        private let size: Int64
        private let seconds: Int
        private let nanoseconds: Int

        /// The change of its permissions, and these.
        private let changeSeconds: Int
        private let changeNanoseconds: Int
        private let mode: mode_t

        /// Indicates whether users other than the owner can read it.
        package var isOpenToOthers: Bool { mode & 0o044 != 0 }

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
            size = Int64(status.st_size)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
            changeSeconds = status.st_ctim.tv_sec
            changeNanoseconds = status.st_ctim.tv_nsec
            mode = status.st_mode
        }
    }

    /// The present state of the file.
    package var stamp: Stamp? { Stamp(path) }

    /// Reads the file.
    ///
    /// A file that cannot be opened causes only a warning, because the user has not named it explicitly. One that somebody else
    /// can have written is not read: it says which programs are run, and where tokens are sent.
    ///
    /// - Parameter warn: Reports why the file cannot be opened.
    /// - Returns: The content of the file; `nil` when it does not exist or cannot be opened.
    func read(orWarn warn: (String) -> Void) throws(ConfigurationProblem) -> [UInt8]? {
        let descriptor: FileDescriptor
        do {
            // Nonblocking, so that opening does not wait when the path is a named pipe.
            descriptor = try .open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
            return nil
        } catch {
            warn("\(path) cannot be opened: \(error)")
            return nil
        }
        defer { try? descriptor.close() }
        do throws(SafeFileError) {
            try AuthorsCheck.check(descriptor, FilePath(path))
        } catch {
            throw ConfigurationProblem(
                "\(error.path): expected \(error.expected), found \(error.found)\(advice(error))"
            )
        }
        do throws(SafeFileError) {
            return try SafeFile.read(descriptor, FilePath(path), limit: Self.limit)
        } catch {
            guard let errno = error.errno else { throw failure("expected at most \(Self.limit) bytes, found more") }
            throw failure("cannot be read: \(errno)")
        }
    }

    /// Returns what to do where the error does not say it, with a full stop before it.
    private func advice(_ error: SafeFileError) -> String {
        guard error.code == .otherOwner else { return "" }
        // A folder above is likely to be the home folder of somebody else.
        return error.path == FilePath(path)
            ? PathAdvice.run("chown \(geteuid())", error.path) : ". Have XDG_CONFIG_HOME name a folder of yours"
    }

    /// Makes a problem that names the file, and a line of it if one is known.
    func failure(_ message: String, line: Int? = nil) -> ConfigurationProblem {
        ConfigurationProblem("\(path):\(line.map { "\($0):" } ?? "") \(message)")
    }
}
