internal import DNSSD
internal import GatewayProtocol
internal import Logging
internal import PairingStore

/// Giving back what was granted.
extension PairingCoordinator {
    /// Gives back what cannot be kept, as well as can be.
    @discardableResult
    func withdraw(_ grant: PairingGrant, _ attempt: PairingAttempt) async -> Bool {
        let bots = BotSelection.some(grant.bots.map(\.id))
        do {
            guard let dialect = PairingDialects.all[attempt.offer.dialect] else { return false }
            try await dialect.unpair(bots, as: device, through: door(attempt))
            return true
        } catch {
            logger.warning("a pairing that could not be kept is still known to the gateway: \(error)")
            return false
        }
    }

    /// Gives back what was granted after the user had given it up.
    ///
    /// - Returns: Whether the gateway has taken it back.
    func takeBack(_ grant: PairingGrant, _ attempt: PairingAttempt) async -> Bool {
        // Its new tokens have ended those that there were.
        let paired = Set(attempt.offer.pairing?.bots.map(\.id) ?? [])
        guard attempt.canBeTakenBack, paired.isDisjoint(with: grant.bots.map(\.id)) else { return false }
        return await outlivingCancellation { await self.withdraw(grant, attempt) } ?? false
    }

    /// Runs something that goes on for a moment after this task was cancelled; `nil` where it has not ended then.
    func outlivingCancellation<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (cancellation, cancel) = AsyncStream.makeStream(of: Void.self)
        let (farewell, clock) = (configuration.farewell, clock)
        // Not a child, which would be cancelled at once. It is waited for.
        let work = Task {
            await withTaskGroup(of: Value?.self) { group in
                group.addTask { await body() }
                group.addTask {
                    for await _ in cancellation {
                        try? await clock.sleep(until: clock.now + farewell, tolerance: nil)
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
