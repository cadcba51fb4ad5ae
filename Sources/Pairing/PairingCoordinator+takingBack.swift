internal import DNSSD
internal import GatewayProtocol
internal import Logging
internal import PairingStore

/// Withdrawing what a gateway has granted.
extension PairingCoordinator {
    /// Withdraws a grant that cannot be kept; returns `false` if that is impossible or fails.
    @discardableResult
    func withdraw(_ grant: PairingGrant, _ attempt: PairingAttempt) async -> Bool {
        let bots = BotSelection.some(grant.bots.map(\.id))
        do {
            guard let dialect = PairingDialects.all[attempt.offer.dialect] else { return false }
            try await dialect.unpair(bots, as: device, through: connection(attempt))
            return true
        } catch {
            logger.warning("a pairing that could not be kept is still known to the gateway: \(error)")
            return false
        }
    }

    /// Withdraws a grant that arrived after the user had given up.
    ///
    /// - Returns: `true` if the gateway has withdrawn it.
    func takeBack(_ grant: PairingGrant, _ attempt: PairingAttempt) async -> Bool {
        // If some of the bots were paired before, the new tokens have ended their old ones, and so must be kept.
        let paired = Set(attempt.offer.pairing?.bots.map(\.id) ?? [])
        guard attempt.canBeTakenBack, paired.isDisjoint(with: grant.bots.map(\.id)) else { return false }
        return await outlivingCancellation { await self.withdraw(grant, attempt) } ?? false
    }

    /// Runs an operation that may go on for a moment after this task was cancelled; returns `nil` if it has not ended
    /// by then.
    func outlivingCancellation<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (cancellation, cancel) = AsyncStream.makeStream(of: Void.self)
        let (cancellationTimeout, clock) = (configuration.cancellationTimeout, clock)
        // Not a child task, which would be cancelled at once. It is awaited below.
        let work = Task {
            await withTaskGroup(of: Value?.self) { group in
                group.addTask { await body() }
                group.addTask {
                    for await _ in cancellation {
                        try? await clock.sleep(for: cancellationTimeout)
                        break
                    }
                    return nil
                }
                var result: Value?
                for await value in group {
                    group.cancelAll()
                    result = result ?? value
                }
                return result
            }
        }
        return await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            cancel.yield()
        }
    }
}
