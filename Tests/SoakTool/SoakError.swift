/// An error that tells why a soak has failed.
struct SoakError: Error, CustomStringConvertible {
    let description: String
}
