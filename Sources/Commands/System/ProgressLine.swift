internal import Console
internal import Glibc
internal import Scanning
internal import Synchronization

/// One line on standard error that shows the progress of a command and is erased in the end.
final class ProgressLine: Sendable {
    private static let descriptor: Int32 = 2

    /// The text on the line; `nil` while there is none.
    private let shown = Mutex<String?>(nil)

    /// Makes a progress line; `nil` if standard error is not a terminal on which it can be erased.
    init?() {
        guard isatty(Self.descriptor) == 1, Environment.canMoveCursor else { return nil }
    }

    /// Shows a text in place of the previous one, unless it is the same.
    func show(_ text: String) {
        // A line that fills the last cell makes some terminals wrap.
        let line = DisplayWidth.fit(text, in: (Notes.columns ?? 80) - 1)
        shown.withLock { shown in
            guard shown != line else { return }
            shown = line
            Notes.write("\r\(line)\u{1B}[K")
        }
    }

    /// Erases the line.
    func clear() {
        shown.withLock { shown in
            guard shown != nil else { return }
            shown = nil
            Notes.write("\r\u{1B}[K")
        }
    }
}

extension ScanProgress {
    /// `12 services, 9 of 12 asked, 7 gateways`.
    var text: String {
        let asked = targets == 0 ? "" : ", \(asked) of \(targets) asked"
        let putOff = putOff == 0 ? "" : ", \(putOff) put off"
        return "\(services == 1 ? "1 service" : "\(services) services")\(asked)\(putOff), "
            + (gateways == 1 ? "1 gateway" : "\(gateways) gateways")
    }
}
