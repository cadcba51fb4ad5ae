internal import DNSSD

/// A publisher that uses a backend that needs a daemon, and another backend while there is no such daemon.
struct FallbackPublisher {
    private let preferred: any ServiceBackend
    private let other: any SilencingBackend

    /// - Parameters:
    ///   - preferred: The backend that publishes while its daemon is present.
    ///   - other: The backend that publishes while it is not.
    init(_ preferred: any ServiceBackend, orElse other: any SilencingBackend) {
        self.preferred = preferred
        self.other = other
    }

    /// See `ServiceBackend.publish(_:updates:report:)`.
    func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        let mover = PublicationMover(report)
        let (preferredUpdates, source) = TXTUpdates.makeSequence()
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await text in updates {
                    mover.texts.update(text)
                    source.send(text)
                }
            }
            group.addTask {
                await self.preferred.publish(advertisement, updates: preferredUpdates) { state in
                    mover.merge { $0.preferredReported(state) }
                }
                // The preferred publisher has failed permanently, or was cancelled.
                mover.close()
            }
            for await isNeeded in mover.isOtherNeeded where isNeeded {
                await publishWithOther(advertisement, mover)
            }
            group.cancelAll()
        }
    }

    /// Lets the other backend publish until it is not needed any more. Then it falls silent at once: the daemon is about to
    /// claim the name.
    private func publishWithOther(_ advertisement: Advertisement, _ mover: PublicationMover) async {
        let (updates, source) = TXTUpdates.makeSequence()
        var present = advertisement
        if let text = mover.texts.follow(with: source) { present.txt = text }
        let moved = present
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.other.publish(moved, updates: updates, goesOnElsewhere: { mover.isBack }) { state in
                    mover.merge { $0.otherReported(state) }
                }
            }
            for await isNeeded in mover.isOtherNeeded where !isNeeded { break }
            group.cancelAll()
        }
    }
}
