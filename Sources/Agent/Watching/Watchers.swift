internal import Synchronization

/// The number of those who watch what a part of the agent finds.
///
/// Who watches may come and go at any time, also while the part begins. What the part was told last is therefore compared
/// with the number once more after each telling: otherwise a part that begins at the wrong moment, or is told of two changes
/// in the wrong order, would go on at the wrong pace.
final class Watchers: Sendable {
    private let count = Atomic(0)

    /// Indicates whether anybody watches.
    var areThere: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

    /// Takes in that more or fewer watch.
    func change(by difference: Int) { count.add(difference, ordering: .sequentiallyConsistent) }

    /// Tells a part whether anybody watches, until it knows. Whoever has changed the number calls this, and whoever has begun a
    /// part that others can see.
    func tell(_ part: (Bool) async -> Void) async {
        var told: Bool
        repeat {
            told = areThere
            await part(told)
        } while told != areThere
    }
}
