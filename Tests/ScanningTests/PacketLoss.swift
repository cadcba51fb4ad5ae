import TestSupport

/// The delays that lost packets cause over TCP, which sends them again.
struct PacketLoss {
    /// The share of packets that is lost in each direction.
    let share: Double
    private var random: SeededGenerator

    init(share: Double, seed: UInt64) {
        self.share = share
        self.random = SeededGenerator(seed: seed)
    }

    /// Returns the additional delay of one exchange: if the packet or its answer is lost, it is sent again after
    /// `first`, then after twice that time.
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

    /// Returns the additional delay of opening a connection (RFC 6298 §2.1).
    mutating func connecting() -> Duration { delay(first: .seconds(1)) }

    /// Returns the additional delay of a question over an open connection with a short round-trip time.
    mutating func exchange() -> Duration { delay(first: .milliseconds(200)) }
}
