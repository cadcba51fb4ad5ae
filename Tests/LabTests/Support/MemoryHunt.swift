import Foundation
import Glibc
import Testing

/// A search for secrets in the memory of a running process, as a core file would have it. Only root can do it, since
/// the tool hides its memory.
enum MemoryHunt {
    /// The bytes at the beginning of freed memory that the allocator overwrites with its own notes.
    private static let overwritten = 16

    /// Returns the number of copies of each secret: of its bytes, without those at its beginning if it is long, since
    /// memory that was freed and not wiped lacks them; and of it as base64, wherever in a longer text it is.
    static func copies(of secrets: [String], in pid: pid_t) throws -> [Int] {
        let forms = secrets.map { [tail(of: $0)] + base64(of: $0) }
        let counts = try copies(of: forms.flatMap(\.self), in: pid)
        var rest = counts[...]
        return forms.map { forms in
            defer { rest = rest.dropFirst(forms.count) }
            return rest.prefix(forms.count).reduce(0, +)
        }
    }

    private static func tail(of secret: String) -> Data {
        let bytes = Data(secret.utf8)
        return bytes.count >= 2 * overwritten ? Data(bytes.dropFirst(overwritten)) : bytes
    }

    /// Returns what base64 makes of a secret at each of the three places in a group of bytes at which it may begin,
    /// without the digits that depend on what is beside it.
    private static func base64(of secret: String) -> [Data] {
        let bytes = Data(secret.utf8)
        let texts = (0..<3).map { shift -> String in
            let whole = Data(bytes.dropFirst((3 - shift) % 3))
            return Data(whole.prefix(whole.count / 3 * 3)).base64EncodedString()
        }
        let forURLs = texts.map { $0.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_") }
        return Set(texts + forURLs).sorted().map { tail(of: $0) }
    }

    /// Returns the number of copies of each pattern.
    private static func copies(of secrets: [Data], in pid: pid_t) throws -> [Int] {
        let maps = try String(contentsOfFile: "/proc/\(pid)/maps", encoding: .utf8)
        let memory = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(pid)/mem"))
        defer { try? memory.close() }
        var counts = secrets.map { _ in 0 }
        for map in maps.split(separator: "\n") where map.contains(" rw") {
            let limits = map.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
            // A part that is gone by now, or that only the kernel reads, has nothing of ours.
            guard limits.count == 2, (try? memory.seek(toOffset: limits[0])) != nil,
                let data = try? memory.read(upToCount: Int(limits[1] - limits[0]))
            else { continue }
            for (index, secret) in secrets.enumerated() { counts[index] += count(of: secret, in: data) }
        }
        return counts
    }

    /// Returns the number of copies of a pattern. `Data.range(of:)` takes minutes for the memory of a process, without
    /// optimization.
    private static func count(of secret: Data, in data: Data) -> Int {
        secret.withUnsafeBytes { secret in
            data.withUnsafeBytes { data in
                guard let start = data.baseAddress, let pattern = secret.baseAddress else { return 0 }
                let end = start + data.count
                var (count, place) = (0, start)
                while let found = memchr(place, Int32(secret[0]), end - place).map(UnsafeRawPointer.init) {
                    let isWhole = end - found >= secret.count && memcmp(found, pattern, secret.count) == 0
                    count += isWhole ? 1 : 0
                    place = found + (isWhole ? secret.count : 1)
                }
                return count
            }
        }
    }

    /// Returns the running process with this command line, of those of the tool.
    static func process(_ arguments: String) throws -> pid_t {
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
        return try #require(
            processes.first { pid in
                let command = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
                let text = String(decoding: command, as: UTF8.self).replacingOccurrences(of: "\0", with: " ")
                return text.hasPrefix("\(Lab.clawradar) \(arguments)")
            }
        )
    }
}
