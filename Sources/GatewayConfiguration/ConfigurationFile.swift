internal import SafeFiles
internal import SystemPackage

/// The file in which a user keeps settings that would otherwise have to be typed each time.
package struct ConfigurationFile: Hashable, Sendable {
    /// The maximum size of the file, in bytes.
    private static let limit = 1_048_576

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

    /// Reads the file.
    ///
    /// A file that cannot be opened causes only a warning, because the user has not named it explicitly.
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
            warn("\(path) cannot be opened: \(error). What it names is left out.")
            return nil
        }
        defer { try? descriptor.close() }
        do throws(SafeFileError) {
            return try SafeFile.read(descriptor, FilePath(path), limit: Self.limit)
        } catch {
            guard let errno = error.errno else { throw failure("expected at most \(Self.limit) bytes, found more") }
            throw failure("cannot be read: \(errno)")
        }
    }

    /// Makes a problem that names the file.
    func failure(_ message: String) -> ConfigurationProblem {
        ConfigurationProblem("\(path): \(message)")
    }
}

/// The reason why the configuration cannot be used: the place of the error, what was expected and what was found.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
