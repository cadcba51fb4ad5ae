internal import DNSSD
internal import HostSystem
internal import Synchronization

/// A backend that says when this host has no network, or not the interfaces that were named, and goes on when they come.
struct NetworkAwareBackend: ServiceBackend {
    private let backend: any ServiceBackend

    /// Indicates whether a publication has to begin anew when a named interface comes or comes back: daemons take the indices
    /// that interfaces have when it begins.
    private let isBoundToIndices: Bool

    /// Returns the interfaces as they are now.
    private let interfaces: @Sendable () -> MulticastInterfaces

    /// Returns the changes of this host's network.
    private let changes: @Sendable () -> AsyncStream<Void>

    init(
        _ backend: any ServiceBackend,
        isBoundToIndices: Bool,
        interfaces: @escaping @Sendable () -> MulticastInterfaces = { .current },
        changes: @escaping @Sendable () -> AsyncStream<Void> = { NetworkChanges.stream() }
    ) {
        self.backend = backend
        self.isBoundToIndices = isBoundToIndices
        self.interfaces = interfaces
        self.changes = changes
    }

    var source: SightingSource { backend.source }

    var capabilities: BackendCapabilities { backend.capabilities }

    func reconfirm(_ instance: ServiceInstance) { backend.reconfirm(instance) }

    func protect(_ instance: ServiceInstance, _ isProtected: Bool) { backend.protect(instance, isProtected) }

    func browse(_ request: BrowseRequest, report: @escaping @Sendable ([BrowseEvent]) -> Void) async {
        let changes = changes()
        let check = Checked(NetworkCheck())
        let lack = interfaces().lack(of: request.interfaces)
        check.report { check in check.take(lack).status.map { report([.status($0)]) } }
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in changes {
                    let lack = interfaces().lack(of: request.interfaces)
                    check.report { check in check.take(lack).status.map { report([.status($0)]) } }
                }
            }
            await backend.browse(request) { events in check.report { report($0.take(events)) } }
            group.cancelAll()
        }
    }

    func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        // A daemon may have a network where this process has none, as in a container that was given its socket.
        guard !isBoundToIndices || !advertisement.interfaces.isEmpty else {
            return await backend.publish(advertisement, updates: updates, report: report)
        }
        let changes = changes()
        let check = Checked(NetworkCheck())
        let lack = interfaces().lack(of: advertisement.interfaces)
        check.report { _ = $0.take(lack) }
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in changes {
                    let lack = interfaces().lack(of: advertisement.interfaces)
                    check.report { check in check.take(lack).publication.map(report) }
                }
            }
            if isBoundToIndices {
                await publishAnew(advertisement, updates) { state in check.report { report($0.take(state)) } }
            } else {
                await backend.publish(advertisement, updates: updates) { state in
                    check.report { report($0.take(state)) }
                }
            }
            group.cancelAll()
        }
    }

    /// Publishes, and again whenever the named interfaces are others.
    private func publishAnew(
        _ advertisement: Advertisement,
        _ updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        let (changes, texts) = (changes(), TXTRelay())
        await withDiscardingTaskGroup { group in
            group.addTask { for await text in updates { texts.update(text) } }
            while await !publish(advertisement, texts, report, until: changes) {}
            group.cancelAll()
        }
    }

    /// Publishes on those of the named interfaces that are there, until they are others.
    ///
    /// - Returns: `true` if that has ended for good.
    private func publish(
        _ advertisement: Advertisement,
        _ texts: TXTRelay,
        _ report: @escaping @Sendable (PublicationState) -> Void,
        until changes: AsyncStream<Void>
    ) async -> Bool {
        let present = interfaces().indices(of: advertisement.interfaces)
        let (updates, source) = TXTUpdates.makeSequence()
        var advertised = advertisement
        if let text = texts.follow(with: source) { advertised.txt = text }
        let chosen = advertised
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                guard !present.isEmpty else {
                    report(.publishing(waitingFor: nil))
                    await Task.untilCancelled()
                    return true
                }
                await backend.publish(chosen, updates: updates) { state in
                    // It ends only to begin anew; the end of all is reported by the advertiser.
                    report(state == .withdrawn ? .publishing(waitingFor: nil) : state)
                }
                return true
            }
            group.addTask {
                for await _ in changes where interfaces().indices(of: advertisement.interfaces) != present {
                    return false
                }
                await Task.untilCancelled()
                return true
            }
            defer { group.cancelAll() }
            return await group.next() ?? true
        }
    }
}

/// A check that is used by several threads: reports are made under its lock, one at a time and in order.
private final class Checked: Sendable {
    private let check: Mutex<NetworkCheck>

    init(_ check: NetworkCheck) { self.check = Mutex(check) }

    func report(_ body: (inout NetworkCheck) -> Void?) { check.withLock { _ = body(&$0) } }
}
