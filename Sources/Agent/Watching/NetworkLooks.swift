internal import DNSSD
internal import HostSystem

/// The looks at whether a network of this host leads to addresses: the kernel is asked at most once a second for each.
struct NetworkLooks {
    private static let interval = Duration.seconds(1)

    private var looks: [IPAddress: Bool] = [:]
    private var places: [IPAddress: SilentLinks.Place] = [:]
    private var running: Set<UInt32> = []
    private var interfaces: [UInt32: HostInterface] = [:]
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

    /// Returns the way by which packets to one of some addresses leave this host: one of a network of its interface, if there
    /// is one; `nil` for this host itself, and where no route leads.
    mutating func place(of addresses: [IPAddress], now: ContinuousClock.Instant) -> SilentLinks.Place? {
        look(now)
        var first: SilentLinks.Place?
        for address in addresses {
            guard let place = places[address] ?? place(of: address) else { continue }
            places[address] = place
            if place.isOnLink { return place }
            first = first ?? place
        }
        return first
    }

    private func place(of address: IPAddress) -> SilentLinks.Place? {
        guard let route = Route.leading(to: address), !route.isOwnHost, let found = interfaces[route.interface] else {
            return nil
        }
        let isOnLink = route.router == nil && found.addresses.contains { $0.contains(address) }
        return SilentLinks.Place(link: found.interface.name, isOnLink: isOnLink)
    }

    private mutating func look(_ now: ContinuousClock.Instant) {
        guard time.map({ now - $0 >= Self.interval }) ?? true else { return }
        looks = [:]
        places = [:]
        time = now
        let interfaces = HostInterface.all.filter { $0.flags.isSuperset(of: [.up, .running]) }
        self.interfaces = Dictionary(interfaces.map { ($0.interface.index, $0) }) { first, _ in first }
        running = Set(interfaces.map(\.interface.index))
        isConnected = interfaces.contains { !$0.flags.contains(.loopback) }
    }
}
