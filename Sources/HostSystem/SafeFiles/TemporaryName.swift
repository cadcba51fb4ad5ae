internal import SystemPackage

/// The names of temporary files: `.NAME.PROCESS.NONCE.tmp`, with the name of the target, the number of the process and
/// 16 hexadecimal digits, of which the first eight are the same for all names that the process makes.
enum TemporaryName {
    /// A process: its number, which an earlier process may have had as well, and the random digits that it chose.
    struct Maker: Hashable {
        let process: Int32
        let nonce: String

        /// This process.
        static let current = Maker(process: FileCalls.process, nonce: digits(UInt32.random(in: .min ... .max)))

        /// Indicates whether the process may still be running.
        var isRunning: Bool {
            process == Self.current.process ? nonce == Self.current.nonce : FileCalls.isRunning(process)
        }
    }

    /// Returns a new name.
    static func make(for target: FilePath) -> String {
        let maker = Maker.current
        return "\(prefix(target))\(maker.process).\(maker.nonce)\(digits(UInt32.random(in: .min ... .max))).tmp"
    }

    /// The maker of a temporary file for the target; `nil` for any other name.
    static func maker(of name: String, for target: FilePath) -> Maker? {
        guard name.hasPrefix(prefix(target)) else { return nil }
        let parts = name.dropFirst(prefix(target).count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let process = Int32(parts[0]), process > 0, parts[2] == "tmp",
            parts[1].utf8.count == 16,
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return Maker(process: process, nonce: String(parts[1].prefix(8)))
    }

    private static func digits(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private static func prefix(_ target: FilePath) -> String { ".\(target.lastComponent?.string ?? "")." }
}
