import DNSSD
import Testing

@testable import HostSystem

/// What the kernel lists of network namespaces.
@Suite struct HostListenersTests {
    /// The addresses of a namespace, each once; those of loopback and of one link lead nowhere from outside.
    @Test func addressesAreRead() {
        let routes = """
            Main:
              +-- 0.0.0.0/0 3 0 5
                 |-- 0.0.0.0
                    /0 universe UNICAST
                    |-- 127.0.0.1
                       /32 host LOCAL
                    |-- 172.17.0.0
                       /16 link UNICAST
                    |-- 172.17.0.2
                       /32 host LOCAL
                    |-- 172.17.255.255
                       /32 link BROADCAST
            Local:
                    |-- 172.17.0.2
                       /32 host LOCAL
            """
        let interfaces = """
            00000000000000000000000000000001 01 80 10 80       lo
            fd000000000000000000000000000002 04 40 00 82     eth0
            fe8000000000000000fc00fffe000001 04 40 20 80     eth0
            nonsense
            """
        let found = HostListeners.addresses(routes, interfaces).map(\.description)
        #expect(found == ["172.17.0.2", "fd00::2"])
        #expect(HostListeners.addresses("", "").isEmpty)
    }

    /// This process sees the namespace that it is in, first.
    @Test func thisNamespaceIsRead() {
        let listeners = HostListeners.current { _ in nil }
        #expect(listeners.namespaces.first?.isOwn == true)
        #expect(listeners.namespaces.count { $0.isOwn } == 1 && listeners.ofPrograms.isEmpty)
    }
}
