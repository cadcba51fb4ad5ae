import DNSSD
import GatewayProtocol
import Scanning
import TestSupport

/// The services that are advertised in a ``PairedWorld``, truthfully or not.
extension PairedWorld {
    /// The names of the services, few enough that one is often replaced by another.
    private static let names = ["Home", "Home #2", "Kitchen"]

    /// The endpoints to which the services lead.
    var advertised: Set<Endpoint> {
        Set(services.values.flatMap { $0.sightings.values.flatMap(\.endpoints) })
    }

    /// Lets a service come, change one of its records, or say goodbye.
    ///
    /// - Parameter chosen: The gateway that it is of, or pretends to be of.
    /// - Returns: What happened.
    mutating func advertise(_ chosen: PairedCase) -> String {
        let (name, zone) = (Self.names[random.draw(Self.names.count)], random.draw(6) == 0 ? "home.example" : "local")
        guard let type = try? ServiceType("_openclaw._tcp"),
            let instance = try? ServiceInstance(name: name, type: type, domain: zone)
        else { return "-" }
        if services[instance] != nil, random.draw(3) == 0 {
            services[instance] = nil
            apply([.serviceLost(instance, random.draw(2) == 0 ? .withdrawn : .unanswered)])
            return "\(instance) says goodbye"
        }
        // A change of one record leaves the others as they were.
        var sighting =
            services[instance]?.sightings.values.first
            ?? Sighting(
                instance: instance,
                path: ServicePath(interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4),
                source: .avahi,
                resolution: .resolved,
                host: "gateway.local"
            )
        let isNew = sighting.port == nil
        // Where the gateway is, or anywhere.
        let truth = Self.places.first { things[$0] == chosen.itself } ?? chosen.places[0]
        let place = random.draw(3) == 0 ? anyPlace() : truth
        let part = random.draw(3)
        if isNew || part == 0 { sighting.port = place.port }
        if isNew || part == 1 {
            sighting.addresses = [place.address] + (random.draw(3) == 0 ? [anyPlace().address] : [])
            sighting.heardFrom = random.draw(2) == 0 ? [place.address] : []
        }
        if isNew || part == 2 {
            let told = [chosen.itself.fingerprint, chosen.itself.fingerprint, nil, "stranger"][random.draw(4)]
            sighting.txt = try? GatewayAdvertisement.txtRecord(
                fingerprint: told.flatMap { GatewayFingerprint($0) },
                name: "Home"
            )
        }
        var service = DiscoveredService(instance: instance)
        service.record(sighting)
        services[instance] = service
        apply([.serviceFound(service)])
        let told = GatewayAdvertisement(instance: instance, txt: sighting.txt ?? TXTRecord()).fingerprint
        return "\(instance) at \(sighting.endpoints) tells \(told.map { "\($0)" } ?? "no fingerprint")"
    }
}

extension Sighting {
    /// The endpoints to which it leads.
    fileprivate var endpoints: [Endpoint] {
        port.map { port in addresses.map { Endpoint(address: $0, port: port) } } ?? []
    }
}
