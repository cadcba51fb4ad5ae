import Foundation
import Testing

/// A file under `Goldens/` that contains an expected output of the tool, byte for byte.
///
/// After an intended change of an output, `CLAWRADAR_UPDATE_GOLDENS=1 swift test --filter CommandsTests` rewrites the
/// files. `git diff` then shows the changes of the outputs, which belong in the same commit.
enum Golden: String, CaseIterable {
    case help = "help.txt"
    case usage = "usage.txt"
    case statuses = "statuses.txt"

    case scanTable = "scan-table.txt"
    case scanJSON = "scan.json"
    case scanLines = "scan.ndjson"
    case scanServicesTable = "scan-no-probe-table.txt"
    case scanServicesJSON = "scan-no-probe.json"
    case scanServicesLines = "scan-no-probe.ndjson"
    case scanOpenClaw = "scan-openclaw.json"
    case scanAvahi = "scan-avahi.txt"
    case scanVerdicts = "scan-verdicts.txt"
    case progress = "scan-progress.txt"

    case watchTable = "watch-table.txt"
    case watchLines = "watch.ndjson"
    case watchServicesTable = "watch-no-probe-table.txt"
    case watchServicesLines = "watch-no-probe.ndjson"
    case watchNews = "watch-news.txt"
    case watchScreens = "watch-screens.txt"
    case watchServicesScreens = "watch-no-probe-screens.txt"
    case recording = "recording.ndjson"

    case probeTable = "probe-table.txt"
    case probeJSON = "probe.ndjson"

    case publication = "advertise.txt"
    case gatewayPublication = "advertise-gateway.txt"

    /// The maximum number of lines of a difference that are shown.
    private static let shownLines = 60

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Goldens")

    private static let isUpdating = ProcessInfo.processInfo.environment["CLAWRADAR_UPDATE_GOLDENS"] == "1"

    var file: URL { Self.folder.appending(path: rawValue) }

    /// Records an issue if a text differs from the content of the file; rewrites the file if `CLAWRADAR_UPDATE_GOLDENS`
    /// is set.
    func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expect(Array(text.utf8), sourceLocation: sourceLocation)
    }

    /// Records an issue if bytes differ from the content of the file; rewrites the file if `CLAWRADAR_UPDATE_GOLDENS`
    /// is set.
    func expect(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws {
        if Self.isUpdating {
            try Data(bytes).write(to: file)
            return
        }
        let expected = try [UInt8](Data(contentsOf: file))
        guard bytes != expected else { return }
        let difference = Self.difference(from: Self.lines(expected), to: Self.lines(bytes))
        let comment = Comment(rawValue: "\(rawValue) is not what is printed now:\n\(difference)")
        Issue.record(comment, sourceLocation: sourceLocation)
    }

    /// Returns the lines. In a line that is not valid UTF-8, bytes other than printable ASCII are shown as `\xHH`, so
    /// that every difference is visible.
    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(validating: line, as: UTF8.self)
                ?? line.map { (0x20..<0x7F).contains($0) ? String(Unicode.Scalar($0)) : "\\x\(String($0, radix: 16))" }
                .joined()
        }
    }

    /// Lists the removed and the inserted lines, each with its number.
    static func difference(from expected: [String], to found: [String]) -> String {
        let changes = found.difference(from: expected).sorted { Self.order($0) < Self.order($1) }
        let lines = changes.map { change in
            switch change {
            case .remove(let offset, let line, _): "- \(offset + 1): \(line)"
            case .insert(let offset, let line, _): "+ \(offset + 1): \(line)"
            }
        }
        let rest = lines.count > shownLines ? ["… and \(lines.count - shownLines) lines more"] : []
        return (lines.prefix(shownLines) + rest).joined(separator: "\n")
    }

    private static func order(_ change: CollectionDifference<String>.Change) -> (Int, Int) {
        switch change {
        case .remove(let offset, _, _): (offset, 0)
        case .insert(let offset, _, _): (offset, 1)
        }
    }
}
