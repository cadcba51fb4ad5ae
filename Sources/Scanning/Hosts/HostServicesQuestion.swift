internal import DNSMessages
internal import DNSSD

/// A question to one host alone, which services of some types it has, and what is believed of the answers (RFC 6762 §5.5,
/// §6.7). A value: no clock, no I/O.
struct HostServicesQuestion {
    /// The most services that are taken out of one answer.
    static let mostServices = 256

    private static let domain = "local"

    /// The id that an answer has to repeat.
    let id: UInt16

    /// The questions that have not been answered: the name that services of a type are listed under.
    private var open: [(type: ServiceType, name: DomainName)]

    init(_ types: some Sequence<ServiceType>, id: UInt16) {
        self.id = id
        open = types.compactMap { type in
            guard let name = try? DomainName(escaped: "\(type.base).\(Self.domain)") else { return nil }
            return (type.base, name)
        }
    }

    /// Indicates whether every question was answered. Of a type that a host does not have it says nothing at all.
    var isAnswered: Bool { open.isEmpty }

    /// The types that were not answered.
    var openTypes: [ServiceType] { open.map(\.type) }

    /// The packets that ask: one for each type, since an answer that is cut, as Avahi's is at 512 bytes, is cut for each.
    var packets: [[UInt8]] {
        open.map { DNSMessage(id: id, questions: [DNSQuestion(name: $0.name, type: .ptr)]).encoded().bytes }
    }

    /// Takes the services out of a packet that has come from the host's port 5353.
    mutating func take(_ bytes: [UInt8]) -> [HostService] {
        guard let message = try? DNSMessage(decoding: bytes), message.id == id, message.flags.isResponse,
            message.flags.opcode == .query, message.flags.responseCode == .noError
        else { return [] }
        // RFC 6762 §6.7: the question is repeated. Not every responder does, but none repeats another one.
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

/// A service that a host has said it has.
struct HostService: Hashable, Sendable {
    let instance: ServiceInstance

    /// The port of its SRV record; `nil` when that was not in the answer.
    let port: UInt16?
}
