/// The lines about one gateway that every watch must print, and no others.
struct LineExpectation: Sendable {
    let gateway: String
    let host: LabHost

    /// The addresses that its host gets during the test.
    let addresses: Set<String>

    /// Its ports; `nil` for any, if no other gateway of that name is on its host.
    let ports: Set<Int>?
    let script: LineScript

    /// The maximum number of statements about single paths and services.
    let details: Int

    init(
        _ gateway: String,
        on host: LabHost,
        addresses: Set<String> = [],
        ports: Set<Int>? = nil,
        details: Int = 8,
        _ script: LineScript
    ) {
        self.gateway = gateway
        self.host = host
        self.addresses = addresses
        self.ports = ports
        self.script = script
        self.details = details
    }

    /// Returns whether a line is about this gateway.
    func covers(_ line: WatchedLine) -> Bool {
        guard line.name == gateway else { return false }
        if let address = line.address, !host.addresses.union(addresses).contains(address) { return false }
        guard let ports, let port = line.port else { return true }
        return ports.contains(port)
    }

    /// Returns a description of the difference from the lines of a watch; `nil` if they are as expected.
    func complaint(about lines: [WatchedLine]) -> String? {
        let own = lines.filter(covers)
        let transcript = own.map(\.text).joined(separator: "\n")
        let seen = own.flatMap(\.facts)
        guard script.matches(seen) else {
            return "unexpected statements on \(gateway):\n\(seen.joined(separator: "\n"))\nin the lines:\n\(transcript)"
        }
        let reported = own.flatMap(\.details)
        guard reported.count <= details else {
            return
                "\(reported.count) details of \(gateway) instead of at most \(details), in the lines:\n\(transcript)"
        }
        return nil
    }
}
