internal import ArgumentParser

/// The extent of the consent to a gateway without TLS, as `--trust` takes it.
enum PlainTrust: String, ExpressibleByArgument, CaseIterable {
    /// Only the address and port of the gateway, in the network where it is now.
    case address

    /// Any address of the network where the gateway is now.
    case lan

    /// Only the address and port of the gateway, while the tailnet has the same machine there.
    case tailnet

    /// Only the address and port of the gateway, through the tunnel that leads there now.
    case tunnel
}
