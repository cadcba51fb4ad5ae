internal import SystemPackage

/// The file in which a user keeps what would have to be typed each time.
package struct ConfigurationFile: Hashable, Sendable {
    /// The most bytes of it that are read.
    private static let limit = 1_048_576

    /// The bytes that are read at once.
    private static let chunk = 16_384

    /// The variables that say where it is.
    package static let variables = ["XDG_CONFIG_HOME", "HOME"]

    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Locates the file by the XDG Base Directory Specification: `$XDG_CONFIG_HOME/clawradar/config.yaml`, or in
    /// `~/.config` where that variable is not set; `nil` without a home.
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

    /// Its bytes; `nil` when there is no such file, or none that may be read: nobody has asked for it by name.
    ///
    /// - Parameter warn: Is told why it may not be read.
    func read(orWarn warn: (String) -> Void) throws(ConfigurationProblem) -> [UInt8]? {
        let descriptor: FileDescriptor
        do {
            // A pipe in its place must not make us wait.
            descriptor = try .open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
            return nil
        } catch {
            warn("\(path) cannot be opened: \(error). What it names is left out.")
            return nil
        }
        defer { try? descriptor.close() }
        var bytes: [UInt8] = []
        while true {
            let chunk: [UInt8]
            do {
                chunk = try [UInt8](unsafeUninitializedCapacity: Self.chunk) { bytes, count in
                    count = try descriptor.read(into: UnsafeMutableRawBufferPointer(bytes))
                }
            } catch {
                throw failure("cannot be read: \(error)")
            }
            guard !chunk.isEmpty else { return bytes }
            bytes += chunk
            guard bytes.count <= Self.limit else { throw failure("expected at most \(Self.limit) bytes, found more") }
        }
    }

    /// Something is wrong with it.
    func failure(_ message: String) -> ConfigurationProblem {
        ConfigurationProblem("\(path): \(message)")
    }
}

/// The reason why what is configured cannot be used: where it stands, what was expected and what was found.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
