import DNSSD
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// A publication that moves between two backends, of which one publishes at a time.
@Suite(.timeLimit(.minutes(1))) struct PublicationHandoverTests {
    private let waiting = PublicationState.publishing(waitingFor: Samples.noDaemon)

    @Test func theMoveToTheOtherBackendAndBackIsNotTold() {
        var handover = PublicationHandover()
        let steps = [
            handover.preferredReported(.publishing(waitingFor: nil)),
            handover.preferredReported(.published(name: "Home")),
            // The daemon goes away.
            handover.preferredReported(waiting),
            handover.otherReported(.publishing(waitingFor: nil)),
            handover.otherReported(.published(name: "Home")),
            // The daemon is back.
            handover.preferredReported(.publishing(waitingFor: nil)),
            handover.otherReported(.withdrawn),
            handover.preferredReported(.published(name: "Home")),
        ]
        #expect(steps == [.publishing(waitingFor: nil), .published(name: "Home"), nil, nil, nil, nil, nil, nil])
    }

    @Test func anotherNameIsTold() {
        var handover = PublicationHandover()
        let steps = [
            handover.preferredReported(waiting),
            handover.otherReported(.renamed(from: "Home", to: "Home #2")),
            handover.otherReported(.published(name: "Home #2")),
            handover.preferredReported(.published(name: "Home")),
        ]
        #expect(
            steps == [
                nil, .renamed(from: "Home", to: "Home #2"), .published(name: "Home #2"), .published(name: "Home"),
            ]
        )
    }

    /// The other backend does not take over from a daemon that hangs, since that daemon still runs and owns the
    /// publication.
    @Test func aHangingDaemonIsNotReplaced() {
        var handover = PublicationHandover()
        let hanging = PublicationState.publishing(waitingFor: BackendError(.daemonNotAnswering, "hangs"))
        let reported = handover.preferredReported(hanging)
        #expect(reported == hanging)
        #expect(!handover.isOtherNeeded)
    }

    /// The failure of the preferred backend does not count as its return: the other backend must not fall silent but
    /// end the publication with a goodbye.
    @Test func aFailureOfThePreferredBackendIsNoReasonForSilence() {
        var handover = PublicationHandover()
        _ = handover.preferredReported(waiting)
        #expect(!handover.isPreferredBack)
        _ = handover.preferredReported(.failed(BackendError(.refused, "no")))
        #expect(!handover.isPreferredBack)
    }

    /// The other backend takes over with the latest TXT record, and ends without a goodbye only when the daemon is
    /// back.
    @Test func theOtherBackendTakesOverWhatIsPublishedAndFallsSilent() async throws {
        let (preferred, other) = (FakeBackend(), SilentFake())
        let backend = FallbackPublisher(preferred, orElse: other)
        let (updates, source) = TXTUpdates.makeSequence()
        let advertisement = Advertisement(name: "Home", types: [Samples.type], port: 3_000, txt: Samples.txt("1"))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await backend.publish(advertisement, updates: updates) { _ in } }
            await preferred.started()
            source.send(Samples.txt("2"))
            #expect(await preferred.nextUpdate() == Samples.txt("2"))
            preferred.send(waiting)
            await other.base.started()
            #expect(other.base.advertisements.map(\.txt) == [Samples.txt("2")])
            preferred.send(.publishing(waitingFor: nil))
            #expect(await other.end() == true)
            preferred.send(waiting)
            await other.base.started()
            // The user ends the publication, so that a goodbye is due.
            group.cancelAll()
            #expect(await other.end() == false)
        }
        #expect(!preferred.isRunning)
        #expect(!other.base.isRunning)
    }

    /// A backend that records whether it was asked to end without a goodbye.
    private final class SilentFake: SilencingBackend {
        let base = FakeBackend()
        let source = SightingSource(rawValue: "silent")
        let capabilities = BackendCapabilities.all
        private let ends = AsyncStream.makeStream(of: Bool.self)

        func browse(_ request: BrowseRequest, report: @escaping @Sendable ([BrowseEvent]) -> Void) async {
            await base.browse(request, report: report)
        }

        func publish(
            _ advertisement: Advertisement,
            updates: TXTUpdates,
            report: @escaping @Sendable (PublicationState) -> Void
        ) async {
            await base.publish(advertisement, updates: updates, report: report)
        }

        func publish(
            _ advertisement: Advertisement,
            updates: TXTUpdates,
            goesOnElsewhere: @escaping @Sendable () -> Bool,
            report: @escaping @Sendable (PublicationState) -> Void
        ) async {
            await base.publish(advertisement, updates: updates, report: report)
            ends.continuation.yield(goesOnElsewhere())
        }

        /// Waits for the next call to end, and returns whether it was asked to end without a goodbye.
        func end() async -> Bool? {
            for await isSilent in ends.stream { return isSilent }
            return nil
        }
    }
}
