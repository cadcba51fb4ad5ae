internal import Glibc

/// The network namespace of a thread. The threads that it starts, and the sockets that these open, belong to it as well.
package struct NetworkNamespace: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// The namespace of the calling thread. Where the system does not tell, all threads count as being in one.
    package static var current: NetworkNamespace {
        var status = stat()
        guard stat("/proc/thread-self/ns/net", &status) == 0 else { return NetworkNamespace(device: 0, inode: 0) }
        return NetworkNamespace(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
