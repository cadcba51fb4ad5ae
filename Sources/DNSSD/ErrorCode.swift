/// The code of an error: the kind of trouble, for programs to compare. More may be added to those of each error.
public struct ErrorCode<Failure>: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, which stays the same from version to version: for logs.
    public let description: String

    /// Makes the code that has the name of the member that calls this.
    package init(_ name: String = #function) {
        self.description = name
    }
}
