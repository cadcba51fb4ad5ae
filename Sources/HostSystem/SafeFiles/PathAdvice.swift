package import SystemPackage

/// A command that mends one file or folder, as the end of a message that people copy into a shell.
package enum PathAdvice {
    /// Returns the sentence with the command, after a full stop; nothing where the path has a byte that a shell may take for
    /// more than itself: others can have chosen the names of folders, and the message has the path anyway.
    package static func run(_ command: String, _ path: FilePath) -> String {
        word(path).map { ". Run: \(command) \($0)" } ?? ""
    }

    /// Returns a path as a word of a shell, in quotation marks where it has spaces.
    private static func word(_ path: FilePath) -> String? {
        let bytes = path.string.utf8
        guard let first = bytes.first, first != UInt8(ascii: "-"), bytes.allSatisfy(isKnown) else { return nil }
        return bytes.contains(UInt8(ascii: " ")) ? "'\(path.string)'" : path.string
    }

    private static func isKnown(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "/._-+@:, ".utf8.contains(byte)
    }
}
