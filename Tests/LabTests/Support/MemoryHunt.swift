import Foundation
import Testing

/// A search for secrets in the memory of a running process, as a core file would have it. Only root can do it, since
/// the tool hides its memory.
enum MemoryHunt {
    /// Returns the number of whole copies of each secret.
    static func copies(of secrets: [String], in pid: pid_t) throws -> [Int] {
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
            for (index, secret) in secrets.enumerated() { counts[index] += count(of: Data(secret.utf8), in: data) }
        }
        return counts
    }

    private static func count(of secret: Data, in data: Data) -> Int {
        var (count, start) = (0, data.startIndex)
        while let found = data.range(of: secret, in: start..<data.endIndex) {
            count += 1
            start = found.upperBound
        }
        return count
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
