internal import GatewayProtocol
internal import Logging

/// Withdrawing what a gateway has granted.
extension PairingCoordinator {
    /// Withdraws a grant, or the part of one, that is not kept; returns `false` if that is impossible or fails.
    ///
    /// It is written down first: if the gateway cannot be told now, it is told like any other pairing that was ended
    /// here, as soon as it is seen again.
    @discardableResult
    func withdraw(_ grant: PairingGrant, _ attempt: PairingAttempt) async -> Bool {
        let bots = BotSelection.some(grant.bots.map(\.id))
        let intent = await noteIntent(grant, attempt)
        do {
            guard let dialect = PairingDialects.all[attempt.offer.dialect] else { return false }
            try await dialect.unpair(bots, as: try await device(for: attempt), through: connection(attempt))
        } catch {
            logger?.warning("a pairing that is not kept is still known to the gateway: \(error)")
            return false
        }
        // If this fails, the gateway is told once more.
        if let intent { _ = try? await stored { store throws(StoreError) in try store.removeWithdrawn(intent) } }
        return true
    }

    /// Writes down that a grant is to be withdrawn; `nil` if it cannot be written.
    private func noteIntent(_ grant: PairingGrant, _ attempt: PairingAttempt) async -> PairingID? {
        // A device cannot remove itself from every gateway, and a grant without tokens opens nothing.
        guard attempt.offer.dialect.letsDevicesLeave, !grant.tokens.isEmpty else { return nil }
        do throws(PairingError) {
            return try await stored { store throws(StoreError) in
                let time = self.configuration.now()
                let (pairing, secrets) = try self.pairing(grant, attempt, at: time)
                try store.insertForWithdrawal(pairing, secrets: secrets, at: time)
                return pairing.id
            }
        } catch {
            logger?.warning("a pairing that is not kept could not be written down: \(error)")
            return nil
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
