internal import Glibc
internal import NIOCore

/// Whoever is at the other end of a Unix socket, as the system says.
enum Peer {
    /// `struct ucred` of unix(7), which Swift's module for the C library leaves out.
    private struct Credentials: Sendable {
        let process: pid_t
        let user: uid_t
        let group: gid_t
    }

    /// Returns the user at the other end.
    static func user(of channel: any Channel) -> EventLoopFuture<uid_t> {
        guard let socket = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let peer: EventLoopFuture<Credentials> = socket.unsafeGetSocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        )
        return peer.map(\.user)
    }
}
