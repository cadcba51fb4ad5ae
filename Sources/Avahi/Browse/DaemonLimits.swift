internal import SystemPackage

/// The limits of a running daemon, as far as its configuration file sets them.
struct DaemonLimits: Hashable, Sendable {
    /// The number of records that the cache can hold per interface and family: `cache-entries-max`.
    var cacheEntries = Self.defaultCacheEntries

    /// Avahi's default for `cache-entries-max`.
    static let defaultCacheEntries = 4_096

    /// Reads a configuration file. Limits that cannot be read keep their defaults.
    init(file: String) {
        self.init(text: Self.read(file))
    }

    /// Reads the text of a configuration file: `key=value` lines, comments after `#` or `;`.
    init(text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            guard parts.count == 2, parts[0] == "cache-entries-max", let value = UInt32(parts[1]), value > 0
            else { continue }
            cacheEntries = Int(value)
        }
    }

    /// The number of bytes after which a file is not read any further: more than any such file has.
    private static let longest = 65_536

    private static func read(_ file: String) -> String {
        // Non-blocking, since the path may name a pipe.
        guard let descriptor = try? FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .nonBlocking])
        else { return "" }
        defer { try? descriptor.close() }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < longest, let count = try? chunk.withUnsafeMutableBytes({ try descriptor.read(into: $0) }),
            count > 0
        {
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
