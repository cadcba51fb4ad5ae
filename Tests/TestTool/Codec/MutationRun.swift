internal import DNSSD
internal import DNSSamples
internal import TestSupport

/// A sequence of mutated packets, each of which is checked with the codec.
struct MutationRun {
    private var generator: SeededGenerator
    private let corpus: [[UInt8]]
    private let also: ([UInt8]) -> String?

    /// The number of packets that were decoded as messages, or parts of them.
    private(set) var accepted = 0

    /// - Parameter also: Returns a description of what else is wrong with a packet, if anything.
    init(seed: UInt64, also: @escaping ([UInt8]) -> String?) throws {
        self.generator = SeededGenerator(seed: seed)
        self.corpus = try DNSSamples.packets()
        self.also = also
    }

    /// Checks the next mutated packet.
    ///
    /// - Returns: A description of what the codec does wrong with it, if anything.
    mutating func step() -> String? {
        let original = corpus[Int(generator.next() % UInt64(corpus.count))]
        let packet = generator.mutatePacket(original)
        if (try? DNSReceivedMessage(decoding: packet)) != nil { accepted += 1 }
        return (DNSSamples.complaint(aboutReceived: packet) ?? also(packet)).map { "\($0): \(packet)" }
    }
}
