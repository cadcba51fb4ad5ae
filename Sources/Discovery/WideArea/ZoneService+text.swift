package import DNSSD

/// The text of what would be published, for people and for other programs.
extension [ZoneService] {
    /// Returns the updates that would publish the services in a zone without any, as `nsupdate` reads them, after what they make
    /// known to whom.
    ///
    /// - Parameter time: The time in seconds since 1970.
    /// - Throws: ``BackendError`` with the code `invalid` if a name is too long.
    package func updateText(for configuration: ZoneConfiguration, at time: UInt64) throws(BackendError) -> String {
        let domain = configuration.domain
        let names: ZoneNames
        var lines = ["; Whoever may ask the servers of \(domain.shown) gets to know:"]
        do throws(DNSSDError) {
            names = try ZoneNames(domain)
            for service in self {
                lines += service.comments(
                    try ZoneRecords(service, named: service.name, in: names, owner: configuration.owner)
                )
            }
        } catch {
            throw BackendError(.invalid, "in \(domain.shown), \(error)")
        }
        var publisher = ZonePublisher(names, owner: configuration.owner, isPointed: configuration.isPointed) {
            problem in
            problem.error(zone: domain, server: "", key: domain)
        }
        for (number, service) in enumerated() { publisher.publish(service, as: number) }
        if configuration.isPointed, let parent = domain.parent {
            lines.append("; Whoever browses \(parent.shown) is led there.")
        }
        if let server = configuration.server { lines.append("server \(server.address) \(server.port)") }
        var text = lines.map { $0 + "\n" }.joined()
        let now = ContinuousClock.now
        // What follows the updates is a look at what others have left.
        while case .update(let update, _) = publisher.next(now: now, time: time) {
            text += update.text
            publisher.receive(.updated, now: now, time: time)
        }
        return text
    }
}

extension ZoneService {
    /// Returns what becomes known of it, as comments.
    fileprivate func comments(_ records: ZoneRecords) -> [String] {
        let addresses = records.addresses.map(\.data.zoneText).joined(separator: ", ")
        let text = txt.strings.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        return [
            ";   “\(DisplayText(name))”, port \(port), at \(addresses.isEmpty ? "no address" : addresses)",
            ";   \(DisplayText(text, limit: 1_000))",
        ]
    }

    /// Returns a zone with nothing but services, for servers that read files, such as CoreDNS with its plugin `file`. This host
    /// is named as the zone's server.
    ///
    /// - Parameter serial: The version of the zone: higher than that of the file before.
    /// - Throws: ``BackendError`` with the code `invalid` if a name is too long.
    package func zoneText(_ domain: DomainName, serial: UInt32) throws(BackendError) -> String {
        do throws(DNSSDError) {
            let names = try ZoneNames(domain)
            let records = try ZoneRecords(self, named: name, in: names, owner: nil)
            let server = try domain.prepending("ns".utf8)
            let start = SOAData(
                primary: server,
                mailbox: try domain.prepending("hostmaster".utf8),
                serial: serial,
                refresh: 7_200,
                retry: 3_600,
                expire: 1_209_600,
                minimum: ZoneRecords.ttl
            )
            let head = [
                DNSRecord(name: domain, ttl: ZoneRecords.ttl, data: .soa(start)),
                DNSRecord(name: domain, ttl: ZoneRecords.ttl, data: .ns(server)),
            ]
            let serverAddresses = records.addresses.map { DNSRecord(name: server, ttl: $0.ttl, data: $0.data) }
            return (head + serverAddresses + records.shared + records.unique + records.addresses)
                .map { $0.zoneText + "\n" }.joined()
        } catch {
            throw BackendError(.invalid, "in \(domain.shown), \(error)")
        }
    }
}
