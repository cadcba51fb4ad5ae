/// Why a soak has failed.
struct SoakError: Error, CustomStringConvertible {
    let description: String
}
