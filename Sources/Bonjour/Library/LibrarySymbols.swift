internal import CDNSServiceDiscovery
internal import CLoading
internal import Glibc
internal import HostSystem

/// The functions that only some implementations of libdns_sd, or the libraries below them, provide. They are looked up
/// at run time.
enum LibrarySymbols {
    /// `DNSServiceGetAddrInfo`; `nil` with Avahi's library.
    static let getAddressInfo: GetAddressInfo? =
        symbol("DNSServiceGetAddrInfo").map { unsafeBitCast($0, to: GetAddressInfo.self) }

    /// Prepares the library for its first call. Call it before each reference is made; the work is done only once.
    static func prepare() {
        _ = (isSIGPIPEKept, isMemoryCleared)
    }

    /// Indicates whether libdbus was found and has been kept from making the whole process ignore SIGPIPE: that choice
    /// belongs to the program that embeds this package. Avahi's library uses libdbus.
    private static let isSIGPIPEKept: Bool = {
        guard let found = symbol("dbus_connection_set_change_sigpipe") else { return false }
        unsafeBitCast(found, to: (@convention(c) (UInt32) -> Void).self)(0)
        return true
    }()

    /// Indicates whether libavahi was found and has been made to clear the memory that it allocates.
    ///
    /// Avahi's library (0.8) leaves the callbacks of a new reference uninitialized, sets one, and when its daemon goes
    /// away calls the first one that is not null: a jump to wherever the memory's former contents point. The functions
    /// are those of the C library, which Avahi uses by default, so that memory allocated earlier is freed by the same
    /// ones.
    private static let isMemoryCleared: Bool = {
        guard let found = symbol("avahi_set_allocator") else { return false }
        // Never freed: libavahi keeps the address as long as the process lives.
        let functions = UnsafeMutablePointer<ClawradarAllocator>.allocate(capacity: 1)
        functions.initialize(
            to: ClawradarAllocator(
                malloc: { calloc(1, $0) },
                free: { free($0) },
                realloc: { realloc($0, $1) },
                calloc: { calloc($0, $1) }
            )
        )
        unsafeBitCast(found, to: ClawradarSetAllocator.self)(functions)
        return true
    }()

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? { clawradar_dns_sd_function(name) }

    /// Loads libdns_sd, unless it is loaded.
    ///
    /// - Throws: An error when it, or a library that it needs, cannot be loaded.
    static func load() throws(SystemError) {
        let code = clawradar_load_dns_sd()
        guard code == 0 else { throw .notLoaded(code) }
    }
}

extension SystemError {
    /// Makes the error when libdns_sd cannot be loaded.
    static func notLoaded(_ code: Int32) -> SystemError { SystemError(call: "dlopen of libdns_sd.so.1", code: code) }

    /// The error when libdns_sd, or a library that it needs, is not installed.
    static let noLibrary = notLoaded(ENOENT)
}
