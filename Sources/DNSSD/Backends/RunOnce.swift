internal import Synchronization

/// The error of a second call of a `run()` that may be called once. It is a fault of the program, which nobody tells from others.
package struct AlreadyRunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the type whose `run()` was called.
    package let type: String

    package init(type: String) {
        self.type = type
    }

    package var description: String {
        "expected one call of run() for each \(type), found a second one: make another \(type) to run again"
    }
}

/// A part of a program that runs once: it begins with nothing, and its readers need not know which run they follow.
package final class RunOnce: Sendable {
    private let type: String
    private let isBegun = Atomic(false)

    /// - Parameter type: The type that runs.
    package init(_ type: Any.Type) {
        self.type = "\(type)"
    }

    /// Begins the run; throws if it has begun before.
    package func begin() throws(AlreadyRunError) {
        guard !isBegun.exchange(true, ordering: .acquiringAndReleasing) else { throw AlreadyRunError(type: type) }
    }
}
