/// The news of one gateway that every watch shall print, and no other.
struct LineExpectation: Sendable {
    let gateway: String
    let host: LabHost

    /// More addresses of its host, from later on.
    let addresses: Set<String>

    /// The ports at which it is; where it is the only one of that name on its host, any.
    let ports: Set<Int>?
    let news: LineScript

    /// The maximum number of details of paths and services that may be told.
    let details: Int

    init(
        _ gateway: String,
        on host: LabHost,
        addresses: Set<String> = [],
        ports: Set<Int>? = nil,
        details: Int = 8,
        _ news: LineScript
    ) {
        self.gateway = gateway
        self.host = host
        self.addresses = addresses
        self.ports = ports
        self.news = news
        self.details = details
    }

    /// Returns whether a line is about this gateway.
    func covers(_ line: WatchedLine) -> Bool {
        guard line.name == gateway else { return false }
        if let address = line.address, !host.addresses.union(addresses).contains(address) { return false }
        guard let ports, let port = line.port else { return true }
        return ports.contains(port)
    }

    /// Returns what is wrong with the lines of a watch; `nil` if nothing is.
    func complaint(about lines: [WatchedLine]) -> String? {
        let own = lines.filter(covers)
        let transcript = own.map(\.text).joined(separator: "\n")
        let seen = own.flatMap(\.facts)
        guard news.matches(seen) else {
            return "of \(gateway) was told\n\(seen.joined(separator: "\n"))\nin these lines\n\(transcript)"
        }
        let reported = own.flatMap(\.details)
        guard reported.count <= details else {
            return
                "of \(gateway) \(reported.count) details were told, more than \(details), in these lines\n\(transcript)"
        }
        return nil
    }
}
