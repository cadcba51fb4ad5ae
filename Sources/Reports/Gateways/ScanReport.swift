package import DNSSD
package import GatewayProtocol

/// A scan that probes no gateways: the services that were seen, and how the scan went.
package struct ServiceScanReport: JSONReport {
    private let services: [DiscoveredService]
    private let source: SightingSource
    private let elapsed: Duration
    private let losses: BackendLosses
    private let warnings: [String]

    /// Creates the report of a scan for services.
    ///
    /// - Parameters:
    ///   - services: The services, in the order in which they are listed.
    ///   - source: The backend that browsed for them.
    ///   - elapsed: The duration of the scan.
    ///   - losses: The packets and entries that the backend has lost.
    ///   - warnings: The remarks on the scan, for people.
    package init(
        services: [DiscoveredService],
        source: SightingSource,
        elapsed: Duration,
        losses: BackendLosses = BackendLosses(),
        warnings: [String] = []
    ) {
        self.services = services
        self.source = source
        self.elapsed = elapsed
        self.losses = losses
        self.warnings = warnings
    }

    package var fields: [String: JSONValue] {
        [
            "services": .array(services.map { ServiceReport($0).json }),
            "backend": .string(source.rawValue),
            "elapsedMs": JSONValue(elapsed.wholeMilliseconds),
            "losses": .object(["packets": JSONValue(losses.packets), "entries": JSONValue(losses.entries)]),
            "warnings": JSONValue(warnings),
        ]
    }
}

/// A scan that probes: the gateways, the other things that were found, and the services that led to them.
package struct ScanReport: JSONReport {
    private let snapshot: NetworkSnapshot
    private let scan: ServiceScanReport

    /// Creates the report of a scan with its gateways.
    ///
    /// - Parameters:
    ///   - snapshot: The rows of the map at the end of the scan.
    ///   - scan: The report on the scan for services that it is based on.
    package init(_ snapshot: NetworkSnapshot, scan: ServiceScanReport) {
        self.snapshot = snapshot
        self.scan = scan
    }

    package var fields: [String: JSONValue] {
        var fields = scan.fields
        fields["gateways"] = .array(
            snapshot.gateways.map { GatewayReport($0).json }
        )
        fields["others"] = .array(snapshot.others.map { OtherReport($0).json })
        return fields
    }
}
