internal import SystemPackage

/// The names of temporary files: `.NAME.PROCESS.RANDOM.tmp`, with the name of the target, the number of the process and 16
/// hexadecimal digits.
enum TemporaryName {
    /// The time of the first use, in seconds since 1970. What this process leaves is newer.
    static let firstUse = FileCalls.now

    /// Makes up a name.
    static func make(for target: FilePath) -> String {
        _ = firstUse
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let random = String(repeating: "0", count: 16 - digits.count) + digits
        return "\(prefix(target))\(FileCalls.process).\(random).tmp"
    }

    /// The number of the process that made a temporary file for the target; `nil` for any other name.
    static func process(of name: String, for target: FilePath) -> Int32? {
        guard name.hasPrefix(prefix(target)) else { return nil }
        let parts = name.dropFirst(prefix(target).count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let process = Int32(parts[0]), process > 0, parts[2] == "tmp",
            parts[1].utf8.count == 16,
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return process
    }

    private static func prefix(_ target: FilePath) -> String { ".\(target.lastComponent?.string ?? "")." }
}
