internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Discovery
internal import HostSystem

/// The options for a zone in which something is published.
struct ZoneOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Publish in this domain by unicast DNS, instead of on the LAN.",
            discussion: "Its server is updated (RFC 2136), and withdrawn from at the end.",
            valueName: "domain"
        ),
        transform: { try ZoneDomain.read($0) }
    )
    var zone: DomainName?

    @Option(
        help: ArgumentHelp(
            "With --zone: the file of the key that the server has, as tsig-keygen writes it. Mode 0600.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tsigKey: String?

    @Option(
        help: ArgumentHelp(
            "With --zone: the address of the zone's primary server. Default: the one that the zone names.",
            valueName: "address"
        ),
        transform: { text in
            guard let server = DNSServerAddress(text)?.endpoint else {
                throw ValidationError(
                    "Give an IP address, with the port if it is not 53: 192.0.2.53 or 192.0.2.53:5300."
                )
            }
            return server
        }
    )
    var server: Endpoint?

    @Flag(help: "With --zone: print what would be published, and who would know, for nsupdate; publish nothing.")
    var dryRun = false

    @Flag(help: "With --zone: print a zone file with it, as the plugin file of CoreDNS reads it; publish nothing.")
    var printZone = false

    func validate() throws {
        guard zone != nil else {
            guard tsigKey == nil, server == nil, !dryRun, !printZone else {
                throw ValidationError("--tsig-key, --server, --dry-run and --print-zone go with --zone.")
            }
            return
        }
        guard !dryRun || !printZone else { throw ValidationError("Give --dry-run or --print-zone, not both.") }
        if printZone, tsigKey != nil || server != nil {
            throw ValidationError("With --print-zone no server is asked; leave --tsig-key and --server out.")
        }
        if dryRun, tsigKey != nil { throw ValidationError("nsupdate gets the key with -k; leave --tsig-key out.") }
        if !dryRun, !printZone, tsigKey == nil {
            throw ValidationError("Give --tsig-key, the file with the key that the server of the zone has.")
        }
    }

    /// Indicates whether the zone is only printed.
    var isPrinted: Bool { dryRun || printZone }

    /// Returns the zone; `nil` if there is none.
    func configuration() throws(CommandFailure) -> ZoneConfiguration? {
        guard let zone else { return nil }
        let signer: TransactionSigner
        do throws(BackendError) {
            // What is printed is not signed.
            signer =
                try tsigKey.map { path throws(BackendError) in try TransactionKeyFile.signer(at: path) }
                ?? TransactionSigner(name: zone) { _ in [] }
        } catch {
            throw CommandFailure(error)
        }
        let owner = PublisherID.current(environment: Environment.values(of: ReadToken.variables)) { Notes.warning($0) }
        return ZoneConfiguration(domain: zone, signer: signer, server: server, owner: owner)
    }

    /// Returns the text that is printed of an advertisement instead of publishing it.
    func text(_ advertisement: Advertisement) throws -> String {
        let service = ZoneService(ofThisHost: advertisement)
        let seconds = WallClock.milliseconds / 1_000
        do {
            if printZone, let zone { return try service.zoneText(zone, serial: UInt32(truncatingIfNeeded: seconds)) }
            guard let configuration = try configuration() else { return "" }
            return try [service].updateText(for: configuration, at: UInt64(seconds))
        } catch let error as BackendError {
            throw CommandFailure(error)
        }
    }
}
