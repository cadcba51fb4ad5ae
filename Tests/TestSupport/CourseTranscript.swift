#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The record of what a state machine did in a course of events, compared with what it did when that was last meant to
/// change.
package struct CourseTranscript: Sendable {
    /// A line for each event.
    package var lines: [String] = []

    package init() {}

    /// FNV-1a over all lines.
    package var digest: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in lines.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    /// Returns what is wrong with courses of which the digests are known: for each that differs, its seed and its digest, as
    /// they are written in a test. With `CLAWRADAR_TRANSCRIPTS` set to a folder, the lines of all are written there, to be
    /// compared with those of another version.
    package static func differences(
        from digests: [(seed: UInt64, digest: UInt64)],
        name: String,
        play: (_ seed: UInt64) throws -> CourseTranscript
    ) rethrows -> [String] {
        try digests.compactMap { seed, digest in
            let transcript = try play(seed)
            transcript.write(name: "\(name)-\(seed)")
            let found = transcript.digest
            return found == digest ? nil : "(\(seed), 0x\(String(found, radix: 16, uppercase: true))),"
        }
    }

    private func write(name: String) {
        guard let folder = getenv("CLAWRADAR_TRANSCRIPTS").map({ String(cString: $0) }) else { return }
        guard let file = fopen("\(folder)/\(name).txt", "w") else {
            perror("CLAWRADAR_TRANSCRIPTS: \(folder)/\(name).txt")
            return
        }
        for line in lines { fputs(line + "\n", file) }
        fclose(file)
    }
}
