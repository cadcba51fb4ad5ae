internal import Glibc

/// An `errno` of a failed attempt to connect, translated into our codes and messages.
struct ConnectFailure {
    /// The kind of trouble.
    let code: GatewayConnectionError.Code

    /// A description for people.
    let message: String

    init(errno: Int32) {
        switch errno {
        case ECONNREFUSED: (code, message) = (.refused, "connection refused")
        case ETIMEDOUT: (code, message) = (.timedOut, "no connection in time")
        case EMFILE, ENFILE: (code, message) = (.noSocket, "no socket: too many files are open")
        case ENOBUFS, ENOMEM: (code, message) = (.noSocket, "no socket: out of memory")
        case ENETUNREACH: (code, message) = (.unreachable, "network unreachable")
        case EHOSTUNREACH: (code, message) = (.unreachable, "host unreachable")
        case ENETDOWN: (code, message) = (.unreachable, "the network is down")
        case EHOSTDOWN: (code, message) = (.unreachable, "the host is down")
        case EADDRNOTAVAIL: (code, message) = (.unreachable, "this host has no address that leads there")
        case ENODEV, ENXIO: (code, message) = (.unreachable, "the interface is gone")
        case EACCES, EPERM: (code, message) = (.unreachable, "forbidden by this host's firewall")
        case ECONNRESET: (code, message) = (.closed, "connection reset")
        default: (code, message) = (.unreachable, String(cString: strerror(errno)).lowercased())
        }
    }
}
