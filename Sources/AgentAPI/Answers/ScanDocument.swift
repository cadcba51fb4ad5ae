internal import Agent
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import HTTPTypes
internal import Reports
internal import Scanning

/// A scan by an agent: what it knows after it has checked anew. The document of a scan, with the trouble of its backend.
struct ScanDocument: JSONReport {
    let report: ScanReport

    /// The reason why the backend cannot browse; `nil` if it can.
    let trouble: BackendError?

    var fields: [String: JSONValue] {
        var fields = report.fields
        fields["trouble"] = trouble.map { .string($0.message) } ?? .null
        return fields
    }
}

extension Agent {
    /// The maximum duration of a scan, unless the query says otherwise.
    private static let defaultTimeout = Duration.seconds(3)

    /// The maximum duration of a scan that a query may ask for, in milliseconds.
    private static let longestTimeout = 60_000

    /// Checks anew which gateways answer; for the first time, once it is known which there are.
    func scan(_ query: APIQuery) async throws(APIProblem) -> APIAnswer {
        var timeout = Self.defaultTimeout
        if let text = query.parameters["timeoutMs"] {
            guard let milliseconds = Int(text), (1...Self.longestTimeout).contains(milliseconds)
            else {
                throw APIProblem(
                    .badRequest,
                    "timeoutMs: expected a whole number from 1 to \(Self.longestTimeout), found \(text)"
                )
            }
            timeout = .milliseconds(milliseconds)
        }
        let start = ContinuousClock.now
        guard let scanner else {
            let reason = parts.first { $0.name == "scanner" }?.state.reason ?? "it has not begun yet"
            throw APIProblem(.serviceUnavailable, "the agent does not scan: \(reason)", headers: [.retryAfter: "1"])
        }
        await waitForFirstLook(until: start + timeout)
        await scanner.checkAnew(until: start + timeout)
        if await constellation.isCrowd {
            let more = await scanner.unreportedServices()
            let outline = await constellation.outline(by: NetworkSnapshot.areInOrder)
            let report = document(await constellation.snapshot(of: .backends), scanner, since: start)
            var lists = constellation.rowLists(outline)
            lists["services"] = constellation.serviceList(outline, and: more)
            return .paged(PagedDocument(report, lists))
        }
        return .document(.ok, document(await scanner.findings(), scanner, since: start).line)
    }

    private func document(
        _ found: ConstellationSnapshot,
        _ scanner: GatewayScanner,
        since start: ContinuousClock.Instant
    ) -> ScanDocument {
        let condition = found.backends.first { $0.source == scanner.browser.source }
        let trouble: BackendError? = if case .unavailable(let error) = condition?.status { error } else { nil }
        return ScanDocument(
            report: ScanReport(
                NetworkSnapshot(rows: found.gateways, services: found.services),
                scan: ServiceScanReport(
                    services: found.services,
                    source: scanner.browser.source,
                    elapsed: .now - start,
                    losses: condition?.losses ?? BackendLosses(),
                    warnings: condition?.warnings.map(\.message) ?? []
                )
            ),
            trouble: trouble
        )
    }
}
