internal import CThreads
internal import Glibc
internal import SystemPackage

/// A descriptor that wakes a loop: any thread can signal it, and the loop's thread waits for it.
///
/// It is a kernel counter (eventfd(2)): adding to it needs no memory, so that no signal is ever lost. A socket
/// would refuse a signal when the system is short of buffers, and the loop would sleep although there is work.
struct WakeupDescriptor: ~Copyable {
    private let counter: FileDescriptor

    /// The number of the descriptor to wait for. It stays open as long as this value lives.
    var number: CInt { counter.rawValue }

    init() throws(SystemError) {
        let number = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard number >= 0 else { throw SystemError(call: "eventfd", code: errno) }
        counter = FileDescriptor(rawValue: number)
    }

    deinit { try? counter.close() }

    /// Makes the descriptor readable.
    ///
    /// - Returns: Whether the system accepted the signal. It refuses one only if no more pending signals fit, and then
    ///   the thread wakes anyway.
    @discardableResult func signal() -> Bool {
        withUnsafeBytes(of: 1 as UInt64) { (try? counter.write($0)) != nil }
    }

    /// Consumes all signals sent so far.
    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { buffer in
            while let count = try? counter.read(into: buffer), count > 0 {}
        }
    }
}
