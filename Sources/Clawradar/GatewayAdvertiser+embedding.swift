public import Advertising
public import DNSSD
public import Discovery
public import Logging

extension GatewayAdvertiser {
    /// Makes an advertiser for the gateway that listens on a port of this host. It asks and publishes nothing before
    /// ``/Advertising/GatewayAdvertiser/run()``.
    ///
    /// - Parameters:
    ///   - port: The port, 1–65,535. The gateway is asked at 127.0.0.1.
    ///   - backend: The backend that publishes. By default avahi-daemon while it answers, otherwise the embedded
    ///     engine.
    ///   - logger: The logger for changes of state.
    /// - Throws: ``/DNSSD/BackendError`` with the code `noBackend` when this build does not have that backend, and
    ///   `invalid` for port 0.
    public convenience init(port: UInt16, backend: BackendChoice = .auto, logger: Logger? = nil) throws(BackendError) {
        guard port > 0 else { throw BackendError(.invalid, "no gateway listens on port 0; expected 1–65535") }
        let loopback = Endpoint(address: .v4(IPv4Address(bits: 0x7F00_0001)), port: port)
        try self.init(
            GatewayAdvertiserConfiguration(endpoints: [loopback]),
            backend: try Backends.make(backend, logger: logger),
            logger: logger
        )
    }
}
