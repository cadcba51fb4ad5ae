internal import DNSSD
internal import HostSystem

/// The facts that a ``AvahiBrowseStateMachine`` can look up about the interfaces of this host.
struct InterfaceTable {
    /// The name of the interface with this index; `nil` when there is none.
    let name: (Int32) -> String?

    /// Indicates whether the interface with this index exists and is up.
    let isUp: (Int32) -> Bool

    /// Indicates whether the interface with this index is a loopback interface, which only this host can reach.
    var isLoopback: (Int32) -> Bool = { _ in false }
}

extension InterfaceTable {
    /// Returns a table of the system's interfaces. The system is asked at the first use, and the answers are then kept:
    /// make a new table for each turn.
    static func system() -> InterfaceTable {
        var present: [HostInterface]?
        var names: [Int32: String?] = [:]
        func interface(_ index: Int32) -> HostInterface? {
            let all = present ?? HostInterface.all
            present = all
            return all.first { $0.interface.index == UInt32(index) }
        }
        return InterfaceTable(
            name: { index in
                if let known = names[index] { return known }
                let name = systemName(index)
                names[index] = .some(name)
                return name
            },
            isUp: { index in
                guard systemName(index) != nil else { return false }
                let found = interface(index)
                // If the system lists no interfaces at all, the interface counts as up.
                guard present?.isEmpty == false else { return true }
                return found?.flags.isSuperset(of: [.up, .running]) ?? false
            },
            isLoopback: { interface($0)?.flags.contains(.loopback) ?? false }
        )
    }

    private static func systemName(_ index: Int32) -> String? { HostInterface.name(ofIndex: UInt32(index)) }
}
