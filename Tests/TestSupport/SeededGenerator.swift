import Glibc

/// A SplitMix64 generator: the same seed gives the same random numbers, so that a failure can be reproduced.
package struct SeededGenerator: RandomNumberGenerator {
    /// The seed of the generator.
    package let seed: UInt64

    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        self.state = seed
    }

    /// Creates a generator for fuzzing, seeded with `CLAWRADAR_FUZZ_SEED` if it is set and with a fixed number
    /// otherwise. Prints the seed.
    package static func forFuzzing(_ test: String) -> SeededGenerator {
        let seed = getenv("CLAWRADAR_FUZZ_SEED").flatMap { UInt64(String(cString: $0)) } ?? 0x5EED_C1A3
        print("\(test): CLAWRADAR_FUZZ_SEED=\(seed)")
        return SeededGenerator(seed: seed)
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to but not including `count`, which is at least 1.
    package mutating func draw(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}
