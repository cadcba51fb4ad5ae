internal import Glibc

/// What a ``BrowseStateMachine`` may ask about the interfaces of this host.
struct InterfaceTable {
    /// The name of the interface with this index; `nil` when there is none.
    let name: (Int32) -> String?

    /// Whether the interface exists and is up.
    let isUp: (Int32) -> Bool
}

extension InterfaceTable {
    /// What the system says, asked when it is first wanted and then kept: make a new one for each turn.
    static func system() -> InterfaceTable {
        var flags: [String: UInt32]?
        return InterfaceTable(
            name: systemName,
            isUp: { index in
                guard let name = systemName(index) else { return false }
                let all = flags ?? systemFlags()
                flags = all
                // Where the system does not tell, the interface is not to blame.
                guard !all.isEmpty else { return true }
                let wanted = UInt32(IFF_UP) | UInt32(IFF_RUNNING)
                return all[name, default: 0] & wanted == wanted
            }
        )
    }

    private static func systemName(_ index: Int32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            guard let base = buffer.baseAddress, if_indextoname(UInt32(index), base) != nil else { return nil }
            return String(cString: base)
        }
    }

    private static func systemFlags() -> [String: UInt32] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [:] }
        defer { freeifaddrs(list) }
        var flags: [String: UInt32] = [:]
        var next = list
        while let entry = next {
            flags[String(cString: entry.pointee.ifa_name)] = entry.pointee.ifa_flags
            next = entry.pointee.ifa_next
        }
        return flags
    }
}
