import DNSSD

/// An event of a backend in the form that `test-tool backend-recorder` prints. Fields that do not belong to the event are left
/// out.
struct EventLine: Encodable {
    /// The name of the event: `sighted`, `vanished`, `running`, `starting`, `unavailable`, `busy`, `idle`, `warning`,
    /// `losses` or `ended` for a browse, and `publishing`, `published`, `renamed`, `withdrawn` or `failed` for a
    /// publication.
    let event: String

    var name: String?
    var interface: String?
    var family: String?
    var isResolved: Bool?
    var host: String?
    var port: UInt16?
    var addresses: [String]?
    var txt: [String]?
    var source: String?
    var reason: String?

    /// The number of descriptors and of threads beyond those at the start.
    var descriptors: Int?
    var threads: Int?
    /// The duration of the end in milliseconds.
    var milliseconds: Int?

    init(_ event: BrowseEvent) {
        switch event {
        case .sighted(let sighting):
            self.event = "sighted"
            name = sighting.instance.name
            place(sighting.path)
            isResolved = sighting.resolution == .resolved
            host = sighting.host?.escaped
            port = sighting.port
            addresses = sighting.addresses.map(\.description)
            txt = sighting.txt.map { record in
                record.entries.map { "\($0.key)=\(String(decoding: $0.value ?? [], as: UTF8.self))" }
            }
            source = sighting.source.rawValue
        case .vanished(let instance, let path, let reason):
            self.event = "vanished"
            name = instance.name
            place(path)
            self.reason = "\(reason)"
        case .status(.running): self.event = "running"
        case .status(.starting): self.event = "starting"
        case .status(.unavailable(let error)):
            self.event = "unavailable"
            reason = error.message
        case .activity(let activity):
            self.event = activity == .idle ? "idle" : "busy"
        case .warning(let warning):
            self.event = "warning"
            reason = warning.message
        case .domain(let domain, let status):
            self.event = "domain"
            name = domain.escaped
            if case .unavailable(let error) = status { reason = error.message }
        case .losses(let losses):
            self.event = "losses"
            reason = "\(losses.packets) packets, \(losses.entries) entries"
        }
    }

    init(_ state: PublicationState) {
        switch state {
        case .publishing(let error):
            event = "publishing"
            reason = error?.message
        case .published(let name):
            event = "published"
            self.name = name
        case .renamed(_, let name):
            event = "renamed"
            self.name = name
        case .withdrawn: event = "withdrawn"
        case .failed(let error):
            event = "failed"
            reason = error.message
        }
    }

    private init(ended descriptors: Int, _ threads: Int, _ milliseconds: Int) {
        event = "ended"
        self.descriptors = descriptors
        self.threads = threads
        self.milliseconds = milliseconds
    }

    static func ended(descriptors: Int, threads: Int, milliseconds: Int) -> EventLine {
        EventLine(ended: descriptors, threads, milliseconds)
    }

    private mutating func place(_ path: ServicePath) {
        interface = path.interface.name
        family = path.family.rawValue
    }
}
