package import SystemPackage

/// One line of text that is a secret, as users keep it in files: in UTF-8 or UTF-16, with white space around it, in files
/// of their own or in those that containers are given.
package struct SecretText: Hashable, Sendable {
    /// The reason why bytes are no such text: what was found, and what to do.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let found: String

        package var description: String { "expected one line of text, found \(found)" }
    }

    /// The text in UTF-8, without white space around it. Empty if there is nothing else.
    package let bytes: [UInt8]

    /// Reads the content of a file, or what was typed.
    package init(_ content: [UInt8]) throws(Problem) {
        let text = try Self.utf8(content)
        let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
        // Editors and `echo` add a line feed, which is not part of the secret.
        bytes = Array(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        if bytes.contains(0) { throw Problem(found: "bytes that are no text, as in UTF-16. Save it as UTF-8") }
        if bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            throw Problem(found: "several lines. Leave one of them")
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw Problem(found: "control characters") }
        // Checked without making a text of it, which would be a copy that nobody wipes.
        guard (try? UTF8Span(validating: bytes.span)) != nil else {
            throw Problem(found: "bytes that are no UTF-8. Save it as UTF-8")
        }
    }

    /// Reads a file that the user named, however it is reached.
    ///
    /// - Parameters:
    ///   - path: The path of the file; symbolic links are followed, since the user chose it.
    ///   - limit: The maximum number of bytes that the file may have.
    /// - Returns: The text; `nil` when there is no such file.
    /// - Throws: ``SafeFileError``, also when the file belongs to another user than this one and root, when others can
    ///   write to it, or when others can read it and it is not root's: containers get secrets as files of root's that
    ///   everybody in them may read.
    package static func read(_ path: FilePath, limit: Int) throws(SafeFileError) -> SecretText? {
        guard let content = try SafeFile(path: path).readGiven(limit: limit) else { return nil }
        // The text is a copy of its own.
        defer { overwrite(content) }
        do throws(Problem) {
            return try SecretText(content)
        } catch {
            throw SafeFileError(.notText, path, expected: "one line of text", found: error.found)
        }
    }

    /// Overwrites bytes that nobody reads any more. Not inlined: where the optimiser sees that they are freed next, it
    /// removes the writes.
    @inline(never)
    private static func overwrite(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            _ = UnsafeMutableRawBufferPointer(mutating: bytes).initializeMemory(as: UInt8.self, repeating: 0)
        }
    }

    /// Returns the bytes without a byte order mark, which says UTF-16 where it is that of UTF-16.
    private static func utf8(_ content: [UInt8]) throws(Problem) -> ArraySlice<UInt8> {
        if content.starts(with: [0xEF, 0xBB, 0xBF]) { return content.dropFirst(3) }
        let isLittle = content.starts(with: [0xFF, 0xFE])
        guard isLittle || content.starts(with: [0xFE, 0xFF]) else { return content[...] }
        guard content.count.isMultiple(of: 2) else { throw Problem(found: "UTF-16 that is cut off. Save it as UTF-8") }
        let units = stride(from: 2, to: content.count, by: 2).map { index in
            let (first, second) = (UInt16(content[index]), UInt16(content[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw Problem(found: "bytes that are no UTF-16. Save it as UTF-8")
        }
        return Array(text.utf8)[...]
    }
}
