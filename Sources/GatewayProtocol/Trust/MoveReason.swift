/// The difference between where and what a gateway was at pairing, and what is found now.
package enum MoveReason: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Another address or port.
    case address = "it has another address than at pairing"

    /// Other ports or paths, while nothing answers at its own: behind one front, each may be another gateway.
    case port = "its certificate is shown at other ports or paths, each of which may be another gateway"

    /// Another prefix of addresses.
    case prefix = "this network has other addresses than the one of pairing"

    /// Another default router.
    case router = "this network has another router than the one of pairing"

    /// Another machine at the same address.
    case machine = "another machine has its address"

    /// Another gateway, as it says itself on the connection: its fingerprint is not that of the pairing.
    case gateway = "another gateway answers in its place"

    /// TLS at its place, where it was paired without.
    case hasTLS = "it has TLS now, and was paired without"

    /// No TLS at its place, where it was paired with it.
    case lostTLS = "it has lost its TLS, with which it was paired"

    /// Another tunnel, or none: the same address at the end of another one is another machine.
    case tunnel = "another tunnel leads to its address than at pairing, or none"

    /// Another machine of the tailnet has its address, or the same one with another key.
    case node = "another machine of the tailnet has its address, or it has another node key"

    /// Nobody says whose its address in the tailnet is.
    case unknownNode = "the tailnet does not say which machine has its address"

    /// It claims to be the gateway, and does not give the proof that the pairing demands.
    case unproved = "what claims to be it has not proved it"

    /// The network could not be distinguished from others, so it counts as another one.
    case unknownNetwork = "it is not known whether this is the network of pairing"

    /// A sentence for people.
    package var description: String { rawValue }
}
