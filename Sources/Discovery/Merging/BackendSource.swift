internal import DNSSD

/// A backend as a source of a browse.
struct BackendSource: BrowseSource {
    private let backend: any ServiceBackend
    let traits: SourceTraits

    init(_ backend: any ServiceBackend, _ role: SourceTraits.Role = .primary, rank: Int) {
        self.backend = backend
        self.traits = SourceTraits(name: backend.source, role: role, rank: rank, capabilities: backend.capabilities)
    }

    func makeSession(
        _ request: BrowseRequest,
        report: @escaping @Sendable (SourceReport) -> Void
    ) -> any SourceSession {
        Session(backend: backend, request: request, report: report)
    }

    func reconfirm(_ instance: ServiceInstance) { backend.reconfirm(instance) }

    func protect(_ instance: ServiceInstance, _ isProtected: Bool) { backend.protect(instance, isProtected) }

    private struct Session: SourceSession {
        let backend: any ServiceBackend
        let request: BrowseRequest
        let report: @Sendable (SourceReport) -> Void

        func run() async {
            await backend.browse(request) { report(.events($0)) }
        }
    }
}
