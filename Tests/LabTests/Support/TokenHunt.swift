import Foundation
import Testing

/// A search for secrets where none may be: as they are, in base64, and as the bytes that a debugger prints.
struct TokenHunt {
    /// The bytes of a secret that tell it from everything else; a dump may have no more of it.
    private static let share = 8

    private let forms: [String]

    /// The number of places that have been searched.
    private(set) var places: [String] = []

    init(_ tokens: [String]) {
        forms = tokens.flatMap { token -> [String] in
            let bytes = Array(token.utf8)
            let middle = (bytes.count - Self.share) / 2
            let starts = [0, middle, bytes.count - Self.share]
            let dumps = starts.flatMap { start -> [String] in
                let hex = bytes[start..<(start + Self.share)].map { String($0, radix: 16) }
                return [hex.joined(separator: " "), hex.joined()]
            }
            let shares = starts.map { String(decoding: bytes[$0..<($0 + Self.share)], as: UTF8.self) }
            return shares + dumps + [Data(bytes).base64EncodedString()]
        }
    }

    /// Searches a text.
    mutating func search(_ text: String, _ place: String) {
        places.append(place)
        for form in forms where text.contains(form) { Issue.record("a secret is in \(place), as \(form)") }
    }

    /// Searches the output of a process.
    mutating func search(_ result: LabProcess.Result, _ place: String) {
        search(result.output, "the output of \(place)")
        search(result.errors, "what \(place) says")
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
            // Each byte a character, so that nothing is lost.
            search(String(data: data, encoding: .isoLatin1) ?? "", file)
        }
        return files.count
    }
}
