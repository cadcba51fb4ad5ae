package import DNSSD

/// The interfaces of this host by which multicast DNS can be spoken, as they were at one moment. A value, which says what is
/// lacking.
package struct MulticastInterfaces: Hashable, Sendable {
    /// The names and indices of those over which another host can be reached.
    package var connected: [String: UInt32]

    /// The names and indices of those that reach only this host.
    package var loopback: [String: UInt32]

    package init(connected: [String: UInt32], loopback: [String: UInt32] = [:]) {
        self.connected = connected
        self.loopback = loopback
    }

    /// The interfaces as they are now.
    package static var current: MulticastInterfaces { MulticastInterfaces(HostInterface.all) }

    init(_ all: [HostInterface]) {
        func indices(_ interfaces: [HostInterface]) -> [String: UInt32] {
            Dictionary(interfaces.map { ($0.interface.name, $0.interface.index) }) { first, _ in first }
        }
        connected = indices(all.filter { $0.isOnNetwork && !$0.addresses.isEmpty })
        loopback = indices(all.filter { $0.flags.contains(.loopback) })
    }

    /// Returns those of some interfaces that can be used now, with their indices; an interface that comes back has another
    /// index.
    package func indices(of names: Set<String>) -> [String: UInt32] {
        connected.merging(loopback) { first, _ in first }.filter { names.contains($0.key) }
    }

    /// Returns the reason why nobody can be reached over some interfaces; `nil` if somebody can.
    ///
    /// - Parameter names: The names of the interfaces; empty means all. They may have yet to come.
    package func lack(of names: Set<String>) -> BackendError? {
        guard !names.isEmpty else {
            guard connected.isEmpty else { return nil }
            return BackendError(
                .noInterface,
                "no network: this host has no interface that is up and has an address. Connect it to a network."
            )
        }
        guard indices(of: names).isEmpty else { return nil }
        let list = names.sorted().map { "\(DisplayText($0))" }.joined(separator: ", ")
        let verbs = names.count == 1 ? "is not up or has no address" : "are not up or have no address"
        return BackendError(.noInterface, "\(list) \(verbs).\(others)")
    }

    /// The names of the interfaces that could be used instead, as the end of a sentence.
    package var others: String {
        connected.isEmpty ? "" : " Others are reached over: \(connected.keys.sorted().joined(separator: ", "))."
    }
}
