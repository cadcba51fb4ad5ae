internal import Discovery
internal import Logging
internal import Pairing

/// The part that keeps the backup of the pairings in the cloud, where somebody is signed in. Nothing waits for it.
final class CloudBackupPart: Sendable {
    private let store: StorePart
    private let logger: Logger?

    init(_ store: StorePart, _ logger: Logger?) {
        (self.store, self.logger) = (store, logger)
    }

    func run(_ reporter: PartReporter) async throws {
        reporter.isImpaired(PartReporter.waitsForStore)
        for await store in self.store.stores {
            guard let store else { continue }
            await follow(store, reporter)
        }
    }

    /// Sends and reads until the store is closed.
    private func follow(_ store: PairingStore, _ reporter: PartReporter) async {
        let sync = CloudSync(store)
        var plan = CloudPlan()
        var changes = await store.changes.begin()
        while !Task.isCancelled {
            let reads = plan.reads(now: .now)
            do throws(CloudError) {
                let arrivals = try await sync.run(reads: reads)
                let hasChanged = arrivals.map { !$0.isEmpty || $0.sent > 0 } ?? false
                plan.succeed(hasRead: arrivals != nil && reads, hasChanged: hasChanged, now: .now)
                if let arrivals { tell(arrivals) }
            } catch {
                plan.fail(asked: error.pause, now: .now)
            }
            let account = try? await store.perform { store throws(StoreError) in try store.cloudAccount() }
            reporter.works(except: account?.isTrouble == true ? account?.trouble : nil)
            guard account?.isSignedIn == true else {
                plan = CloudPlan()
                guard await changes.next(isolation: nil) != nil else { return }
                continue
            }
            let wait = plan.wait(now: .now)
            guard (try? await Task.sleep(for: wait.atLeast)) != nil else { return }
            guard wait.atMost > wait.atLeast else { continue }
            guard await changes.next(ifRead: false, orAfter: wait.atMost - wait.atLeast, isolation: nil) != nil else {
                return
            }
        }
    }

    private func tell(_ arrivals: CloudArrivals) {
        for name in arrivals.came { logger?.notice("cloud: \(name) has come from another device") }
        for name in arrivals.known { logger?.notice("cloud: \(name) is known from another device: pair with it here") }
        for name in arrivals.ended {
            logger?.notice("cloud: \(name) was unpaired on another device, and is in the bin")
        }
    }
}
