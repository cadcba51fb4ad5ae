internal import DNSSD

/// A query to one host alone for its services of some types, which also decides what to believe of the answers (RFC
/// 6762 §5.5, §6.7). A value, without clock or I/O.
struct HostServicesQuestion {
    /// The maximum number of services that are taken from one answer.
    static let mostServices = 256

    private static let domain = "local"

    /// The id that an answer has to repeat.
    let id: UInt16

    /// The questions that have not been answered: the types, and the names under which their services are listed.
    private var open: [(type: ServiceType, name: DomainName)]

    init(_ types: some Sequence<ServiceType>, id: UInt16) {
        self.id = id
        open = types.compactMap { type in
            guard let name = try? DomainName(escaped: "\(type.base).\(Self.domain)") else { return nil }
            return (type.base, name)
        }
    }

    /// Indicates whether every question was answered. A host sends no answer at all for a type that it does not have.
    var isAnswered: Bool { open.isEmpty }

    /// The types that were not answered.
    var openTypes: [ServiceType] { open.map(\.type) }

    /// The packets of the query: one for each type, since an answer that is truncated, as Avahi's is at 512 bytes, is
    /// truncated for each.
    var packets: [[UInt8]] {
        open.map { DNSMessage(id: id, questions: [DNSQuestion(oneShot: $0.name, type: .ptr)]).encoded().bytes }
    }

    /// Reads the services in a packet that has come from the host's port 5353.
    mutating func take(_ bytes: [UInt8]) -> [HostService] {
        guard let message = try? DNSReceivedMessage(decoding: bytes).message, message.id == id,
            message.flags.isResponse, message.flags.opcode == .query, message.flags.responseCode == .noError
        else { return [] }
        // RFC 6762 §6.7: the answer repeats the question. Not every responder does so, but none repeats another one.
        guard message.questions.isEmpty || message.questions.contains(where: { isOpen($0.name) }) else { return [] }
        var ports: [DomainName: UInt16] = [:]
        for record in message.answers + message.additionals {
            if case .srv(let data) = record.data, ports[record.name] == nil { ports[record.name] = data.port }
        }
        var services: [HostService] = []
        var answered: Set<ServiceType> = []
        for record in message.answers where services.count < Self.mostServices {
            guard case .ptr(let target) = record.data, let asked = open.first(where: { $0.name == record.name }),
                let instance = try? ServiceInstance(target), instance.type == asked.type,
                target.isWithin(asked.name)
            else { continue }
            answered.insert(asked.type)
            services.append(HostService(instance: instance, port: ports[target]))
        }
        open.removeAll { answered.contains($0.type) }
        return services
    }

    private func isOpen(_ name: DomainName) -> Bool { open.contains { $0.name == name } }
}

/// A service that a host has reported as its own.
struct HostService: Hashable, Sendable {
    let instance: ServiceInstance

    /// The port of its SRV record; `nil` when that was not in the answer.
    let port: UInt16?
}
