/// A reason why nothing could be measured.
enum MapBenchError: Error {
    /// The map does not show what it was told of.
    case rows(Int, expected: Int)

    /// A made-up value breaks the rules of its type.
    case badSample(String)
}
