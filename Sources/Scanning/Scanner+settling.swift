internal import DNSSD
public import Discovery

/// Waiting for a scan to come to its end.
extension Scanner {
    /// Waits until all is known: the browser has settled, and everything that it found has been asked, apart from what is
    /// put off since too many others lead to the same address.
    ///
    /// - Parameters:
    ///   - quiet: See `Browser.settle`.
    ///   - patience: See `Browser.settle`.
    ///   - deadline: When to return at the latest. Probes that begin after this call end before it.
    /// - Returns: What was being waited for when it returned.
    @discardableResult
    public func settle(
        quiet: Duration,
        patience: Duration? = nil,
        deadline: ContinuousClock.Instant
    ) async -> SettleResult {
        state.deadline = deadline - .milliseconds(100)
        wake?.yield()
        // Whoever watches on asks on.
        defer { state.deadline = nil }
        var result = await browser.settle(quiet: quiet, patience: patience, deadline: deadline)
        // Typed-in gateways need no backend.
        while result != .deadline, !isIdle {
            guard .now < deadline, (try? await Task.sleep(for: .milliseconds(5))) != nil else {
                result = .deadline
                break
            }
        }
        if result == .deadline { await finishTelling() }
        return result
    }

    /// Waits a moment until the map knows what has been learned: of what waits it would not know why yet.
    private func finishTelling() async {
        let limit = ContinuousClock.now + .milliseconds(100)
        while !state.actions.isEmpty || !unsaid.isEmpty || isTelling, .now < limit {
            guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { return }
        }
    }

    private var isIdle: Bool {
        unsaid.isEmpty && !isTelling && state.isIdle
            && progress.services >= browser.resolvedCount
    }
}
