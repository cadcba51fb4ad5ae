/// A reason why the measurement failed.
enum MapBenchError: Error {
    /// The map has another number of rows than there are gateways.
    case rows(Int, expected: Int)

    /// A sample value is not valid for its type.
    case badSample(String)
}
