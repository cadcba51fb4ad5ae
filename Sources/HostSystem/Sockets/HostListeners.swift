package import DNSSD
internal import SystemPackage

/// The sockets on which programs of this host listen, in each network namespace whose processes this user sees.
package struct HostListeners: Hashable, Sendable {
    /// A network namespace.
    package struct Namespace: Hashable, Sendable {
        /// Indicates whether this process is in it.
        package let isOwn: Bool

        /// Its sockets.
        package let sockets: [ListeningSocket]

        /// Its addresses, without those of loopback and of one link.
        package let addresses: [IPAddress]

        package init(isOwn: Bool, sockets: [ListeningSocket], addresses: [IPAddress]) {
            (self.isOwn, self.sockets, self.addresses) = (isOwn, sockets, addresses)
        }
    }

    /// The namespaces, that of this process first.
    package let namespaces: [Namespace]

    /// The numbers of the sockets of the programs that were looked for.
    package let ofPrograms: Set<UInt64>

    /// The names of those of the programs whose sockets this user may not see.
    package let hidden: Set<String>

    package init(namespaces: [Namespace], ofPrograms: Set<UInt64> = [], hidden: Set<String> = []) {
        (self.namespaces, self.ofPrograms, self.hidden) = (namespaces, ofPrograms, hidden)
    }

    /// The most namespaces that are read: a host with more of them has them for something else.
    private static let mostNamespaces = 256

    /// Reads the sockets of this host. Blocks for some milliseconds.
    ///
    /// - Parameter program: Returns the name of a program that is looked for, from the words of its command; `nil` for others.
    package static func current(ofPrograms program: ([String]) -> String?) -> HostListeners {
        let own = ProcessFolder(path: "/proc/thread-self")
        var first: [UInt64: ProcessFolder] = [:]
        var order: [UInt64] = []
        var (ofPrograms, hidden): (Set<UInt64>, Set<String>) = ([], [])
        for process in [own] + ProcessFolder.all {
            guard let namespace = process.namespace else { continue }
            if first[namespace] == nil, order.count < mostNamespaces {
                first[namespace] = process
                order.append(namespace)
            }
            guard process != own, let name = program(process.words) else { continue }
            if let sockets = process.sockets { ofPrograms.formUnion(sockets) } else { hidden.insert(name) }
        }
        let namespaces = order.compactMap { number in
            first[number].map { process in
                Namespace(
                    isOwn: process == own,
                    sockets: ListeningSockets.all(in: process.path),
                    addresses: addresses(
                        ProcessFolder.text(of: process.path.appending("net/fib_trie")),
                        ProcessFolder.text(of: process.path.appending("net/if_inet6"))
                    )
                )
            }
        }
        return HostListeners(namespaces: namespaces, ofPrograms: ofPrograms, hidden: hidden)
    }

    /// Returns the addresses of a namespace, from the kernel's tables `fib_trie` and `if_inet6`.
    static func addresses(_ routes: String, _ interfaces: String) -> [IPAddress] {
        var found: [IPAddress] = []
        var last: IPAddress?
        for line in routes.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first == "|--", words.count > 1 {
                last = IPAddress(String(words[1]))
            } else if words.prefix(3) == ["/32", "host", "LOCAL"], let address = last, !found.contains(address) {
                found.append(address)
            }
        }
        for line in interfaces.split(separator: "\n") {
            let words = line.split(separator: " ")
            // The fourth word is the scope of the address: 00 is global.
            guard words.count >= 6, words[3] == "00", words[0].utf8.count == 32,
                let bits = UInt128(words[0], radix: 16)
            else { continue }
            found.append(.v6(IPv6Address(bits: bits)))
        }
        return found.filter { !$0.isLoopback && !$0.isLinkLocal }
    }
}
