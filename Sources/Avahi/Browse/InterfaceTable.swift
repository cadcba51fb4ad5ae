internal import DNSSD
internal import EventLoops
internal import Glibc

/// The questions that a ``BrowseStateMachine`` may ask about the interfaces of this host.
struct InterfaceTable {
    /// The name of the interface with this index; `nil` when there is none.
    let name: (Int32) -> String?

    /// Indicates whether the interface with this index exists and is up.
    let isUp: (Int32) -> Bool

    /// Indicates whether only this host itself is heard on the interface with this index.
    var isLoopback: (Int32) -> Bool = { _ in false }
}

extension InterfaceTable {
    /// Returns a table of the system's interfaces. The system is asked when something is first wanted, and the answers
    /// are then kept: make a new table for each turn.
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
                // Where the system does not tell, the interface is not to blame.
                guard present?.isEmpty == false else { return true }
                return found?.flags.isSuperset(of: [.up, .running]) ?? false
            },
            isLoopback: { interface($0)?.flags.contains(.loopback) ?? false }
        )
    }

    private static func systemName(_ index: Int32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            guard let base = buffer.baseAddress, if_indextoname(UInt32(index), base) != nil else { return nil }
            return String(cString: base)
        }
    }
}
