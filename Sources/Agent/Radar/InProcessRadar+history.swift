internal import Pairing
package import Reports

/// The history of gateways, and of which of them nothing is told.
extension InProcessRadar {
    package func history(
        since start: Timestamp,
        of gateway: String? = nil
    ) async throws(RadarError) -> GatewayHistoryReport {
        let all = try await perform { store throws(NoticeStoreError) in try store.history(since: start, now: .now) }
        // A store that cannot be read knows no names; the history has its own.
        let known = try? await read { store throws(StoreError) in (try store.pairings(), try store.aliases()) }
        let history = all.named(known?.0 ?? [], known?.1 ?? [])
        return GatewayHistoryReport(gateway.map { history.of(key: $0) } ?? history)
    }

    package func mutes() async throws(RadarError) -> MutesReport {
        MutesReport(try await perform { store throws(NoticeStoreError) in try store.mutes(at: .now) })
    }

    package func mute(_ gateway: String, for milliseconds: Int?) async throws(RadarError) -> MutesReport {
        if let milliseconds, !(1...NoticeStore.retention).contains(milliseconds) {
            throw RadarError(.invalid, "expected at most 90 days in which nothing is told, found another time")
        }
        let now = Timestamp.now
        let until = milliseconds.map { now.advanced(by: .milliseconds($0)) }
        let isKnown = try await perform { store throws(NoticeStoreError) in
            let watched = try store.history(since: now, now: now).gateways
            // One that is not watched any more may be told of again.
            let mutes = try store.mutes(at: now)
            let isTold = until == nil && mutes[gateway] != nil
            guard isTold || watched.contains(where: { $0.key == gateway }) else { return false }
            try store.mute(gateway, until: until)
            return true
        }
        guard isKnown else { throw RadarError(.notFound, "the agent watches no such gateway") }
        return MutesReport(until.map { [gateway: $0] } ?? [:])
    }
}
