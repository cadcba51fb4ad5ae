/// The program behind an endpoint, or the lack of one.
enum Listener: Hashable {
    /// No packet comes back: the host is off, or the process is stopped.
    case silence

    /// No program listens on the port.
    case refusal

    case gateway(SampleGateway)

    /// Something other than a gateway, and the number of connections that a probe needs to find that out.
    case webServer(connections: Int)

    /// A front that is there without the gateway behind it, and answers with this status.
    case front(status: Int)

    static var webServer: Listener { .webServer(connections: 2) }
}
