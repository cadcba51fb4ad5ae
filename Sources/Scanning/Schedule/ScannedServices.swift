internal import DNSSD
internal import GatewayProtocol

/// The services that the browser has reported, and what a scanner has reported of them to the browser and the map.
struct ScannedServices {
    /// The services that are present.
    var present: Set<ServiceInstance> = []

    /// The endpoints to which each of them leads, as far as these are asked.
    var endpoints: [ServiceInstance: [Endpoint]] = [:]

    /// The services that the browser protects, since they lead to an endpoint that answers.
    var protected: Set<ServiceInstance> = []

    /// The services that the browser was asked to verify.
    var reconfirms = ReconfirmLimiter()

    /// The reported refusals of endpoints that must not be connected to, by service.
    var refusals: [ServiceInstance: [Endpoint: TargetRefusal]] = [:]

    /// The services among them that have no other endpoint.
    var refused: Set<ServiceInstance> = []

    /// The services that lead to an address of this host and are not its own, and those among them that it may still
    /// announce.
    var foreign: [ServiceInstance: DiscoveredService] = [:]
    var undecided: Set<ServiceInstance> = []

    /// Forgets a service that is lost.
    ///
    /// - Returns: The endpoints to which it led.
    mutating func forget(_ instance: ServiceInstance) -> [Endpoint] {
        present.remove(instance)
        refusals[instance] = nil
        refused.remove(instance)
        reconfirms.clear(instance)
        forgetForeign(instance)
        defer { giveBackRoom() }
        return endpoints.removeValue(forKey: instance) ?? []
    }

    private mutating func giveBackRoom() {
        present.giveBackRoom()
        endpoints.giveBackRoom()
        refusals.giveBackRoom()
        refused.giveBackRoom()
        foreign.giveBackRoom()
    }

    /// Forgets that a service leads to an address of this host.
    mutating func forgetForeign(_ instance: ServiceInstance) {
        foreign[instance] = nil
        undecided.remove(instance)
    }
}
