internal import DNSSD
internal import Discovery
internal import GatewayReports

/// A watch that prints one line for each change.
struct LineWatch: Sendable {
    let browser: Browser
    let format: WatchFormat
    let write: @Sendable (String) throws -> Void

    /// Prints until the user has enough.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await Signals.waitForEnd() }
            group.addTask { try await printChanges() }
            group.addTask { await reportNews() }
            group.addTask { await browser.run() }
            // None of the others ends by itself, except when the output has.
            _ = try await group.next()
            group.cancelAll()
        }
    }

    private func printChanges() async throws {
        // What a service was before says what is new in a line for people, and in nothing else.
        var known: [ServiceInstance: DiscoveredService] = [:]
        for await change in browser.changes {
            let service = change.service
            switch format {
            case .table:
                let line = WatchLine.text(change, before: known[service.instance], time: TimeText.now)
                try write(line + "\n")
                switch change {
                case .found, .changed: known[service.instance] = service
                case .lost: known[service.instance] = nil
                }
            case .ndjson:
                try write(ServiceChangeReport(change, at: .now).line)
            }
        }
    }

    private func reportNews() async {
        var news = BackendNews()
        for await condition in browser.conditions {
            for item in news.take(status: condition.status, warnings: condition.warnings, source: browser.source) {
                switch item {
                case .warning(let text): Notes.warning(text)
                case .note(let text): Notes.note(text)
                }
            }
        }
    }
}
