internal import Console
internal import DNSSD
internal import Scanning

/// A filter for messages to people about the state of the backend. A value: no clock, no I/O.
struct BackendMessages {
    /// One message.
    enum Item: Hashable {
        case warning(String)
        case note(String)
    }

    /// The messages about one source that were already shown.
    private struct Said {
        var trouble: BackendError?
        var warnings = 0
    }

    private var said: [SightingSource: Said] = [:]

    /// Returns the messages that are new, each of them only once.
    mutating func take(_ condition: BackendCondition) -> [Item] {
        var said = said[condition.source] ?? Said()
        var items = condition.warnings.dropFirst(said.warnings).map { Item.warning($0.message) }
        said.warnings = condition.warnings.count
        switch condition.status {
        case .unavailable(let error) where error != said.trouble:
            said.trouble = error
            items.append(.warning(condition.isWaitedFor ? "\(error.message) Waiting for it." : error.message))
        case .running where said.trouble != nil:
            said.trouble = nil
            items.append(.note("\(condition.source) is there again."))
        case .starting, .running, .unavailable:
            break
        }
        self.said[condition.source] = said
        return items
    }
}

extension Notes {
    /// Prints a message about the state of the backend.
    static func show(_ item: BackendMessages.Item) {
        switch item {
        case .warning(let text): warning(text)
        case .note(let text): note(text)
        }
    }
}

extension BackendCondition {
    /// Describes the condition for people: the newest warning, the reason for waiting, and finally the state.
    var lines: [String] {
        var lines = warnings.last.map { ["warning: \($0.message)"] } ?? []
        switch status {
        case .starting: lines.append("\(source): starting")
        case .running: lines.append("\(source): running")
        case .unavailable(let error): lines += [line(error), "\(source): not available"]
        }
        return lines
    }

    /// Describes the reason why it is unavailable.
    func line(_ error: BackendError) -> String { "\(isWaitedFor ? "waiting" : "warning"): \(error.message)" }

    /// Indicates whether a source that is unavailable is waited for: every one is but an agent that cannot be asked.
    var isWaitedFor: Bool {
        guard source == .agent, case .unavailable(let error) = status else { return true }
        return error.code == .noDaemon
    }
}
