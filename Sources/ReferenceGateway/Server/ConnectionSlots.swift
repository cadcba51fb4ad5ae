internal import DNSSD
internal import Synchronization

/// A limited number of slots, one for each connection, of which no address may take more than a share.
///
/// Released OpenClaw gateways, too, allow each address 32. Loopback addresses may take all.
final class ConnectionSlots: Sendable {
    /// The divisor for the share: one address may have a quarter of all slots.
    private static let share = 4

    private struct State {
        var free: Int
        var taken = 0

        /// The number of slots that each address holds, if any.
        var held: [IPAddress: Int] = [:]
    }

    private let limit: Int
    private let state: Mutex<State>

    init(_ count: Int) {
        limit = max(1, count / Self.share)
        state = Mutex(State(free: count))
    }

    /// Takes a slot.
    ///
    /// - Parameter address: The address that connects; `nil` if it is not known.
    /// - Returns: The number of the connection, counted from 1; `nil` when there is no slot left for that address.
    func take(for address: IPAddress?) -> Int? {
        state.withLock { state in
            guard state.free > 0, isWithinShare(address, state) else { return nil }
            state.free -= 1
            state.taken += 1
            if let address { state.held[address, default: 0] += 1 }
            return state.taken
        }
    }

    private func isWithinShare(_ address: IPAddress?, _ state: State) -> Bool {
        guard let address, !address.isLoopback else { return true }
        return state.held[address, default: 0] < limit
    }

    /// Gives a slot back.
    func give(for address: IPAddress?) {
        state.withLock { state in
            state.free += 1
            guard let address, let count = state.held[address] else { return }
            state.held[address] = count > 1 ? count - 1 : nil
        }
    }
}
