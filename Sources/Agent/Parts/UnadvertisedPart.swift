internal import DNSSD
internal import Discovery
internal import HostSystem
internal import Scanning

/// The part that has the gateways of this host advertised that nobody advertises.
struct UnadvertisedPart: Sendable {
    /// The time after the start in which gateways that advertise themselves are found to do so.
    private static let firstLook = Duration.seconds(5)

    /// The least time between two looks at the rows.
    private static let pause = Duration.seconds(1)

    let constellation: Constellation
    let settings: Broadcast<Settings>
    let foundHere: Broadcast<Set<Endpoint>>

    /// Gets what is to be advertised, and on which interfaces.
    let show: @Sendable ([SettingPart]) -> Void

    /// Follows the rows, and all else on which it depends, until the task is cancelled; nothing is advertised then.
    func run(_ reporter: PartReporter) async {
        defer { show([]) }
        reporter.works()
        guard (try? await Task.sleep(for: Self.firstLook)) != nil else { return }
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in constellation.news(of: [.gateways]) { wake.yield() } }
            group.addTask { for await _ in settings.stream(limit: 1) { wake.yield() } }
            group.addTask { for await _ in foundHere.stream(limit: 1) { wake.yield() } }
            group.addTask { for await _ in NetworkChanges.stream() { wake.yield() } }
            var found = UnadvertisedGateways()
            var alarm: ContinuousClock.Instant?
            for await _ in wakes {
                await look(&found)
                if let next = found.nextEnd, next != alarm {
                    alarm = next
                    group.addTask {
                        try? await Task.sleep(until: next, clock: .continuous)
                        wake.yield()
                    }
                }
                guard (try? await Task.sleep(for: Self.pause)) != nil else { break }
            }
            group.cancelAll()
        }
    }

    /// Looks at the rows, and shows what is to be advertised by them.
    private func look(_ found: inout UnadvertisedGateways) async {
        let rows = await constellation.snapshot(of: [.gateways]).gateways
        let interfaces = HostInterface.all.filter { $0.isOnNetwork && !$0.isOfContainers }
        let own = Set(interfaces.flatMap(\.addresses).map(\.address.unmapped).filter { !$0.isLinkLocal })
        let named = Set(settings.value.advertised.value.map(\.address.port))
        var generator = SystemRandomNumberGenerator()
        let here = foundHere.value
        found.take(rows, found: here, named: named, at: .now, using: &generator) { own.contains($0.unmapped) }
        let names = Set(interfaces.map(\.interface.name))
        show(found.gateways.sorted { $0.key < $1.key }.map { .foundAdvertiser($0.value, on: names) })
    }
}
