public import DNSSD
public import Logging

extension Browser {
    /// Makes a browser for one service type, over the backend of this machine. Nothing happens before ``run()``.
    ///
    /// ## Usage
    ///
    /// ```swift
    /// let browser = try Browser(type: "_ipp._tcp")
    /// await withThrowingTaskGroup(of: Void.self) { group in
    ///     group.addTask { try await browser.run() }
    ///     for await services in browser.currentServices {
    ///         print(services.map { "\(DisplayText($0.instance.name)) at \($0.addresses)" })
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The service type.
    ///   - domain: The domain to browse in.
    ///   - interfaces: The names of the interfaces to look at, which may have yet to come; empty means all.
    ///   - backend: The backend that browses. By default avahi-daemon while it answers, otherwise the embedded engine.
    ///   - logger: The logger for details, at level debug.
    /// - Throws: ``/DNSSD/DNSSDError`` when that is no service type, or ``/DNSSD/BackendError`` with the code `noBackend` when
    ///   this build does not have that backend.
    public convenience init(
        type: String,
        in domain: DomainName = .local,
        interfaces: Set<String> = [],
        backend: BackendChoice = .auto,
        logger: Logger? = nil
    ) throws {
        self.init(
            BrowserConfiguration(types: [try ServiceType(type)], domain: domain, interfaces: interfaces),
            backend: try Backends.make(backend, logger: logger)
        )
    }
}

extension Advertiser {
    /// Makes an advertiser for one service, over the backend of this machine. Nothing is published before ``run()``.
    ///
    /// ## Usage
    ///
    /// ```swift
    /// let advertiser = try Advertiser(name: "Front Desk", type: "_ipp._tcp", port: 631)
    /// try await advertiser.run()
    /// ```
    ///
    /// - Parameters:
    ///   - name: The wanted instance name.
    ///   - type: The service type.
    ///   - port: The port, 1–65535.
    ///   - txt: The TXT record.
    ///   - backend: The backend that publishes. By default avahi-daemon while it answers, otherwise the embedded engine.
    ///   - logger: The logger for details, at level debug.
    /// - Throws: ``/DNSSD/DNSSDError`` when that is no service type, or ``/DNSSD/BackendError`` when the service cannot be
    ///   published, or this build does not have that backend.
    public convenience init(
        name: String,
        type: String,
        port: UInt16,
        txt: TXTRecord = TXTRecord(),
        backend: BackendChoice = .auto,
        logger: Logger? = nil
    ) throws {
        try self.init(
            Advertisement(name: name, types: [try ServiceType(type)], port: port, txt: txt),
            backend: try Backends.make(backend, logger: logger)
        )
    }
}
