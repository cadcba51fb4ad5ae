internal import DNSMessages
internal import DNSSamples
internal import TestSupport

/// Mutated packets, one after the other, and what the codec promises of each.
struct MutationRun {
    private var generator: SeededGenerator
    private let corpus: [[UInt8]]

    /// The number of packets that were decoded as messages.
    private(set) var accepted = 0

    init(seed: UInt64) throws {
        self.generator = SeededGenerator(seed: seed)
        self.corpus = try DNSSamples.packets()
    }

    /// One more packet.
    ///
    /// - Returns: Which promise is broken, if one is.
    mutating func step() -> String? {
        let original = corpus[Int(generator.next() % UInt64(corpus.count))]
        let packet = generator.mutatePacket(original)
        guard let message = try? DNSMessage(decoding: packet) else { return nil }
        accepted += 1
        return DNSSamples.complaint(about: message).map { "\($0): \(packet)" }
    }
}
