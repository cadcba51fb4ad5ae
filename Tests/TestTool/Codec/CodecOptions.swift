/// The options that the tool was given.
struct CodecOptions {
    /// The number of mutated packets that the tool feeds to the codec; 0 for none.
    private(set) var count = 0

    /// The seed of the random numbers.
    private(set) var seed: UInt64 = 1

    /// Indicates whether the tool measures the rates of the codec.
    private(set) var measures = false

    /// Indicates whether the tool prints the packets that it mutates, each as a line with a name and hexadecimal
    /// digits.
    private(set) var printsPackets = false

    private static let usage = "usage: test-tool codec [--count N] [--seed N] [--rates] [--packets]"

    init(_ arguments: some Sequence<String>) throws(CodecToolError) {
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            switch option {
            case "--rates":
                measures = true
            case "--packets":
                printsPackets = true
            case "--count":
                guard let number = rest.popFirst().flatMap({ Int($0) }), number >= 0 else {
                    throw CodecToolError(description: Self.usage)
                }
                count = number
            case "--seed":
                guard let number = rest.popFirst().flatMap({ UInt64($0) }) else {
                    throw CodecToolError(description: Self.usage)
                }
                seed = number
            default:
                throw CodecToolError(description: Self.usage)
            }
        }
        guard count > 0 || measures || printsPackets else { throw CodecToolError(description: Self.usage) }
    }
}
