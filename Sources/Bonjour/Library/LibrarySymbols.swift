internal import CDNSServiceDiscovery

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The functions that only some implementations of libdns_sd, or the libraries below them, have; looked for at run
/// time.
enum LibrarySymbols {
    /// `DNSServiceGetAddrInfo`; `nil` with Avahi's library.
    static let getAddressInfo: GetAddressInfo? =
        symbol("DNSServiceGetAddrInfo").map { unsafeBitCast($0, to: GetAddressInfo.self) }

    /// Makes the library fit to be called. Before the first call of every reference; what is done is done once.
    static func prepare() {
        _ = (isSIGPIPEKept, isMemoryCleared)
    }

    /// Keeps libdbus, through which Avahi's library speaks, from making the whole process ignore SIGPIPE: that choice
    /// belongs to the program that embeds us. Whether there was anything to keep.
    private static let isSIGPIPEKept: Bool = {
        guard let found = symbol("dbus_connection_set_change_sigpipe") else { return false }
        unsafeBitCast(found, to: (@convention(c) (UInt32) -> Void).self)(0)
        return true
    }()

    /// Has libavahi clear the memory that it takes.
    ///
    /// Avahi's library (0.8) leaves the callbacks of a new reference as it finds them in memory, sets one, and when its
    /// daemon goes away calls the first one that is not null: a jump to wherever former contents point. The functions are
    /// those of the C library, as Avahi uses by itself, so that what was taken before is freed by the same ones. Whether
    /// there was a libavahi.
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

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
        // The program itself, with everything it is linked to. It stays open: what is found must stay valid.
        dlsym(dlopen(nil, RTLD_LAZY), name)
    }
}
