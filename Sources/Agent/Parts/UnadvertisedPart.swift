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

    /// Follows the rows until the task is cancelled; nothing is advertised then.
    func run(_ reporter: PartReporter) async {
        defer { show([]) }
        reporter.works()
        guard (try? await Task.sleep(for: Self.firstLook)) != nil else { return }
        var found = UnadvertisedGateways()
        for await _ in constellation.news(of: [.gateways]) {
            let rows = await constellation.snapshot(of: [.gateways]).gateways
            let interfaces = HostInterface.all.filter { $0.isOnNetwork && !$0.isOfContainers }
            let own = Set(interfaces.flatMap(\.addresses).map(\.address.unmapped).filter { !$0.isLinkLocal })
            let named = Set(settings.value.advertised.value.map(\.address.port))
            found.take(rows, found: foundHere.value, named: named) { own.contains($0.unmapped) }
            let names = Set(interfaces.map(\.interface.name))
            show(found.gateways.sorted { $0.key < $1.key }.map { .foundAdvertiser($0.value, on: names) })
            guard (try? await Task.sleep(for: Self.pause)) != nil else { break }
        }
    }
}
