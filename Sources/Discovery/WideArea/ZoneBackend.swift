package import DNSSD
internal import HostSystem
package import Logging
internal import Synchronization

/// A zone in which services are published, and by whom.
package struct ZoneConfiguration: Sendable {
    /// The domain: the zone, or one in it.
    package var domain: DomainName

    /// The key that the zone's server has.
    package var signer: TransactionSigner

    /// The zone's primary server; `nil` for the one that the zone names.
    package var server: Endpoint?

    /// The publisher: the same after a crash, and no other's; up to 16 letters and digits.
    package var owner: String

    /// Indicates whether browsers of the domain above are led to this one.
    package var isPointed: Bool

    package init(
        domain: DomainName,
        signer: TransactionSigner,
        server: Endpoint? = nil,
        owner: String,
        isPointed: Bool = false
    ) {
        self.domain = domain
        self.signer = signer
        self.server = server
        self.owner = owner
        self.isPointed = isPointed
    }
}

/// A backend that publishes services in a zone, by updates of its server (RFC 2136). It finds none.
///
/// All publications of one value share their updates.
package struct ZoneBackend: ServiceBackend {
    private let updater: ZoneUpdater

    /// - Throws: ``BackendError`` with the code `invalid` if the domain is too long.
    package init(_ configuration: ZoneConfiguration, logger: Logger? = nil) throws(BackendError) {
        let domain = configuration.domain
        let server = configuration.server.map(\.description) ?? "of \(domain)"
        let key = configuration.signer.name
        let names: ZoneNames
        do { names = try ZoneNames(domain) } catch { throw BackendError(.invalid, "\(error)") }
        let publisher = ZonePublisher(names, owner: configuration.owner, isPointed: configuration.isPointed) {
            problem in
            problem.error(zone: domain, server: server, key: key)
        }
        updater = ZoneUpdater(
            publisher,
            ZoneServer(configuration.server, signer: configuration.signer),
            logger: logger
        )
    }

    /// See `ServiceBackend.source`.
    package var source: SightingSource { .zone }

    /// See `ServiceBackend.capabilities`.
    package var capabilities: BackendCapabilities { .reportsRenamesAtOnce }

    /// See `ServiceBackend.browse(_:report:)`.
    package func browse(_ request: BrowseRequest, report: @escaping @Sendable ([BrowseEvent]) -> Void) async {
        await Task.untilCancelled()
    }

    /// Publishes a service of this host, with its present addresses.
    package func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        let changes = NetworkChanges.stream()
        var service = ZoneService(ofThisHost: advertisement)
        let (news, source) = AsyncStream.makeStream(of: TXTRecord?.self)
        let number = await updater.add(service) { state in
            report(state)
            if case .failed = state { source.finish() }
        }
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in changes { source.yield(nil) } }
            group.addTask { for await txt in updates { source.yield(txt) } }
            for await txt in news {
                service.txt = txt ?? service.txt
                service.addresses = ZoneService.addresses(on: advertisement.interfaces)
                await updater.replace(number, by: service)
            }
            group.cancelAll()
        }
        // Whoever is cancelled still has to take back what it has published.
        await Task { await updater.remove(number) }.value
    }
}

extension ZoneBackend {
    /// Keeps sets of services in the zone, the latest one at any time, until the task is cancelled. Then they are removed.
    ///
    /// - Parameters:
    ///   - sets: The sets, each service under a key of its own.
    ///   - report: Receives why a service is not in the zone, or may not stay there, and `nil` once all are.
    package func keep<Key: Hashable & Sendable>(
        _ sets: AsyncStream<[Key: ZoneService]>,
        report: @escaping @Sendable (BackendError?) -> Void
    ) async {
        let troubles = ZoneTroubles<Key>(report)
        var kept: [Key: (number: Int, service: ZoneService)] = [:]
        for await services in sets {
            for (key, old) in kept where services[key] == nil {
                await updater.drop(old.number)
                troubles.forget(key)
                kept[key] = nil
            }
            for (key, service) in services where kept[key]?.service != service {
                if let number = kept[key]?.number {
                    await updater.replace(number, by: service)
                    kept[key] = (number, service)
                } else {
                    let number = await updater.add(service) { troubles.take($0, of: key) }
                    kept[key] = (number, service)
                }
            }
        }
        let numbers = kept.values.map(\.number)
        // Whoever is cancelled still has to take back what it has published.
        await Task { [updater] in
            await withDiscardingTaskGroup { group in
                for number in numbers { group.addTask { await updater.remove(number) } }
            }
        }.value
    }
}

/// The services that are not in their zone, and why: what is told of them together.
private final class ZoneTroubles<Key: Hashable & Sendable>: Sendable {
    private let errors = Mutex<[Key: BackendError]>([:])
    private let report: @Sendable (BackendError?) -> Void

    init(_ report: @escaping @Sendable (BackendError?) -> Void) {
        self.report = report
    }

    func take(_ state: PublicationState, of key: Key) {
        switch state {
        case .publishing(waitingFor: let error?), .failed(let error): tell { $0[key] = error }
        case .published: tell { $0[key] = nil }
        case .publishing, .renamed, .withdrawn: break
        }
    }

    func forget(_ key: Key) { tell { $0[key] = nil } }

    private func tell(_ body: (inout [Key: BackendError]) -> Void) {
        report(
            errors.withLock { errors in
                body(&errors)
                return errors.values.min { $0.message < $1.message }
            }
        )
    }
}

extension ZoneService {
    /// Creates the service of an advertisement of this host.
    package init(ofThisHost advertisement: Advertisement) {
        self.init(
            name: advertisement.name,
            types: advertisement.types,
            port: advertisement.port,
            txt: advertisement.txt,
            host: SystemHostName.current,
            addresses: Self.addresses(on: advertisement.interfaces)
        )
    }

    /// Returns the addresses of this host at which others may reach it: of the interfaces with these names, or of all.
    static func addresses(on interfaces: Set<String>) -> [IPAddress] {
        HostInterface.all.filter { host in
            let isUp = host.flags.isSuperset(of: [.up, .running]) && !host.flags.contains(.loopback)
            return interfaces.isEmpty ? isUp && !host.isOfContainers : interfaces.contains(host.interface.name)
        }.flatMap(\.addresses).map(\.address)
    }
}
