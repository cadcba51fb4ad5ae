internal import DNSSD
internal import DNSSamples
internal import TestSupport

/// Feeds the codec mutated packets, and measures it.
///
///     scripts/fuzz codec --count 1000000 --seed 1
///
/// That compiles this folder and the codec alone, as they ship, since the whole tool takes many minutes to build for
/// release.
///
/// A packet that makes the codec trap ends the tool. A packet that the codec handles wrongly is printed, and the exit
/// status is 1.
enum CodecTool {
    /// - Parameter also: Returns a description of what else is wrong with a packet, if anything.
    static func run(_ arguments: [String], also: @escaping ([UInt8]) -> String? = { _ in nil }) throws {
        let options = try CodecOptions(arguments)
        if options.printsPackets {
            for (index, packet) in try DNSSamples.packets().enumerated() {
                let digits = packet.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                print("packet-\(index)", digits.joined())
            }
        }
        if options.count > 0 {
            var run = try MutationRun(seed: options.seed, also: also)
            for _ in 0..<options.count {
                if let complaint = run.step() {
                    print(complaint)
                    throw CodecToolError(description: "a promise of the codec is broken, with --seed \(options.seed)")
                }
            }
            print("\(options.count) mutated packets, \(run.accepted) of them accepted, --seed \(options.seed)")
        }
        if options.measures {
            let rates = try CodecRates.measure()
            print("bytes=\(rates.bytes) decoded_per_second=\(rates.decoded) encoded_per_second=\(rates.encoded)")
        }
    }
}
