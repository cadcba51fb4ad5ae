internal import DNSSD
internal import DNSSamples

/// The speed of the codec with a typical response, on one core.
struct CodecRates {
    /// The length of the response, in bytes.
    let bytes: Int

    /// The number of messages decoded per second.
    let decoded: Int

    /// The number of messages encoded per second.
    let encoded: Int

    static func measure() throws -> CodecRates {
        let message = try DNSSamples.response()
        let packet = message.encoded(compression: .multicast).bytes
        return CodecRates(
            bytes: packet.count,
            decoded: try rate { (try DNSMessage(decoding: packet)).additionals.count },
            encoded: rate { message.encoded(compression: .multicast).bytes.count }
        )
    }

    /// Returns the best rate of five runs, since other programs on the machine can only slow them down.
    private static func rate(_ work: () throws -> Int) rethrows -> Int {
        let turns = 200_000
        var best = 0
        for _ in 0..<5 {
            var sum = 0
            let start = ContinuousClock.now
            for _ in 0..<turns { sum &+= try work() }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            // The sum is used, so that the compiler cannot remove the work.
            if sum > 0 { best = max(best, Int(Double(turns) / seconds)) }
        }
        return best
    }
}
