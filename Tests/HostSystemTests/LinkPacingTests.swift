import Testing

@testable import HostSystem

/// The pacing of looks at the links when interfaces change once or very often.
@Suite struct LinkPacingTests {
    private let start = ContinuousClock.now

    /// Returns the times at which the links are looked at if they change at the given times.
    private func looks(_ changes: some Sequence<Duration>) -> [Duration] {
        var pacing = LinkPacing()
        var looks: [Duration] = []
        func look(until time: Duration) {
            guard let due = pacing.due, due <= start + time else { return }
            pacing.noteLook(now: due)
            looks.append(due - start)
        }
        for change in changes {
            look(until: change)
            pacing.noteChange(now: start + change)
        }
        look(until: .seconds(1_000))
        return looks
    }

    @Test func aFirstChangeIsLookedAtAtOnceWithThoseThatComeWithIt() {
        #expect(looks((0..<15).map { .milliseconds($0) }) == [.milliseconds(20)])
        // Plugging in a cable causes such changes: the link, its address, a further address.
        #expect(
            looks([.zero, .seconds(1), .milliseconds(2_500)])
                == [.milliseconds(20), .milliseconds(1_020), .milliseconds(2_520)]
        )
    }

    @Test func aStreamOfChangesIsLookedAtOnceASecond() {
        let looks = looks((0..<1_000).map { .milliseconds($0 * 10) })
        #expect(looks.count <= 16, "\(looks)")
        for (one, next) in zip(looks, looks.dropFirst()) { #expect(next - one <= .milliseconds(1_010)) }
        #expect((looks.last ?? .zero) >= .milliseconds(9_990), "the last change is not missed")
    }

    @Test func afterAQuietTimeTheNextOneIsAFirstOneAgain() {
        let looks = looks((0..<500).map { .milliseconds($0 * 10) } + [.seconds(10)])
        #expect(looks.last == .milliseconds(10_020))
    }
}
