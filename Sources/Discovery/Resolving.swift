public import DNSSD

extension ServiceInstance {
    /// Looks this instance up: its host, port, addresses and TXT record. Everything in it comes from the network and is
    /// untrusted.
    ///
    /// - Parameters:
    ///   - limit: The longest time that this may take.
    ///   - backend: The backend that looks. By default avahi-daemon while it answers, otherwise the embedded engine.
    /// - Returns: The service; `nil` if nobody answers for it in time.
    /// - Throws: ``/DNSSD/BackendError`` with the code `noBackend` when this build does not have that backend.
    public func resolved(
        within limit: Duration = .seconds(3),
        by backend: BackendChoice = .auto
    ) async throws(BackendError) -> DiscoveredService? {
        await resolved(within: limit, by: try Backends.make(backend))
    }

    /// As above, over a backend that is there.
    package func resolved(
        within limit: Duration = .seconds(3),
        by backend: any ServiceBackend
    ) async -> DiscoveredService? {
        guard let domain = try? DomainName(escaped: domain) else { return nil }
        let browser = Browser(BrowserConfiguration(types: [type], domain: domain), backend: backend)
        return await withTaskGroup(of: DiscoveredService?.self) { group in
            group.addTask {
                try? await browser.run()
                return nil
            }
            group.addTask {
                try? await browser.clock.sleep(until: browser.clock.now + limit, tolerance: nil)
                return nil
            }
            group.addTask {
                for await _ in browser.changes {
                    if let service = browser.service(self), service.resolution == .resolved { return service }
                }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

extension DomainName {
    /// Looks up the addresses of the host on the link that has this name, such as `studio.local`, by multicast DNS, for
    /// programs on systems whose resolver does not do that. Anybody on the link may have made them up.
    ///
    /// - Parameter limit: The longest time that this may take.
    /// - Returns: The addresses; none when nobody answers in time. This host does not answer itself.
    public func addressesOnLink(within limit: Duration = .seconds(2)) async -> [IPAddress] {
        await OnLink.addresses(of: self, within: limit)
    }
}

extension ServiceType {
    /// Lists the service types that the other hosts on the link publish (RFC 6763 §9), whatever backend is used beside it:
    /// each can be given to a ``Browser``. Anybody on the link may have made them up.
    ///
    /// - Parameter time: The time for which to ask. Nobody tells when all have answered.
    /// - Returns: The types, sorted. This host does not answer itself.
    public static func allOnLink(within time: Duration = .seconds(2)) async -> [ServiceType] {
        await OnLink.serviceTypes(within: time)
    }
}
