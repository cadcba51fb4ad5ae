internal import DNSSD
internal import Glibc
internal import SystemPackage

/// The connections at a port of loopback, as the kernel lists them in `/proc/net/tcp` and `/proc/net/tcp6` (proc(5)).
package enum PortConnections {
    /// The state of a connection over which both ends may send: TCP_ESTABLISHED of <netinet/tcp.h>.
    private static let established = "01"

    /// Indicates whether all of them are those of programs of this user; `false` also where the system does not tell.
    ///
    /// A connection that was accepted stays with its program when another one listens at the port.
    package static func areOwn(at port: UInt16) -> Bool {
        let lists = ["tcp", "tcp6"].map { ProcessFolder.text(of: FilePath("/proc/net").appending($0)) }
        return areOwn(at: port, in: lists, of: geteuid())
    }

    static func areOwn(at port: UInt16, in lists: [String], of user: UInt32) -> Bool {
        // One that was cut off says nothing of the rest. Without IPv6, there is but the first.
        guard lists.first?.isEmpty == false, lists.allSatisfy({ $0.utf8.count < ProcessFolder.mostBytes }) else {
            return false
        }
        let lines = lists.flatMap { ListeningSockets.lines(of: $0, in: established) }
        return lines.filter { $0.endpoint.port == port && $0.endpoint.address.isLoopback }
            .allSatisfy { isOwn($0.fields, of: user) }
    }

    private static func isOwn(_ fields: [Substring], of user: UInt32) -> Bool {
        guard fields.count > 9 else { return false }
        // What no program has accepted yet has no inode, and counts as root's: it is for whoever listens there now.
        return UInt32(fields[7]) == user || fields[9] == "0"
    }
}
