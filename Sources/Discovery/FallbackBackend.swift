internal import DNSSD
internal import Synchronization

/// A backend that needs a daemon, and one that works while that daemon is not there.
///
/// If the daemon comes or goes while a browse runs, the work moves over, and the browser sees no service go that stays.
final class FallbackBackend: ServiceBackend {
    /// The time that the backend that takes over may take to see what the former one saw.
    private static let catchUpTime = Duration.seconds(3)

    /// Both tell the browser, from threads of their own.
    private final class Merger: Sendable {
        private struct Report {
            var handover = Handover()

            /// `nil` once nothing is told any more.
            var closure: (@Sendable ([BrowseEvent]) -> Void)?
        }

        private let report: Mutex<Report>

        /// Says each time whether the other backend is needed.
        let isOtherNeeded: AsyncStream<Bool>
        private let needs: AsyncStream<Bool>.Continuation

        init(_ closure: @escaping @Sendable ([BrowseEvent]) -> Void) {
            self.report = Mutex(Report(closure: closure))
            (isOtherNeeded, needs) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        }

        func tell(_ body: (inout Handover) -> [BrowseEvent]) {
            // Told under the lock: one thread at a time, and in the order in which it was merged.
            report.withLock { report in
                let before = report.handover.isOtherNeeded
                let events = body(&report.handover)
                if !events.isEmpty { report.closure?(events) }
                if report.handover.isOtherNeeded != before { needs.yield(!before) }
            }
        }

        func close() {
            report.withLock { $0.closure = nil }
            needs.finish()
        }
    }

    private let preferred: any ServiceBackend
    private let other: any SilencingBackend

    /// The number of browses in which the other backend works now.
    private let othersAtWork = Mutex(0)

    /// - Parameters:
    ///   - preferred: What works while its daemon is there.
    ///   - other: What works while it is not.
    init(_ preferred: any ServiceBackend, orElse other: any SilencingBackend) {
        self.preferred = preferred
        self.other = other
    }

    /// The backend that works now.
    var source: SightingSource { othersAtWork.withLock { $0 } > 0 ? other.source : preferred.source }

    /// The capabilities that both backends have.
    var capabilities: BackendCapabilities { preferred.capabilities.intersection(other.capabilities) }

    func browse(
        _ request: BrowseRequest,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) async {
        let merger = Merger(report)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.preferred.browse(request) { events in merger.tell { $0.tell(events, from: .preferred) } }
            }
            for await isNeeded in merger.isOtherNeeded where isNeeded {
                await browseWithOther(request, merger)
            }
            group.cancelAll()
        }
        merger.close()
    }

    /// Lets the other backend work until it is not needed any more, and a little longer.
    private func browseWithOther(_ request: BrowseRequest, _ merger: Merger) async {
        othersAtWork.withLock { $0 += 1 }
        defer { othersAtWork.withLock { $0 -= 1 } }
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.other.browse(request) { events in merger.tell { $0.tell(events, from: .other) } }
            }
            group.addTask {
                guard (try? await Task.sleep(for: Self.catchUpTime)) != nil else { return }
                merger.tell { $0.settleOnOther() }
            }
            for await isNeeded in merger.isOtherNeeded where !isNeeded {
                // It goes on meanwhile, so that nothing is missed.
                try? await Task.sleep(for: Self.catchUpTime)
                break
            }
            group.cancelAll()
        }
        // When the browse ends nothing is lost: nobody looks any more.
        guard !Task.isCancelled else { return }
        merger.tell { $0.otherIs(nil) + $0.settleOnPreferred() }
    }

    func reconfirm(_ instance: ServiceInstance) {
        preferred.reconfirm(instance)
        other.reconfirm(instance)
    }

    func keep(_ instance: ServiceInstance, _ isKept: Bool) {
        preferred.keep(instance, isKept)
        other.keep(instance, isKept)
    }

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
                    mover.update(text)
                    source.send(text)
                }
            }
            group.addTask {
                await self.preferred.publish(advertisement, updates: preferredUpdates) { state in
                    mover.tell { $0.preferredTold(state) }
                }
                // It has failed for good, or was cancelled.
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
        if let text = mover.follow(with: source) { present.txt = text }
        let moved = present
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.other.publish(moved, updates: updates, goesOnElsewhere: { mover.isBack }) { state in
                    mover.tell { $0.otherTold(state) }
                }
            }
            for await isNeeded in mover.isOtherNeeded where !isNeeded { break }
            group.cancelAll()
        }
    }
}
