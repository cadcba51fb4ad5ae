import Synchronization
import Testing

@testable import Agent

/// A part knows whether anybody watches, whenever they come and go.
@Suite struct WatchersTests {
    private final class Last: Sendable {
        let isWatched = Mutex(false)
    }

    /// Somebody who comes while the part is told that there is nobody is not forgotten: before, gateways were asked every
    /// 30 s instead of every 2 s as long as the agent ran.
    @Test func whoComesMeanwhileIsToldOf() async {
        let watchers = Watchers()
        var told: [Bool] = []
        await watchers.tell { isWatched in
            if told.isEmpty { watchers.change(by: 1) }
            told.append(isWatched)
        }
        #expect(told == [false, true])
    }

    /// However tellings overtake each other, the last one is right.
    @Test func theLastTellingIsRight() async {
        let watchers = Watchers()
        let last = Last()
        for round in 0..<200 {
            await withDiscardingTaskGroup { group in
                for difference in round.isMultiple(of: 2) ? [1, 1, -1] : [-1, 1, -1] {
                    group.addTask {
                        watchers.change(by: difference)
                        await watchers.tell { isWatched in
                            await Task.yield()
                            last.isWatched.withLock { $0 = isWatched }
                        }
                    }
                }
            }
            #expect(last.isWatched.withLock(\.self) == round.isMultiple(of: 2))
        }
    }
}
