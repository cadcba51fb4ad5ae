import TestSupport

/// Packets that get lost, and what TCP makes of it: they come later.
struct PacketLoss {
    /// The share of packets that is lost, each way.
    let share: Double
    private var random: SeededGenerator

    init(share: Double, seed: UInt64) {
        self.share = share
        self.random = SeededGenerator(seed: seed)
    }

    /// Returns the delay of one exchange: a packet, or the answer to it, is sent again after `first`, then after twice
    /// that.
    private mutating func delay(first: Duration) -> Duration {
        var delay = Duration.zero
        var wait = first
        for _ in 0..<6 {
            let isLost =
                Double.random(in: 0..<1, using: &random) < share || Double.random(in: 0..<1, using: &random) < share
            guard isLost else { break }
            delay += wait
            wait *= 2
        }
        return delay
    }

    /// Of a connection that is made (RFC 6298 §2.1).
    mutating func connecting() -> Duration { delay(first: .seconds(1)) }

    /// Of a question on one that is there, where the round trip is short.
    mutating func exchange() -> Duration { delay(first: .milliseconds(200)) }
}
