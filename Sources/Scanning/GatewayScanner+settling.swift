package import DNSSD
package import Discovery

/// Waiting for the end of a scan.
extension GatewayScanner {
    /// Waits until everything is known: the browser has settled, and every endpoint that it found has been asked,
    /// except those that are put off since too many others lead to the same address.
    ///
    /// - Parameters:
    ///   - quiet: See `Browser.settle`.
    ///   - availabilityTimeout: See `Browser.settle`.
    ///   - deadline: The latest time at which to return. Probes that begin after this call end before it.
    /// - Returns: The reason for which it returned.
    @discardableResult
    package func settle(
        quiet: Duration,
        availabilityTimeout: Duration? = nil,
        deadline: ContinuousClock.Instant
    ) async -> SettleResult {
        state.deadline = deadline - .milliseconds(100)
        wake?.yield()
        // A scanner that goes on watching must be able to ask after the deadline.
        defer { state.deadline = nil }
        var result = await browser.settle(quiet: quiet, availabilityTimeout: availabilityTimeout, deadline: deadline)
        // Gateways that the user entered need no backend.
        if result != .deadline, await !waits(until: deadline, for: { $0.isIdle }) { result = .deadline }
        // Passes on what has been learned so far: otherwise, the map would not know yet why some endpoints wait.
        if result == .deadline { _ = await waits(until: clock.now + .milliseconds(100), for: { $0.hasReportedAll }) }
        return result
    }

    /// Waits for the same as ``settle(quiet:availabilityTimeout:deadline:)``, without hurrying any probe: for a scanner that
    /// goes on afterwards.
    package func look(
        quiet: Duration,
        availabilityTimeout: Duration,
        until deadline: ContinuousClock.Instant
    ) async {
        _ = await browser.settle(quiet: quiet, availabilityTimeout: availabilityTimeout, deadline: deadline)
        _ = await waits(until: deadline) { $0.isIdle }
    }

    /// Returns everything that is known by now. Among the services are those that the browser has only just seen, or has
    /// not resolved yet: nobody is told of them otherwise.
    public func findings() async -> ConstellationSnapshot {
        await report(browser.condition)
        return await constellation.snapshot.adding(services: browser.services)
    }

    /// Returns the services that the browser has only just seen, or has not resolved yet, so that the map does not have them.
    package func unreportedServices() async -> [DiscoveredService] {
        await report(browser.condition)
        return await constellation.unknown(among: browser.services)
    }

    /// Reports a condition of the browser to the constellation, with its losses so far.
    func report(_ condition: BrowserCondition) async {
        await constellation.note(
            BackendCondition(
                source: browser.source,
                status: condition.status,
                warnings: condition.warnings,
                losses: browser.losses
            )
        )
        for (domain, status) in condition.domains {
            await constellation.note(BackendCondition(source: .zone(of: domain), status: status))
        }
    }

    /// Waits until a condition holds.
    ///
    /// - Returns: `true` if it holds; `false` when the time is up or the task was cancelled.
    func waits(
        until deadline: ContinuousClock.Instant,
        for condition: @escaping @Sendable (isolated GatewayScanner) -> Bool
    ) async -> Bool {
        if condition(self) { return true }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.waits(for: condition) }
            group.addTask { [clock] in
                try? await clock.sleep(until: deadline, tolerance: nil)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private func waits(for condition: (isolated GatewayScanner) -> Bool) async -> Bool {
        let (number, passes) = watchers.add()
        defer { watchers.remove(number) }
        if condition(self) { return true }
        for await _ in passes where condition(self) { return true }
        return false
    }

    var hasReportedAll: Bool { state.actions.isEmpty && reports.isEmpty }

    private var isIdle: Bool {
        reports.isEmpty && state.isIdle
            && progress.services >= browser.resolvedCount
    }
}
