internal import DNSSD
internal import HostSystem

/// The looks at whether a network of this host leads to addresses: the kernel is asked at most once a second for each.
struct NetworkLooks {
    private static let interval = Duration.seconds(1)

    private var looks: [IPAddress: Bool] = [:]
    private var running: Set<UInt32> = []
    private var isConnected = false
    private var time: ContinuousClock.Instant?

    /// Returns whether an interface that is up and connected leads to one of some addresses; without any, whether there is
    /// such an interface at all.
    mutating func lead(to addresses: [IPAddress], now: ContinuousClock.Instant) -> Bool {
        look(now)
        guard !addresses.isEmpty else { return isConnected }
        for address in addresses {
            let leads =
                looks[address]
                ?? Route.leading(to: address).map { $0.isOwnHost || running.contains($0.interface) } ?? false
            looks[address] = leads
            if leads { return true }
        }
        return false
    }

    private mutating func look(_ now: ContinuousClock.Instant) {
        guard time.map({ now - $0 >= Self.interval }) ?? true else { return }
        looks = [:]
        time = now
        let interfaces = HostInterface.all.filter { $0.flags.isSuperset(of: [.up, .running]) }
        running = Set(interfaces.map(\.interface.index))
        isConnected = interfaces.contains { !$0.flags.contains(.loopback) }
    }
}
