import Foundation
import Testing

/// A search for secrets in texts and files that must not contain any. It finds them as text, in base64, and as the
/// hexadecimal bytes that a debugger prints.
struct TokenHunt {
    /// The number of bytes of a secret that suffice to recognize it. A memory dump may contain no more of it.
    private static let fragmentLength = 8

    private let forms: [String]

    /// Descriptions of the places that have been searched.
    private(set) var places: [String] = []

    init(_ tokens: [String]) {
        forms = tokens.flatMap { token -> [String] in
            let bytes = Array(token.utf8)
            let middle = (bytes.count - Self.fragmentLength) / 2
            let starts = [0, middle, bytes.count - Self.fragmentLength]
            let dumps = starts.flatMap { start -> [String] in
                let hex = bytes[start..<(start + Self.fragmentLength)].map { String($0, radix: 16) }
                return [hex.joined(separator: " "), hex.joined()]
            }
            let fragments = starts.map { String(decoding: bytes[$0..<($0 + Self.fragmentLength)], as: UTF8.self) }
            return fragments + dumps + [Data(bytes).base64EncodedString()]
        }
    }

    /// Searches a text.
    mutating func search(_ text: String, _ place: String) {
        places.append(place)
        for form in forms where text.contains(form) { Issue.record("a secret is in \(place), as \(form)") }
    }

    /// Searches the output and the errors of a process.
    mutating func search(_ result: LabProcess.Result, _ place: String) {
        search(result.output, "the output of \(place)")
        search(result.errors, "the errors of \(place)")
    }

    /// Searches all files of a folder, byte for byte.
    ///
    /// - Returns: Their number.
    mutating func search(folder: String) throws -> Int {
        let names = try #require(FileManager.default.enumerator(atPath: folder)).allObjects.compactMap { $0 as? String }
        let files = names.map { "\(folder)/\($0)" }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }
        for file in files {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            // In Latin-1 each byte is a character, so that every byte is searched.
            search(String(data: data, encoding: .isoLatin1) ?? "", file)
        }
        return files.count
    }
}
