/// A part of an ``Agent``: it runs as long as the agent does, and once more whenever it ends by itself.
package struct AgentPart: Sendable {
    /// The name of the part, which is not that of another part of the same agent.
    package let name: String

    let run: @Sendable (PartReporter) async throws -> Void

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - run: Runs the part until it is cancelled. It is called again some time after it has thrown or returned by
    ///     itself, so that it makes everything anew that runs only once. It reports when it works.
    package init(_ name: String, run: @escaping @Sendable (PartReporter) async throws -> Void) {
        self.name = name
        self.run = run
    }
}

/// Tells an ``Agent`` how one of its parts does.
package struct PartReporter: Sendable {
    /// The reason of a part that cannot begin before the store is open. The part of the store says why it is not, so that it is
    /// no warning.
    static let waitsForStore = "it waits for the store of pairings"

    private let take: @Sendable (String?) -> Void

    init(_ take: @escaping @Sendable (String?) -> Void) {
        self.take = take
    }

    /// Reports that the part works in full.
    package func works() { take(nil) }

    /// Reports that the part works only in part.
    ///
    /// - Parameter reason: What it cannot do and why, for people.
    package func isImpaired(_ reason: String) { take(reason) }

    /// Reports that the part works: in full if there is no reason for anything else.
    package func works(except reason: String?) { take(reason) }
}

/// The reason why a part has ended, where no error of its own says it.
package struct PartEnd: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}
