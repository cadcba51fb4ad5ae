internal import Constellation
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import Logging
package import PairingStore
internal import Scanning
internal import Synchronization

/// The part that looks for gateways, and asks them whether they answer.
final class ScannerPart: Sendable {
    /// The time between two looks for host names that had no address.
    private static let nameInterval = Duration.seconds(30)

    /// The time that one look for the addresses of host names may take.
    private static let nameTimeout = Duration.seconds(5)

    private let configuration: AgentConfiguration
    private let constellation: Constellation
    private let store: StorePart
    private let logger: Logger?
    private let running = Mutex<Scanner?>(nil)

    init(_ configuration: AgentConfiguration, _ constellation: Constellation, _ store: StorePart, _ logger: Logger?) {
        self.configuration = configuration
        self.constellation = constellation
        self.store = store
        self.logger = logger
    }

    /// The scanner; `nil` while none runs.
    var scanner: Scanner? { running.withLock(\.self) }

    /// Scans until the task is cancelled.
    func run(_ reporter: PartReporter) async throws {
        let browser = Browser(
            BrowserConfiguration(types: ServiceType.gatewayTypes),
            backend: try Backends.make(configuration.backend, logger: logger)
        )
        let scanner = Scanner(browser: browser, constellation: constellation, logger: logger)
        running.withLock { $0 = scanner }
        defer { running.withLock { $0 = nil } }
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await self.addNamedGateways(to: scanner) }
            group.addTask { await self.addPairedGateways(to: scanner) }
            group.addTask { await self.report(browser.source, to: reporter) }
            try await scanner.run()
            group.cancelAll()
        }
    }

    /// Adds the gateways that the user has named, each as soon as its name has an address.
    private func addNamedGateways(to scanner: Scanner) async {
        var left = configuration.gateways
        repeat {
            for address in left {
                let found = await ManualGateways([address], within: Self.nameTimeout)
                for gateway in found.gateways { await scanner.add(gateway) }
                if found.problems.isEmpty {
                    left.removeAll { $0 == address }
                } else {
                    for problem in found.problems { logger?.notice("\(problem)") }
                }
            }
            guard !left.isEmpty else { return }
        } while (try? await Task.sleep(for: Self.nameInterval)) != nil
    }

    /// Adds the places of what is paired, as long as it is.
    private func addPairedGateways(to scanner: Scanner) async {
        var known: Set<ManualGateway> = []
        for await store in store.stores {
            guard let store else { continue }
            var changes = await store.changes.begin()
            repeat {
                let found = try? await store.perform { store throws(StoreError) in
                    try store.pairings() + store.unawarePairings()
                }
                guard let found else { continue }
                let places = Set(found.flatMap(\.manualGateways))
                for gateway in known.subtracting(places) { await scanner.remove(gateway) }
                for gateway in places.subtracting(known) { await scanner.add(gateway) }
                known = places
            } while await changes.next(isolation: nil) != nil
        }
    }

    /// Reports whether the backend can browse.
    private func report(_ source: SightingSource, to reporter: PartReporter) async {
        for await update in constellation.news(of: .backends) {
            guard let condition = update.backends.last(where: { $0.source == source }) else { continue }
            switch condition.status {
            case .starting: continue
            case .running: reporter.works()
            case .unavailable(let error): reporter.isImpaired(error.message)
            }
        }
    }
}

extension PairingStore {
    /// The pairings in the bin whose gateways do not know yet that they have ended, and can be told.
    package func unawarePairings() throws(StoreError) -> [StoredPairing] {
        try bin().filter { $0.reason == .unpaired(withdrawnThere: false) }.map(\.pairing)
            .filter { $0.removingCommand == nil }
    }
}
