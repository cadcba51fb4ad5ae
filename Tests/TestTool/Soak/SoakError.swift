/// The reason why a soak test has failed.
struct SoakError: Error, CustomStringConvertible {
    let description: String
}
