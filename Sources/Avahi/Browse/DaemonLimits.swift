internal import Glibc

/// The limits of a running daemon, as far as its configuration file tells.
struct DaemonLimits: Hashable, Sendable {
    /// The number of records that the cache can hold per interface and family: `cache-entries-max`.
    var cacheEntries = Self.defaultCacheEntries

    /// Avahi's default for `cache-entries-max`.
    static let defaultCacheEntries = 4_096

    /// Reads a configuration file. What cannot be read leaves the defaults.
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

    /// More than any such file has; a file that is longer is read up to here.
    private static let longest = 65_536

    private static func read(_ file: String) -> String {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < longest {
            let chunk = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
                count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
            }
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
