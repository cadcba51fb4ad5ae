internal import DNSSD
internal import Discovery

/// One publication, from its beginning to its withdrawal.
struct GatewayPublication: Sendable {
    private let advertiser: Advertiser
    private let end = AsyncStream.makeStream(of: Never.self)

    init(_ advertisement: Advertisement, backend: any ServiceBackend) throws(BackendError) {
        self.advertiser = try Advertiser(advertisement, backend: backend)
    }

    /// Publishes until ``withdraw()`` or until the task is cancelled, and returns when everything is withdrawn.
    func run(report: @escaping @Sendable (PublicationState) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await advertiser.run() }
            group.addTask {
                for await _ in end.stream {}
            }
            group.addTask {
                for await state in advertiser.states { report(state) }
            }
            // Whatever ends first ends all: it has failed, or nobody wants it any more.
            await group.next()
            group.cancelAll()
        }
        // Whoever reads the states may have been cancelled before the last one.
        if case .failed = advertiser.currentState { report(advertiser.currentState) }
    }

    /// Replaces the TXT record.
    func update(_ txt: TXTRecord) throws(BackendError) {
        try advertiser.update(txt: txt)
    }

    /// Takes it back.
    func withdraw() {
        end.continuation.finish()
    }
}
