#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The file in which a user keeps what would have to be typed each time.
package struct ConfigurationFile: Hashable, Sendable {
    /// The most bytes of it that are read.
    private static let limit = 1_048_576

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
        // A pipe in its place must not make us wait.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            warn("\(path) cannot be opened: \(String(cString: strerror(errno))). What it names is left out.")
            return nil
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Self.systemRead(descriptor, &chunk)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("cannot be read: \(String(cString: strerror(errno)))") }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= Self.limit else { throw failure("expected at most \(Self.limit) bytes, found more") }
        }
    }

    /// Something is wrong with it.
    func failure(_ message: String) -> ConfigurationProblem {
        ConfigurationProblem("\(path): \(message)")
    }

    private static func systemRead(_ descriptor: Int32, _ chunk: inout [UInt8]) -> Int {
        chunk.withUnsafeMutableBytes { buffer in
            #if canImport(Glibc)
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Musl)
            Musl.read(descriptor, buffer.baseAddress, buffer.count)
            #else
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
        }
    }
}

/// The reason why what is configured cannot be used: where it stands, what was expected and what was found.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
