internal import DNSSD
internal import Discovery

/// A publication, from its beginning to its withdrawal.
struct GatewayPublication: Sendable {
    private let advertiser: Advertiser
    private let end = AsyncStream.makeStream(of: Never.self)

    init(_ advertisement: Advertisement, backend: any ServiceBackend) throws(BackendError) {
        self.advertiser = try Advertiser(advertisement, backend: backend)
    }

    /// Publishes until ``withdraw()`` or until the task is cancelled, and returns when everything is withdrawn.
    func run(report: @escaping @Sendable (PublicationState) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            // The only error is that the advertiser was run before, which nothing else does.
            group.addTask { try? await advertiser.run() }
            group.addTask {
                for await _ in end.stream {}
            }
            group.addTask {
                for await state in advertiser.states { report(state) }
            }
            // The first task to end ends the others: the publication has failed, or is no longer wanted.
            await group.next()
            group.cancelAll()
        }
        // The task that reads the states may have been cancelled before the last one.
        if case .failed = advertiser.currentState { report(advertiser.currentState) }
    }

    /// Replaces the TXT record.
    func update(_ txt: TXTRecord) throws(BackendError) {
        try advertiser.update(txt: txt)
    }

    /// Withdraws the publication.
    func withdraw() {
        end.continuation.finish()
    }
}
