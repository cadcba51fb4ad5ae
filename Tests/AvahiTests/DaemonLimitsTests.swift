import Testing

@testable import Avahi

@Suite struct DaemonLimitsTests {
    @Test(arguments: [
        ("cache-entries-max=100", 100),
        ("[server]\n  cache-entries-max = 16384 \r\n[wide-area]\n", 16_384),
        ("#cache-entries-max=1\n;cache-entries-max=2\n", DaemonLimits.defaultCacheEntries),
        ("cache-entries-max=", DaemonLimits.defaultCacheEntries),
        ("cache-entries-max=many", DaemonLimits.defaultCacheEntries),
        ("cache-entries-max=-1", DaemonLimits.defaultCacheEntries),
        ("cache-entries-max=9223372036854775807", DaemonLimits.defaultCacheEntries),
        ("cache-entries-max=99999999999999999999", DaemonLimits.defaultCacheEntries),
        ("", DaemonLimits.defaultCacheEntries),
    ])
    func cacheEntriesAreReadOrTheDefault(_ text: String, _ expected: Int) {
        #expect(DaemonLimits(text: text).cacheEntries == expected)
    }

    @Test(arguments: ["/nonexistent/avahi-daemon.conf", "/", "/dev/null"])
    func aFileThatCannotBeReadLeavesTheDefault(_ file: String) {
        #expect(DaemonLimits(file: file).cacheEntries == DaemonLimits.defaultCacheEntries)
    }
}
