internal import Pairing
internal import Scanning

/// Waiting until the states of paired gateways are known, for which the addresses where nobody is need not be waited for.
enum SteadyStates {
    /// The time for which all states must have stayed the same: as long as a gateway takes to answer after a lost packet
    /// (RFC 6298 §2.1), so that one that is in its place after all is not accused.
    static let hold = Duration.milliseconds(1_250)

    /// Waits until all gateways have answered somewhere, and what the map shows of them has been the same for a while.
    ///
    /// - Parameters:
    ///   - constellation: The map, which somebody asks for.
    ///   - hold: The time for which all must have stayed the same.
    ///   - seen: Returns the states as the map shows them, given its rows.
    ///   - shown: Returns the states as they are shown, with what the sessions of other processes say. One that connects is
    ///     about to know more.
    static func wait(
        for constellation: Constellation,
        hold: Duration = hold,
        seen: @Sendable ([Gateway]) -> [PairedStatus],
        shown: @Sendable ([Gateway]) -> [PairedStatus]
    ) async {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in constellation.updates { wake.yield() } }
            var (states, since): ([PairedStatus]?, ContinuousClock.Instant) = (nil, .now)
            for await _ in wakes {
                let rows = await constellation.gateways
                let present = seen(rows)
                if present != states {
                    (states, since) = (present, .now)
                    group.addTask { if (try? await Task.sleep(for: hold)) != nil { wake.yield() } }
                }
                guard .now - since >= hold else { continue }
                if !shown(rows).contains(where: { isUndecided($0, rows) }) { break }
            }
            group.cancelAll()
        }
    }

    /// Indicates whether more is about to be known of a gateway: it has not answered, or it seems to have moved, and one of
    /// its own places is still being asked. Anybody can answer elsewhere before a gateway that is slow.
    private static func isUndecided(_ status: PairedStatus, _ rows: [Gateway]) -> Bool {
        switch status.state {
        case .gone, .connecting: return true
        case .moved where status.holder == nil:
            return rows.contains { row in
                row.paths.contains { $0.outcome == nil && status.pairing.endpoints.contains($0.endpoint) }
            }
        default: return false
        }
    }
}
