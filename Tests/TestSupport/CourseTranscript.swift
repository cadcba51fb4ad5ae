import Glibc

/// A transcript of what a state machine did in a sequence of events. Its digest is compared with the one from the last
/// intended change of behaviour.
package struct CourseTranscript: Sendable {
    /// The transcript, with one line per event.
    package var lines: [String] = []

    package init() {}

    /// The FNV-1a hash of all lines.
    package var digest: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in lines.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    /// Plays the sequences whose digests are known, and returns a line for each one whose digest differs: its seed and
    /// new digest, in the form in which a test lists them. If `CLAWRADAR_TRANSCRIPTS` is set to a folder, all
    /// transcripts are written there, to be compared with those of another version.
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
