internal import DNSSD
internal import HostSystem

/// Whether a network of this host leads to addresses: asked of the kernel at most once a second for each.
struct NetworkLooks {
    private static let interval = Duration.seconds(1)

    private var looks: [IPAddress: Bool] = [:]
    private var running: Set<UInt32> = []
    private var time: ContinuousClock.Instant?

    /// Returns whether an interface that is up and connected leads to an address.
    mutating func leads(to address: IPAddress, now: ContinuousClock.Instant) -> Bool {
        if time.map({ now - $0 >= Self.interval }) ?? true {
            looks = [:]
            time = now
            running = Set(HostInterface.all.filter { $0.flags.isSuperset(of: [.up, .running]) }.map(\.interface.index))
        }
        if let known = looks[address] { return known }
        let leads = Route.leading(to: address).map { $0.isOwnHost || running.contains($0.interface) } ?? false
        looks[address] = leads
        return leads
    }
}
